import { type Reading, readPayload } from './reading.js'
import { rulesFor } from './rules/index.js'
import { createScanner, type Scanner } from './scan/payload.js'
import type { HealthDetailPayload } from './schema.js'

/**
 * Where the line ends that begins at an index, if it holds a payload without errors and warnings: the index of its line feed,
 * or that behind the last byte. -1 says nothing: ask `validate`.
 */
export type FindSureEnd = (start: number) => number

/**
 * Checks payloads, each on a line of its own, in their bytes, in less time than it takes to parse them: most payloads of a
 * long file are as they should be, and nobody needs their values. The structure is checked while it is read, and the same
 * rules are asked as by `validate`. Whatever is unusual is in doubt: a member that comes twice, an exponent, members of a
 * page before metric and viewWindow, unknown members of a day, a payload on several lines, more than 2 MiB of bytes. All is
 * in doubt where WebAssembly cannot run.
 * `bytes` must be valid UTF-8. Throws nothing, whatever they hold.
 */
export function createSureCheck(bytes: Uint8Array): FindSureEnd {
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
    if (scanned === undefined || breaksRule(readPayload(scanned.payload, noFaults), scanned.hasOthers)) return -1
    return scanned.end
  }
}

/**
 * The payload that some UTF-8 text is, if it stands on one line and has no errors and warnings; `undefined` says nothing.
 * It is what `JSON.parse` would answer, but that columns stand in the place of its daily arrays, for which there is
 * `readSeries`, and that members which are missing may be there as `undefined`. It holds until the next one is read.
 */
export function readSurelyValid(text: Uint8Array): HealthDetailPayload | undefined {
  const scanner = getScanner()
  loaded = undefined
  const scanned = scanner?.load(text) ? scanner.scan(0) : undefined
  if (scanned === undefined || scanned.end !== text.length) return undefined
  if (breaksRule(readPayload(scanned.payload, noFaults), scanned.hasOthers)) return undefined
  return scanned.payload as unknown as HealthDetailPayload
}

let made: { readonly scanner: Scanner | undefined } | undefined
/** Stands for the bytes that the scanner holds. */
let loaded: object | undefined
const noFaults: ReadonlySet<string> = new Set()

function getScanner(): Scanner | undefined {
  made ??= { scanner: tryToCreate() }
  return made.scanner
}

/** WebAssembly needs leave to make code, which `node --jitless` takes, and 10 GB of addresses, which `ulimit -v` may refuse. */
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
    // The search for unknown members goes through the whole payload, and mostly there are none.
    if (rule === undefined || (rule.id === 'envelope-unknown-member' && !hasOthers)) continue
    if (isFound(rule.check(reading))) return true
  }
  return false
}

/** Whether a rule has found anything. */
const isFound = (found: unknown) => found !== undefined && !(Array.isArray(found) && found.length === 0)
