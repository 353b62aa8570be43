import { hash, randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

const pool = new Uint8Array(4096)
let used = pool.length

/** A random number of [0, 1), one byte from a pool: asking the system for every byte costs 20 times as much. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

const ulid = monotonicFactory(randomFraction)

/** A new ID: the prefix says of what (`req_`, `avatar_`), the ULID behind it sorts by time. */
export function createId(
  prefix: 'req_' | 'hdi_' | 'key_' | 'avatar_' | 'anim_' | 'diary_' | 'diary_lib_' | 'sel_',
): string {
  return prefix + ulid()
}

/** The ID of what a text stands for: the same text gives the same ID. */
export function deriveId(prefix: 'ins_', text: string): string {
  return prefix + hash('sha256', text, 'hex').slice(0, 32)
}
