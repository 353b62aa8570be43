import { formatClock, formatDay, formatNight } from '../../insight/format.js'
import { type Copy, generate, type Locale, locales } from '../../insight/index.js'
import { traceTexts } from '../../insight/trace.js'
import type { Fixture } from '../fixtures.js'
import {
  type Approvals,
  collectApprovals,
  createEntry,
  findEntry,
  hashText,
  type Signature,
  type SignoffEntry,
  type SignState,
} from './signoff.js'

/** The text of a fixture in one language with its approval. */
export interface SignedAnswer {
  /** The name of the fixture, or `dates and times` for the words of dates that no fixture shows. */
  readonly id: string
  readonly locale: Locale
  /** Empty for dates and times. */
  readonly scenario: string
  /** The texts that the answer uses. */
  readonly uses: ReadonlySet<string>
  readonly text: string
  /** SHA-256 of its payload. */
  readonly sourceHash: string
  readonly state: SignState
  readonly entry?: SignoffEntry
}

type UnjudgedAnswer = Omit<SignedAnswer, 'state' | 'entry'>

/**
 * Returns the state of every answer. `messages` are the approved texts, so that an answer changes here only if words
 * that the program adds, or the decision, changed. `stale` means that its payload differs from the approved one.
 */
export function judgeAnswers(
  fixtures: readonly Fixture[],
  messages: Copy['messages'],
  approvals: Approvals,
): SignedAnswer[] {
  return listAnswers(fixtures, messages).map((answer): SignedAnswer => {
    const entry = findEntry(approvals, answer.id, answer.locale)
    return { ...answer, state: judgeAnswer(answer, entry), ...(entry === undefined ? {} : { entry }) }
  })
}

function judgeAnswer({ sourceHash, text }: UnjudgedAnswer, entry: SignoffEntry | undefined): SignState {
  if (entry === undefined) return 'unsigned'
  if (sourceHash !== entry.sourceHash) return 'stale'
  return text === entry.text && hashText(text) === entry.hash ? 'signed' : 'changed'
}

function listAnswers(fixtures: readonly Fixture[], messages: Copy['messages']): UnjudgedAnswer[] {
  const dateAnswers = locales.map((locale): UnjudgedAnswer => {
    const text = dateWords(locale)
    return { id: 'dates and times', locale, scenario: '', uses: new Set(), text, sourceHash: hashText('') }
  })
  const copy = { ruleVersion: '', messages }
  const fixtureAnswers = fixtures.flatMap(({ name, payload }) => {
    const sourceHash = hashText(JSON.stringify(payload))
    return locales.map((locale): UnjudgedAnswer => {
      const { result, uses } = traceTexts(copy, (traced) => generate(payload, { copy: traced, locale }))
      const { scenario, summary } = result
      return { id: name, locale, scenario, uses: new Set(uses.map(({ id }) => id)), text: summary, sourceHash }
    })
  })
  return [...fixtureAnswers, ...dateAnswers]
}

/**
 * Returns the approvals with the given answers approved. `before` are the answers of the formerly approved texts,
 * `after` those of the newly approved ones. An answer that was signed before follows its texts. Approvals of deleted
 * fixtures are removed.
 */
export function signAnswers(
  before: readonly SignedAnswer[],
  after: readonly SignedAnswer[],
  wanted: readonly Pick<SignedAnswer, 'id' | 'locale'>[],
  signature: Signature,
): Approvals {
  const nameOf = ({ id, locale }: Pick<SignedAnswer, 'id' | 'locale'>) => `${id} ${locale}`
  const open = new Set(before.filter(({ state }) => state !== 'signed').map(nameOf))
  const signed = new Set(wanted.map(nameOf))
  const rows = after.flatMap((answer) => {
    const { entry, id, locale, sourceHash, text } = answer
    const name = nameOf(answer)
    const isKept = !signed.has(name) && (open.has(name) || answer.state === 'signed')
    if (isKept) return entry === undefined ? [] : [{ id, locale, entry }]
    return [{ id, locale, entry: createEntry(text, sourceHash, signature, entry) }]
  })
  return collectApprovals(rows)
}

/** Day numbers from 1970-01-01; 1970 is not a leap year. */
const monthStarts = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const yearLength = 365

/** Writes the dates and times that fixtures need not show: every month, nights that cross its end, every hour. */
function dateWords(locale: Locale): string {
  const hours = Array.from({ length: 24 }, (_, hour) => formatClock(locale, hour * 60 + 5))
  const [january = 0] = monthStarts
  return [
    ...monthStarts.map((start) => formatDay(locale, start + 13, january)),
    ...monthStarts.map((start) => formatNight(locale, start + 13, january)),
    ...monthStarts.slice(1).map((start) => formatNight(locale, start, january)),
    formatDay(locale, 13, yearLength),
    formatNight(locale, 13, yearLength),
    formatNight(locale, 31, yearLength),
    formatNight(locale, yearLength, yearLength),
    formatNight(locale, yearLength, 0),
    ...hours,
  ].join(' | ')
}
