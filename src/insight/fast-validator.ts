import { isComplete, type Reading, readScannedPayload } from './reading.js'
import { unknownMemberRule } from './rules/envelope.js'
import { rulesFor } from './rules/index.js'
import { createScanner, type Scanned, type Scanner } from './scan/payload.js'

/**
 * Returns the end of the line that begins at an index, if the line holds a payload without errors and warnings: the
 * index of its line feed, or the index after the last byte. -1 does not say anything: call `validate`.
 */
export type FindValidLineEnd = (start: number) => number

/**
 * Checks payloads in their bytes, in less time than it takes to parse them: returns a function for the lines of a text, which
 * must not change. Those of several texts may be called by turns.
 *
 * It accepts a payload or leaves it in doubt. The structure is checked while it is read, and the same rules are checked as by
 * `validate`. Any unusual payload is in doubt: a member that comes twice, an exponent, members of a page before metric and
 * viewWindow, a payload on several lines, more than 64 unknown members, more than 2 MiB of bytes. All are in doubt where
 * WebAssembly cannot run.
 * Bytes must be valid UTF-8, or the accepted texts are not those of a decoder that refuses them. Never throws, for any
 * bytes. An instance holds 2 MiB from its first use on; one is enough for a thread.
 */
export type FastValidator = (text: Uint8Array) => FindValidLineEnd

export interface FastValidatorOptions {
  /** A payload with any unknown member is in doubt. */
  readonly isKnownOnly?: boolean
  /** Called for each line that is accepted although it has unknown members. */
  readonly onUnknown?: () => void
}

export function createFastValidator({ isKnownOnly = false, onUnknown }: FastValidatorOptions = {}): FastValidator {
  let scanner: Scanner | undefined
  let isCreated = false
  /** The function that reads the bytes that the scanner holds. */
  let holder: FindValidLineEnd | undefined
  const load = (text: Uint8Array) => {
    if (!isCreated) scanner = tryToCreate()
    isCreated = true
    return scanner?.load(text) === true
  }
  const isAccepted = (scanned: Scanned) => !(isKnownOnly && scanned.hasOthers) && breaksNoRule(scanned)
  return (text) => {
    const findValidLineEnd = (start: number) => {
      if (holder !== findValidLineEnd) {
        if (!load(text)) return -1
        holder = findValidLineEnd
      }
      const scanned = scanner?.scan(start)
      if (scanned === undefined || !isAccepted(scanned)) return -1
      if (scanned.hasOthers) onUnknown?.()
      return scanned.end
    }
    return findValidLineEnd
  }
}

/**
 * WebAssembly needs permission to make code, which `node --jitless` takes away, and 10 GB of addresses, which `ulimit -v`
 * may refuse.
 */
function tryToCreate(): Scanner | undefined {
  try {
    return createScanner()
  } catch {
    // Payloads are parsed then, which takes longer.
    return undefined
  }
}

function breaksNoRule({ payload, columns, hasOthers }: Scanned): boolean {
  const reading = readScannedPayload(payload, ({ path }) => columns.get(path))
  return isComplete(reading) && !breaksRule(reading, hasOthers)
}

function breaksRule(reading: Reading, hasOthers: boolean): boolean {
  const rules = rulesFor(reading.metric, reading.viewWindow)
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]
    // The search for unknown members goes through the whole payload, and most payloads have no such member.
    if (rule === undefined || (rule.id === unknownMemberRule && !hasOthers)) continue
    if (hasViolation(rule.check(reading))) return true
  }
  return false
}

/** Checks whether a rule has found anything. */
const hasViolation = (found: unknown) => found !== undefined && !(Array.isArray(found) && found.length === 0)
