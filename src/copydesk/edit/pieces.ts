import { parse, type Token } from '@messageformat/parser'
import type { TextUse } from '../../insight/trace.js'
import type { Locale } from '../../insight/types.js'
import { findCase } from '../examples/branches.js'

/** A run of words of a pattern that no choice interrupts, as a reviewer edits it. */
export interface Piece {
  /** The place in the pattern. */
  readonly offset: number
  readonly length: number
  /** The condition on which the run is said, such as "count is 1": one entry for each choice around it, the outermost first. */
  readonly when: readonly string[]
  /** True if the example says the run; undefined without an example. */
  readonly isSaid?: boolean
}

/** The values of a text in an example, and the language of the pattern. */
export interface PatternUse extends Pick<TextUse, 'values'> {
  readonly locale: Locale
}

/**
 * Splits a pattern into the runs of words that it says. Placeholders are part of a run. Returns undefined for a pattern
 * that cannot be parsed, or that quotes braces.
 */
export function splitPattern(pattern: string, use?: PatternUse): readonly Piece[] | undefined {
  if (/'[{}#]/.test(pattern.replaceAll("''", ''))) return undefined
  try {
    const place = { start: 0, end: pattern.length, when: [], ...(use && { isSaid: true }) }
    const pieces = listPieces(pattern, parse(pattern), place, use)
    return pieces.every((piece) => isWhole(pattern, piece)) ? pieces : undefined
  } catch {
    // The lint names the problem.
    return undefined
  }
}

/** True if the braces of a run are those of its placeholders. */
const isWhole = (pattern: string, { length, offset }: Piece) =>
  /^(?:[^{}]|\{\w+\})*$/.test(pattern.slice(offset, offset + length))

/** A part of a pattern: the whole, or one of its cases. */
interface PiecePlace extends Pick<Piece, 'when' | 'isSaid'> {
  readonly start: number
  readonly end: number
}

function listPieces(
  pattern: string,
  tokens: readonly Token[],
  { end, start, ...said }: PiecePlace,
  use: PatternUse | undefined,
): readonly Piece[] {
  const pieces: Piece[] = []
  let begin = start
  for (const token of tokens) {
    if (!('cases' in token)) continue
    const { arg, cases, ctx, type } = token
    if (ctx.offset > begin) pieces.push({ offset: begin, length: ctx.offset - begin, ...said })
    const keys = cases.map(({ key }) => key)
    const isPlural = type === 'plural'
    const taken = use && findCase(keys, { value: use.values[arg] ?? '', isPlural, locale: use.locale })
    for (const { ctx: head, key, tokens: inner } of cases) {
      const first = head.offset + head.text.length
      const place = {
        ...{ start: first, end: findClosing(pattern, first), when: [...said.when, describeCase(arg, key, type)] },
        ...(said.isSaid !== undefined && { isSaid: said.isSaid && key === taken }),
      }
      pieces.push(...listPieces(pattern, inner, place, use))
    }
    begin = findClosing(pattern, ctx.offset + 1) + 1
  }
  // A case may be empty: words can be added to it.
  if (end > begin || (begin === start && said.when.length > 0)) {
    pieces.push({ offset: begin, length: end - begin, ...said })
  }
  return pieces
}

/** Returns the offset of the brace that closes the one before `from`. */
function findClosing(pattern: string, from: number): number {
  let depth = 1
  let offset = from - 1
  while (depth > 0 && ++offset < pattern.length) {
    if (pattern[offset] === '{') depth++
    if (pattern[offset] === '}') depth--
  }
  return offset
}

function describeCase(argument: string, key: string, type: string): string {
  if (type === 'select') return key === 'other' ? `${argument}: anything else` : `${argument}: ${key}`
  if (key === 'other') return `${argument}: other numbers`
  return `${argument}: ${key === 'one' ? '1' : key.replace('=', '')}`
}
