import { parse, type Token } from '@messageformat/parser'
import type { TextUse } from '../../insight/trace.js'
import type { Locale } from '../../insight/types.js'
import { findCase } from '../examples/branches.js'

/** A run of words of a pattern that no choice interrupts, as a reviewer edits it. */
export interface Piece {
  /** The place in the pattern. */
  readonly offset: number
  readonly length: number
  /** The condition on which the run is said, such as "more movement": one entry for each choice around it, the outermost first. */
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

/** Names a case in the words of reviewers, who do not know the arguments of the texts. */
function describeCase(argument: string, key: string, type: string): string {
  if (type === 'select') return caseWords[argument]?.[key] ?? `${argument}: ${key}`
  const noun = counted[argument]
  if (key === 'other') return noun === undefined ? 'another number' : `another number of ${noun}s`
  const number = key === 'one' ? '1' : key.replace('=', '')
  return noun === undefined ? `the number ${number}` : `${number} ${noun}${number === '1' ? '' : 's'}`
}

/** The things that a number counts, if it is more than a number. */
const counted: Readonly<Record<string, string>> = {
  days: 'day',
  highDays: 'day with more',
  hour: 'hour',
  lowDays: 'day with less',
  nights: 'night',
  requiredDays: 'required day',
  validDays: 'day so far',
}

/** The cases of each choice, by the value of its argument; `other` is every other value. */
const caseWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  average: { yes: 'on average', other: 'on one day' },
  base: { rated: 'among the days compared', other: 'among all days' },
  basis: { breed: 'breed norms', general: 'general norms', other: 'its own days' },
  direction: {
    ...{ more: 'more', less: 'less', higher: 'higher', lower: 'lower', low: 'below the range' },
    other: 'in no other direction',
  },
  factor: {
    duration: 'shorter rest',
    interruptions: 'more wake-ups',
    nightActivity: 'more movement',
    longestRestBlock: 'short stretches of rest',
    other: 'no known reason',
  },
  form: { hm: 'hours and minutes', h: 'whole hours', under: 'under 1 minute', other: 'minutes' },
  has: {
    yes: 'with a value',
    change: 'with a value and its change',
    value: 'with a value alone',
    other: 'without a value',
  },
  inactive: { yes: 'nothing recorded', other: 'something recorded' },
  judged: { yes: 'with a verdict', other: 'without a verdict' },
  metric: {
    ...{ activity: 'activity', rest: 'rest', hr: 'heart rate', hrv: 'heart rate variability', rr: 'breathing rate' },
    cat_bark: 'vocalizing of a cat',
    other: 'anything else',
  },
  night: { last: 'last night', other: 'an earlier night' },
  period: { this_week: 'this week', that_week: 'a past week', this_month: 'this month', other: 'a past month' },
  quiet: { yes: 'no barking', unknown: 'nothing recorded', other: 'some barking' },
  scope: {
    not_yet: 'nothing yet today',
    night: 'a past night',
    tonight: 'this night',
    open_period: 'a week or month so far',
    past_period: 'a past week or month',
    now: 'today',
    other: 'a past day',
  },
  share: { all: 'on all days', other: 'on some days' },
  size: { under: 'under 1 minute', other: '1 minute or more' },
  species: { cat: 'a cat', other: 'a dog' },
  verdict: { usual: 'usual on every day', other: 'usual on most days' },
  worn: { no: 'tracker not worn', other: 'tracker worn for a while' },
  yardstick: { reference: 'compared with norms', other: 'compared with its own days' },
}
