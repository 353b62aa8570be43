import { isComplete, type Reading, readScannedPayload, type ValidReading } from './reading.js'
import { unknownMemberRule } from './rules/envelope.js'
import { rulesFor } from './rules/index.js'
import { createScanner, type Scanned, type Scanner } from './scan/payload.js'

/**
 * Returns the end of the line that begins at an index, if the line holds a payload without errors and warnings: the
 * index of its line feed, or the index after the last byte. -1 does not say anything: call `validate`.
 */
export type FindValidLineEnd = (start: number) => number

/**
 * Checks payloads in their bytes, in less time than it takes to parse them. It accepts a payload or leaves it in doubt.
 * The structure is checked while it is read, and the same rules are checked as by `validate`. Any unusual payload is in
 * doubt: a member that comes twice, an exponent, members of a page before metric and viewWindow, a payload on several
 * lines, more than 64 unknown members, more than 2 MiB of bytes. All are in doubt where WebAssembly cannot run.
 * Bytes must be valid UTF-8, or the accepted texts are not those of a decoder that refuses them. Never throws, for any
 * bytes. An instance holds 2 MiB from its first use on; one is enough for a thread.
 */
export interface FastValidator {
  /**
   * Returns the reading of the payload in a text, if the payload is on one line and has no errors and warnings. The
   * reading belongs to the caller. `undefined` does not say anything: call `interpret`.
   */
  readonly read: (text: Uint8Array) => ValidReading | undefined
  /** Returns a function for the lines of a text, which must not change. Those of several texts may be called by turns. */
  readonly openLines: (text: Uint8Array) => FindValidLineEnd
}

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
  const getScanner = () => {
    if (!isCreated) scanner = tryToCreate()
    isCreated = true
    return scanner
  }
  const readUnlessFlagged = (scanned: Scanned) =>
    isKnownOnly && scanned.hasOthers ? undefined : readUnlessBroken(scanned)
  return {
    read: (text) => {
      holder = undefined
      const scanned = getScanner()?.load(text) ? scanner?.scan(0) : undefined
      return scanned?.end === text.length ? readUnlessFlagged(scanned) : undefined
    },
    openLines: (text) => {
      const findValidLineEnd = (start: number) => {
        if (holder !== findValidLineEnd) {
          if (!getScanner()?.load(text)) return -1
          holder = findValidLineEnd
        }
        const scanned = scanner?.scan(start)
        if (scanned === undefined || readUnlessFlagged(scanned) === undefined) return -1
        if (scanned.hasOthers) onUnknown?.()
        return scanned.end
      }
      return findValidLineEnd
    },
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

/** Returns the reading of a payload that breaks no rule. */
function readUnlessBroken({ payload, columns, hasOthers }: Scanned): ValidReading | undefined {
  const reading = readScannedPayload(payload, ({ path }) => columns.get(path))
  return breaksRule(reading, hasOthers) || !isComplete(reading) ? undefined : reading
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
