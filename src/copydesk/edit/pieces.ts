import { parse, type Token } from '@messageformat/parser'

/** A run of words of a pattern that no choice interrupts, as a reviewer edits it. */
export interface Piece {
  /** The place in the pattern. */
  readonly offset: number
  readonly length: number
  /** The condition on which the run is said, such as "count is 1": one entry for each choice around it, the outermost first. */
  readonly when: readonly string[]
}

/**
 * Splits a pattern into the runs of words that it says. Placeholders are part of a run. Returns undefined for a pattern
 * that cannot be parsed, or that quotes braces.
 */
export function splitPattern(pattern: string): readonly Piece[] | undefined {
  if (/'[{}#]/.test(pattern.replaceAll("''", ''))) return undefined
  try {
    const pieces = listPieces(pattern, parse(pattern), { start: 0, end: pattern.length }, [])
    return pieces.every((piece) => isWhole(pattern, piece)) ? pieces : undefined
  } catch {
    // The lint names the problem.
    return undefined
  }
}

/** True if the braces of a run are those of its placeholders. */
const isWhole = (pattern: string, { length, offset }: Piece) =>
  /^(?:[^{}]|\{\w+\})*$/.test(pattern.slice(offset, offset + length))

interface Range {
  readonly start: number
  readonly end: number
}

function listPieces(
  pattern: string,
  tokens: readonly Token[],
  { end, start }: Range,
  when: readonly string[],
): readonly Piece[] {
  const pieces: Piece[] = []
  let begin = start
  for (const token of tokens) {
    if (!('cases' in token)) continue
    const { arg, cases, ctx, type } = token
    if (ctx.offset > begin) pieces.push({ offset: begin, length: ctx.offset - begin, when })
    for (const { ctx: head, key, tokens: inner } of cases) {
      const first = head.offset + head.text.length
      const range = { start: first, end: findClosing(pattern, first) }
      pieces.push(...listPieces(pattern, inner, range, [...when, describeCase(arg, key, type)]))
    }
    begin = findClosing(pattern, ctx.offset + 1) + 1
  }
  // A case may be empty: words can be added to it.
  if (end > begin || (begin === start && when.length > 0)) pieces.push({ offset: begin, length: end - begin, when })
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
