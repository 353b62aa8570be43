import { hash, randomFillSync } from 'node:crypto'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The digits of 0 to 1023: an ID is put together from pairs. */
const pairs = Array.from({ length: 1024 }, (_, number) => digits.charAt(number >> 5) + digits.charAt(number & 31))
const countAtMost = 0xf_ffff

const random = new Uint16Array(2048)
const randomOfUlid = 8
let used = random.length
let time = 0
/** All digits but the last four, which count on within a millisecond. */
let head = ''
let count = countAtMost

/**
 * A ULID: 10 digits of time and 16 of chance, and within a millisecond one more than the last, so that IDs rise.
 * Source: the ULID specification.
 */
function createUlid(): string {
  const now = Date.now()
  if (now > time) begin(now)
  else if (count === countAtMost) begin(time + 1)
  else count += 1
  return `${head}${pairs[count >> 10]}${pairs[count & 1023]}`
}

function begin(milliseconds: number): void {
  time = milliseconds
  // Asking the system for a few takes as long as for many.
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const chance = random.subarray(used, used + randomOfUlid)
  used += randomOfUlid
  const [high, low] = [Math.floor(time / 2 ** 20), time % 2 ** 20]
  const ofTime = [high >> 20, high >> 10, high, low >> 10, low]
  head = [...ofTime, ...chance.subarray(0, 6)].map((part) => pairs[part & 1023]).join('')
  count = ((chance[6] ?? 0) << 4) | ((chance[7] ?? 0) & 15)
}

/** A new ID: the prefix says of what (`req_`, `avatar_`), the ULID behind it sorts by time. */
export function createId(
  prefix: 'req_' | 'hdi_' | 'key_' | 'avatar_' | 'anim_' | 'diary_' | 'diary_lib_' | 'sel_',
): string {
  return prefix + createUlid()
}

/** The ID of what a text stands for: the same text gives the same ID. */
export function deriveId(prefix: 'ins_', text: string): string {
  return prefix + hash('sha256', text, 'hex').slice(0, 32)
}
