import type { UsageRow } from '../ports/tasks.js'

export const usageGroups = ['pet', 'user', 'key', 'model', 'day'] as const
export type UsageGroup = (typeof usageGroups)[number]

/** A sum of usage. A member that is not the same for all that is summed is null. */
export interface UsageEntry {
  readonly petId: string | null
  readonly userId: string | null
  readonly keyId: string | null
  readonly model: string | null
  readonly day: string | null
  /** IDs that callers left out, in any of what is summed. */
  readonly missing: UsageRow['missing']
  readonly requests: number
  readonly units: number
  readonly costMicros: number
  readonly maybeCostMicros: number
}

const memberOf = { pet: 'petId', user: 'userId', key: 'keyId', model: 'model', day: 'day' } as const

/** Sums rows by one of their members, in the order in which its values first come. Without one, every row is an entry. */
export function groupUsage(rows: readonly UsageRow[], by?: UsageGroup): UsageEntry[] {
  if (by === undefined) return [...rows]
  const entries = new Map<string, UsageEntry>()
  for (const row of rows) {
    const value = row[memberOf[by]]
    const sum = entries.get(value)
    entries.set(value, sum === undefined ? row : add(sum, row))
  }
  return [...entries.values()]
}

function add(one: UsageEntry, other: UsageEntry): UsageEntry {
  const same = <T>(a: T, b: T) => (a === b ? a : null)
  return {
    petId: same(one.petId, other.petId),
    userId: same(one.userId, other.userId),
    keyId: same(one.keyId, other.keyId),
    model: same(one.model, other.model),
    day: same(one.day, other.day),
    missing: [...new Set([...one.missing, ...other.missing])],
    requests: one.requests + other.requests,
    units: one.units + other.units,
    costMicros: one.costMicros + other.costMicros,
    maybeCostMicros: one.maybeCostMicros + other.maybeCostMicros,
  }
}
