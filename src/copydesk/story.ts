import { SvcError } from '../errors.js'
import {
  type Copy,
  generate,
  type Insight,
  type Locale,
  locales,
  type Metric,
  type ViewWindow,
} from '../insight/index.js'
import { toDay } from '../payload-generator/frame.js'
import { generatePetStory } from '../payload-generator/pet-story.js'
import { count, parseInteger } from '../text/words.js'
import { metricNames, titleOf, windowNames } from './page/words.js'

/** A story as it is asked for, with numbers as they are typed. */
export interface StoryWish {
  readonly pet: string
  readonly species: 'dog' | 'cat'
  readonly days: string
  readonly seed: string
  readonly locale: Locale | 'all'
  readonly metric?: Metric | undefined
}

/** A text of a story. */
export interface StoryText {
  readonly date: string
  readonly metric: Metric
  readonly window: ViewWindow
  /** Its page, in words. */
  readonly title: string
  /** One insight per language. */
  readonly insights: readonly [Insight, ...Insight[]]
  /** The number of texts up to this one that say the same sentence, with other numbers and dates. */
  readonly times: number
  /** The number of those in a row on its page. */
  readonly inARow: number
  /** True if the text before it on its page has the same words and numbers. */
  readonly isSame: boolean
  /** The repetition in words; empty for a new sentence. */
  readonly mark: string
}

export interface ToldStory {
  readonly texts: readonly StoryText[]
  /** The number of distinct sentences, and the most of one in a row. */
  readonly sentences: number
  readonly longestRun: number
  /** The same in words. */
  readonly summary: string
}

/** Tells the texts of one pet in order of time, with what repeats. Throws `invalid_request` for a number out of range. */
export function tellStory({ days, locale, metric, pet, seed, species }: StoryWish, copy: Copy): ToldStory {
  const wanted = locale === 'all' ? locales : [locale]
  const pages = generatePetStory({
    pet: { userId: 'user-20418', petId: 'pet-7731', name: requireName(pet), species },
    seed: parseInteger(seed, 'The seed', 0, 2 ** 31),
    days: parseInteger(days, 'The number of days', 2, 366),
    end: toDay('2026-10-26'),
    ...{ timezone: 'Europe/Berlin', locale: wanted[0] ?? 'en-US', metric },
  })
  const said = new Map<string, number>()
  const before = new Map<string, { readonly sentence: string; readonly summary: string; readonly inARow: number }>()
  const texts = pages.map(({ date, payload }): StoryText => {
    const insights = wanted.map((one) => generate(payload, { copy, locale: one })) as [Insight, ...Insight[]]
    const [{ locale: language, summary }] = insights
    const { metric: own, viewWindow: window } = payload
    const sentence = withoutNumbers(summary, language)
    const last = before.get(`${own} ${window}`)
    const inARow = last?.sentence === sentence ? last.inARow + 1 : 1
    const times = (said.get(sentence) ?? 0) + 1
    said.set(sentence, times)
    before.set(`${own} ${window}`, { sentence, summary, inARow })
    const isSame = last?.summary === summary
    const title = titleOf({ metric: own, window, mode: payload.insightContext.mode, period: payload.period })
    const row = inARow > 1 ? `, ${inARow} in a row` : ''
    const mark = isSame ? 'word for word as before' : times > 1 ? `said ${times} times${row}` : ''
    return { date, metric: own, window, title, insights, times, inARow, isSame, mark }
  })
  const [longest] = texts.toSorted((one, other) => other.inARow - one.inARow)
  const longestRun = longest?.inARow ?? 0
  const where =
    longest === undefined
      ? ''
      : ` (${metricNames[longest.metric]}, ${windowNames[longest.window]}, until ${longest.date})`
  const same = texts.filter(({ isSame }) => isSame).length
  const summary = [
    `${count(texts.length, 'text')}, ${count(said.size, 'distinct sentence')} apart from numbers and dates.`,
    `Longest run of the same sentence: ${longestRun}${where}.`,
    ...(same === 0 ? [] : [`Word for word as the text before: ${same}.`]),
  ]
  return { texts, sentences: said.size, longestRun, summary: summary.join(' ') }
}

/** Replaces numbers and names of months, which change from day to day. */
function withoutNumbers(text: string, locale: Locale): string {
  const format = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(2026, month)))
  return text.replace(new RegExp(`${months.join('|')}|\\d+(?:[.,:]\\d+)*`, 'g'), '#')
}

function requireName(name: string): string {
  if (name.trim() !== '' && name.length <= 40) return name.trim()
  throw new SvcError('invalid_request', 'The pet needs a name of at most 40 characters.')
}
