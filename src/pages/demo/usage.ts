import type { UsageEntry } from './answers.js'
import { CallError, send } from './api.js'
import { findGuestPet } from './key.js'
import type { Pet } from './pets.js'

export const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** Describes the cost of a pet so far, or says that the key may not see it. */
export async function describeUsage({ id, userId, name }: Pet): Promise<string> {
  if (findGuestPet() !== undefined) return ''
  try {
    const { entries } = await send<{ entries: UsageEntry[] }>({ method: 'GET', path: '_svc/usage?by=pet' })
    const mine = entries.find(({ pet_id, user_id }) => pet_id === id && user_id === userId)
    if (mine === undefined) return `${name} has cost nothing so far.`
    const { requests, units, cost } = mine
    return `${name} so far: ${count(requests, 'request')}, ${count(units, 'picture or clip', 'pictures and clips')}, ${money.format(cost)}`
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return error.status === 403 ? 'Only keys made with --admin see the cost.' : ''
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
