import type { ModelSettings } from '../models/settings.js'
import type { Budget } from '../ports/money.js'

const amount = /^\$?(\d{1,7}(?:\.\d{1,6})?) *(?:usd)? *\/ *([a-z]+)$/i

export const budgetForm = 'an amount and a window, such as "5usd/day" or "100usd/month"'
export const priceForms = {
  image: 'a price for a picture, such as "0.04usd/image"',
  video: 'a price for a clip or for a second of it, such as "0.40usd/clip" or "0.08usd/second"',
} as const

/** Parses a budget such as `5usd/day`; returns undefined if it is invalid. */
export function parseBudget(text: string): Budget | undefined {
  const { micros, per } = parseAmount(text)
  return micros !== undefined && micros > 0 && (per === 'day' || per === 'month') ? { micros, per } : undefined
}

/** Parses a price such as `0.04usd/image`; returns undefined if it is invalid or for another kind of model. */
export function parsePrice(text: string, kind: ModelSettings['kind']): ModelSettings['price'] | undefined {
  const { micros, per } = parseAmount(text)
  if (micros === undefined) return undefined
  if (kind === 'image') return per === 'image' ? { micros, per } : undefined
  return per === 'clip' || per === 'second' ? { micros, per } : undefined
}

/** Formats a budget as in files and flags: `5usd/day`. */
export function formatBudget({ micros, per }: Budget): string {
  return `${formatAmount(micros)}usd/${per}`
}

/** Formats an amount: `0.04`, with at least two digits if it has cents. */
export function formatAmount(micros: number): string {
  const [whole = '0', cents = ''] = (micros / 1e6).toFixed(6).split('.')
  const digits = cents.replace(/0+$/, '')
  return digits === '' ? whole : `${whole}.${digits.padEnd(2, '0')}`
}

function parseAmount(text: string): { readonly micros?: number; readonly per?: string } {
  const [, number, per] = amount.exec(text.trim()) ?? []
  return number === undefined || per === undefined
    ? {}
    : { micros: Math.round(Number(number) * 1e6), per: per.toLowerCase() }
}
