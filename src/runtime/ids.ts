import { hash, randomFillSync } from 'node:crypto'
import { monotonicFactory } from 'ulid'

const pool = new Uint8Array(4096)
let used = pool.length

/** Returns a random number in [0, 1) from one byte of a pool: a system call per byte takes 20 times as long. */
function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

const ulid = monotonicFactory(randomFraction)

/**
 * Creates an ID: the prefix names the kind of thing (`req_`, `avatar_`), the ULID after it sorts by time: that of the machine,
 * so that IDs ascend even if the clock of the service is set back.
 */
export function createId(
  prefix: 'req_' | 'hdi_' | 'key_' | 'avatar_' | 'anim_' | 'diary_' | 'diary_lib_' | 'sel_' | 'fault_',
): string {
  return prefix + ulid()
}

/**
 * Creates the ID of a call, by which its rows name it: the nine digits of a ULID that encode its time, and the last seven of
 * its random ones. A shorter text costs the busiest tables less.
 */
export function createCallId(): string {
  const id = ulid()
  return id.slice(1, 10) + id.slice(19)
}

/** Derives an ID from a text: the same text gives the same ID. */
export function deriveId(prefix: 'ins_', text: string): string {
  return prefix + hash('sha256', text, 'hex').slice(0, 32)
}
