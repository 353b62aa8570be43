import type { Members } from './members.js'
import { type Reading, readPayload } from './reading.js'
import { rulesFor } from './rules/index.js'
import { type Cursor, createCursor, peek, type Read } from './scan/cursor.js'
import { createPayloadRead } from './scan/payload.js'

/** Whether the bytes between two indexes are a payload without errors and warnings. False says nothing: ask `validate`. */
export type IsSurelyValid = (start: number, end: number) => boolean

/**
 * Checks payloads in their bytes, in less time than it takes to parse them: most payloads of a long file are as they should
 * be, and nobody needs their values. The structure is checked while it is read, and the same rules are asked as by
 * `validate`. Whatever is unusual is in doubt: a member that comes twice, an exponent, members of a page before metric and
 * viewWindow, unknown members of a day.
 * `bytes` must be valid UTF-8. Throws nothing, whatever they hold.
 */
export function createSureCheck(bytes: Buffer): IsSurelyValid {
  const read = getPayloadRead()
  const cursor = createCursor(bytes)
  return (start, end) => {
    cursor.at = start
    cursor.end = end
    cursor.hasUnknown = false
    const payload = read(cursor)
    if (payload === undefined || !isOver(cursor)) return false
    return breaksNoRule(readPayload(payload as Members, noFaults), cursor.hasUnknown)
  }
}

let payloadRead: Read | undefined
const noFaults: ReadonlySet<string> = new Set()

function getPayloadRead(): Read {
  // V8 throws away what it compiled for the first cursor when the second one is made: let that be now.
  if (payloadRead === undefined) createCursor(Buffer.alloc(0))
  payloadRead ??= createPayloadRead()
  return payloadRead
}

/** Whether nothing but white space comes up to the end; white space is skipped beyond it, too. */
function isOver(cursor: Cursor): boolean {
  if (cursor.at >= cursor.end) return cursor.at === cursor.end
  peek(cursor)
  return cursor.at >= cursor.end
}

function breaksNoRule(reading: Reading, hasUnknown: boolean): boolean {
  for (const { id, check } of rulesFor(reading.metric, reading.viewWindow)) {
    // The search for unknown members goes through the whole payload, and mostly there are none.
    if (id === 'envelope-unknown-member' && !hasUnknown) continue
    const found = check(reading)
    if (found !== undefined && !(Array.isArray(found) && found.length === 0)) return false
  }
  return true
}
