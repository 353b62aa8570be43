import { setMaxListeners } from 'node:events'
import { SvcError } from '../errors.js'
import type { CallFaults, FaultStore, UnitFaults } from '../ports/faults.js'
import { programName } from '../runtime/program-name.js'
import { count } from '../text/words.js'
import type { FinderParts, KnownRules } from './find.js'
import { findAnsweredPet, findMagicPet, isMagic } from './named-pet.js'

/** The interval at which a process reads the rules: one that another process adds applies within it. */
const readMs = 500

/** The faults of a process: it finds them for calls and units. */
export interface Faults extends CallFaults, UnitFaults {
  /** Reads the rules again, at once. */
  refresh(): Promise<void>
  close(): void
}

const noRules: KnownRules = { calls: [], units: [] }

/** Reads the rules now and at an interval, so that no call reads them. Their code is loaded with the first rule. */
export async function openFaults(parts: FinderParts): Promise<Faults> {
  const { store } = parts
  let rules = noRules
  let begun = 0
  let applied = 0

  async function refresh(): Promise<void> {
    const turn = ++begun
    const stored = await store.listFaults()
    const read = stored.length === 0 ? noRules : (await import('./find.js')).toKnownRules(stored)
    // A read that began before a change may end after the read that follows the change.
    if (turn < applied) return
    applied = turn
    rules = read
  }

  await refresh()
  let isReading = false
  const timer = setInterval(async () => {
    if (isReading) return
    isReading = true
    // The rules as last read apply while the database is away.
    await refresh().catch(() => {})
    isReading = false
  }, readMs).unref()

  const closing = new AbortController()
  // Every delayed call listens.
  setMaxListeners(0, closing.signal)
  return {
    refresh,
    closing: closing.signal,
    close() {
      clearInterval(timer)
      closing.abort()
    },
    mayApply: (input) => rules.calls.length > 0 || findMagicPet(input) !== undefined,
    async findForCall(call) {
      return (await import('./find.js')).findForCall(parts, rules.calls, call, findMagicPet(call.input))
    },
    findForAnswer(body) {
      const pet = findAnsweredPet(body)
      return pet === undefined ? undefined : import('./find.js').then(({ findForAnswer }) => findForAnswer(pet))
    },
    async findForUnit(unit) {
      if (rules.units.length === 0 && !isMagic(unit.task.owner.petId)) return undefined
      return (await import('./find.js')).findForUnit(parts, rules.units, unit)
    },
  }
}

/** Throws `conflict` if there are rules, for a start in production. `storage` is the option of commands that finds the service. */
export async function refuseFaults(store: FaultStore, storage: string): Promise<void> {
  const rules = await store.listFaults()
  if (rules.length === 0) return
  const found = `${count(rules.length, 'fault rule')} ${rules.length === 1 ? 'is' : 'are'} stored`
  const fix = `Remove all: ${programName()} fault clear ${storage}`
  throw new SvcError('conflict', `${found}, and SVC_ENV is production. ${fix}`)
}
