import { type Reading, readPayload } from './reading.js'
import { rulesFor } from './rules/index.js'
import { createScanner, type Scanner } from './scan/payload.js'
import type { HealthDetailPayload } from './schema.js'

/**
 * Returns the end of the line that begins at an index, if the line holds a payload without errors and warnings: the
 * index of its line feed, or the index after the last byte. -1 does not say anything: call `validate`.
 */
export type FindValidLineEnd = (start: number) => number

/**
 * Checks payloads, each on a line of its own, in their bytes, in less time than it takes to parse them: most payloads
 * of a long file are valid, and nobody needs their values. The structure is checked while it is read, and the same
 * rules are checked as by `validate`. Any unusual payload is in doubt: a member that comes twice, an exponent, members
 * of a page before metric and viewWindow, unknown members of a day, a payload on several lines, more than 2 MiB of
 * bytes. All is in doubt where WebAssembly cannot run.
 * `bytes` must be valid UTF-8. Never throws, for any bytes.
 */
export function createFastValidator(bytes: Uint8Array): FindValidLineEnd {
  const scanner = getScanner()
  if (scanner === undefined) return () => -1
  const { load, scan } = scanner
  const own = {}
  return (start) => {
    if (loaded !== own) {
      if (!load(bytes)) return -1
      loaded = own
    }
    const scanned = scan(start)
    if (scanned === undefined || breaksRule(readPayload(scanned.payload, noInvalidPaths), scanned.hasOthers)) return -1
    return scanned.end
  }
}

/**
 * Returns the payload in a UTF-8 text, if it is on one line and has no errors and warnings; `undefined` does not say
 * anything. The payload is what `JSON.parse` would return, except that columns replace its daily arrays (see
 * `readSeries`), and that missing members may be there as `undefined`. It is valid until the next one is read.
 */
export function readSurelyValid(text: Uint8Array): HealthDetailPayload | undefined {
  const scanner = getScanner()
  loaded = undefined
  const scanned = scanner?.load(text) ? scanner.scan(0) : undefined
  if (scanned === undefined || scanned.end !== text.length) return undefined
  if (breaksRule(readPayload(scanned.payload, noInvalidPaths), scanned.hasOthers)) return undefined
  return scanned.payload as unknown as HealthDetailPayload
}

let made: { readonly scanner: Scanner | undefined } | undefined
/** Stands for the bytes that the scanner holds. */
let loaded: object | undefined
const noInvalidPaths: ReadonlySet<string> = new Set()

function getScanner(): Scanner | undefined {
  made ??= { scanner: tryToCreate() }
  return made.scanner
}

/**
 * WebAssembly needs leave to make code, which `node --jitless` takes, and 10 GB of addresses, which `ulimit -v` may
 * refuse.
 */
function tryToCreate(): Scanner | undefined {
  try {
    return createScanner()
  } catch {
    // Payloads are parsed then, which takes longer.
    return undefined
  }
}

function breaksRule(reading: Reading, hasOthers: boolean): boolean {
  const rules = rulesFor(reading.metric, reading.viewWindow)
  for (let index = 0; index < rules.length; index++) {
    const rule = rules[index]
    // The search for unknown members goes through the whole payload, and most payloads have no such member.
    if (rule === undefined || (rule.id === 'envelope-unknown-member' && !hasOthers)) continue
    if (isFound(rule.check(reading))) return true
  }
  return false
}

/** Checks whether a rule has found anything. */
const isFound = (found: unknown) => found !== undefined && !(Array.isArray(found) && found.length === 0)
