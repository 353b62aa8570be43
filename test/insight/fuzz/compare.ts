import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { createFastValidator } from '../../../src/insight/fast-validator.js'
import { validate } from '../../../src/insight/index.js'
import { createCheckSegment } from '../../../src/payload-files/check-segment.js'
import { mutatedLine, validLines } from './lines.js'

const neighbour = Buffer.from(validLines[0] ?? '')
const lineFeed = Buffer.from('\n')

/** The number of lines compared, of those without errors and warnings, and of those that the fast validator accepted. */
export interface Tally {
  readonly lines: number
  readonly valid: number
  readonly accepted: number
}

export interface FuzzOptions {
  readonly lines: number
  /** Default: a random one. */
  readonly seed?: number | undefined
}

/** Compares mutated lines. Throws an error with the seed and the line at the first difference: see `createCompareLine`. */
export function compareLines({ lines, seed }: FuzzOptions): Tally {
  const { compare, tally } = createCompareLine()
  const property = fc.property(mutatedLine, ({ bytes }) => compare(bytes))
  fc.assert(property, { numRuns: lines, includeErrorInReport: true, ...(seed !== undefined && { seed }) })
  return tally()
}

/**
 * Returns a function that has a line judged by the fast validator, on its own and between two other lines, and by the
 * parser and `validate`. It throws an AssertionError if the fast validator accepts a line with an error or a warning, or finds
 * another end of it. Lines that are not UTF-8 are decoded as `Buffer.toString` does.
 */
export function createCompareLine(): { readonly compare: (line: Buffer) => void; readonly tally: () => Tally } {
  const openLines = createFastValidator()
  let [lines, valid, accepted] = [0, 0, 0]

  const compareAlone = (line: Buffer): boolean => {
    const isAccepted = openLines(line)(0) === line.length
    const isValid = isPlainlyValid(line.toString())
    lines++
    if (isValid) valid++
    if (isAccepted) accepted++
    assert.ok(isValid || !isAccepted, 'a line with an error or a warning is accepted')
    return isAccepted
  }

  const compareBetween = (line: Buffer, isAccepted: boolean): void => {
    const text = Buffer.concat([neighbour, lineFeed, line, lineFeed, neighbour])
    const findValidLineEnd = openLines(text)
    assert.is(findValidLineEnd(0), neighbour.length)
    const first = neighbour.length + 1
    for (let start = first; start < text.length; start = endOf(text, start) + 1) {
      const found = findValidLineEnd(start)
      if (found < 0) continue
      assert.is(found, endOf(text, start))
      assert.ok(isPlainlyValid(text.toString('utf8', start, found)), 'a line with an error or a warning is accepted')
    }
    if (!line.includes(lineFeed)) assert.is(findValidLineEnd(first) >= 0, isAccepted)
    assert.is(findValidLineEnd(text.length - neighbour.length), text.length)
  }

  return {
    compare: (line) => compareBetween(line, compareAlone(line)),
    tally: () => ({ lines, valid, accepted }),
  }
}

/** Checks whether the text of a payload has no errors and warnings. */
function isPlainlyValid(text: string): boolean {
  const { errors, warnings } = validate(parse(text))
  return errors.length === 0 && warnings.length === 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // `validate` refuses a payload that is not an object.
    return undefined
  }
}

function endOf(text: Buffer, start: number): number {
  const found = text.indexOf(10, start)
  return found < 0 ? text.length : found
}

/**
 * Checks NDJSON of mutated lines as `svc validate` does, with the fast validator and without it. Throws an error with the
 * seed and the lines at the first difference. Leaves out what the reader of files refuses before.
 */
export async function compareSegments({ lines, seed }: FuzzOptions): Promise<void> {
  const checks = ([undefined, 'warn'] as const).map(
    (unknown) =>
      [createCheckSegment(validate, unknown), createCheckSegment((payload) => validate(payload), unknown)] as const,
  )
  const start = { line: 1, column: 1 }
  // Short segments use the fast validator after the first long one.
  const long = { bytes: Buffer.from(`${validLines[0]}\n`.repeat(100)), lines: true, start }
  for (const [checkFast] of checks) await checkFast(long)
  const property = fc.asyncProperty(
    fc.array(mutatedLine, { minLength: segmentLines, maxLength: segmentLines }),
    fc.constantFrom('\n', '\r\n', '\n\n'),
    async (mutated, lineEnd) => {
      const readable = mutated.filter(({ bytes }) => isUtf8(bytes) && !bytes.includes(0))
      const bytes = Buffer.concat(readable.flatMap((line) => [line.bytes, Buffer.from(lineEnd)]))
      const segment = { bytes, lines: true, start }
      for (const [checkFast, checkPlain] of checks) assert.equal(await checkFast(segment), await checkPlain(segment))
    },
  )
  const numRuns = Math.ceil(lines / segmentLines)
  await fc.assert(property, { numRuns, includeErrorInReport: true, ...(seed !== undefined && { seed }) })
}

const segmentLines = 10
