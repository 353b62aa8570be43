import type { Locale, Metric, Status, ViewWindow } from '../../insight/types.js'
import { escapeHtml } from '../../text/html.js'
import type { SignState } from '../signoff/signoff.js'
import type { ReviewExample, ReviewText } from './review.js'

/** The words of the review page: its readers know the product, not the program. */
export const localeNames: Readonly<Record<Locale, string>> = { 'zh-CN': 'Chinese', 'en-US': 'English', es: 'Spanish' }

export const metricNames: Readonly<Record<Metric, string>> = {
  activity: 'Activity',
  rest: 'Rest',
  hr: 'Heart rate',
  hrv: 'Heart rate variability',
  rr: 'Breathing rate',
  bark: 'Barking',
}

export const windowNames: Readonly<Record<ViewWindow, string>> = { day: 'Day', week: 'Week', month: 'Month' }

export const statusNames: Readonly<Record<Status, string>> = {
  attention: 'Attention',
  normal: 'Normal',
  observation: 'Observation',
  insufficient_data: 'Insufficient data',
}

export const stateNames: Readonly<Record<SignState, string>> = {
  signed: 'Signed off',
  changed: 'Changed since sign-off',
  stale: 'English changed since sign-off',
  unsigned: 'Never signed off',
}

/** The same for texts that the team signed, which no native reader has approved. */
const editedNames: Readonly<Record<SignState, string>> = {
  signed: 'Edited, no native approval yet',
  changed: 'Changed since the last edit, no native approval yet',
  stale: 'English changed since the last edit, no native approval yet',
  unsigned: stateNames.unsigned,
}

const sampleNames: Readonly<Record<NonNullable<ReviewText['sample']>, string>> = {
  new: 'New sample, not signed off yet',
  changed: 'Sample changed since sign-off',
}

/** Writes a day (2026-10-14), a month (2026-10) or a range of days (2026-10-12/2026-10-18) in a language. */
export function formatDate(date: string, language: string): string {
  const [start = Number.NaN, end] = date.split('/').map((day) => Date.parse(day))
  if (Number.isNaN(start)) return date
  const format = getFormat(language, date.length === 7 ? undefined : 'numeric')
  return end === undefined ? format.format(start) : format.formatRange(start, end)
}

/** A format takes milliseconds to make, and a slow machine opens a page of hundreds of dates. */
const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(language: string, day: 'numeric' | undefined): Intl.DateTimeFormat {
  const name = `${language} ${day}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(language, { day, month: 'long', year: 'numeric', timeZone: 'UTC' })
  formats.set(name, made)
  return made
}

/** Replaces the dates of a text, each in a form of `formatDate`. */
export const replaceDates = (text: string, write: (date: string) => string): string =>
  text.replace(/\b\d{4}-\d\d(?:-\d\d(?:\/\d{4}-\d\d-\d\d)?)?\b/g, write)

/** Escapes a text and marks its dates: the script of the page writes them in the language of the reader. */
export const renderDates = (text: string): string =>
  replaceDates(escapeHtml(text), (date) => `<span data-date="${date}">${formatDate(date, 'en-GB')}</span>`)

type TitleParts = Pick<ReviewExample, 'metric' | 'mode' | 'period' | 'window'>

/** Returns the subject of an example: "Rest, night to 2026-10-14", "Barking, 2026-10-12/2026-10-18, so far". */
export function titleOf(subject: TitleParts): string {
  return `${metricNames[subject.metric]}, ${writePeriod(subject)}`
}

function writePeriod({ metric, mode, period, window }: TitleParts): string {
  const { endDate, isCompleted, startDate } = period
  if (window === 'day') {
    const day = `${metric === 'rest' ? 'night to ' : ''}${startDate}`
    return mode === 'last_night' ? `last ${day}` : mode === 'today_so_far' ? `${day}, so far` : day
  }
  const days = window === 'month' ? startDate.slice(0, 7) : `${startDate}/${endDate}`
  return isCompleted ? days : `${days}, so far`
}

/** Makes the first letter a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Returns the approval of a text, such as "Signed off by Ann on 2026-10-14, this version". `current` is the label of
 * this version.
 */
export function describeApproval(text: ReviewText, current: string): string {
  const { approvals, isNative, sample, state, wordings } = text
  const [latest] = approvals
  if (state === 'unsigned') return sample === undefined ? stateNames.unsigned : sampleNames[sample]
  const cause =
    state !== 'changed'
      ? ''
      : wordings.length === 0
        ? '. No wording changed: the rules did, or words that the program adds'
        : `, because of ${wordings.join(', ')}`
  if (!isNative || latest === undefined) return editedNames[state] + cause
  const { by, date, ruleVersion } = latest
  return `${stateNames[state]} by ${by} on ${date}, ${ruleVersion === current ? 'this version' : ruleVersion}${cause}`
}
