import type { Locale, Metric, Status, ViewWindow } from '../../insight/types.js'
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

const sampleNames: Readonly<Record<NonNullable<ReviewText['sample']>, string>> = {
  new: 'New sample, not signed off yet',
  changed: 'Sample changed since sign-off',
}

/** Writes `2026-10-14` as "14 October 2026". */
export function writeDate(date: string): string {
  const time = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(time) ? date : dateFormat.format(time)
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

type TitleParts = Pick<ReviewExample, 'metric' | 'mode' | 'period' | 'window'>

/** Returns the subject of an example: "Rest, night to 14 October 2026", "Barking, 12 – 18 October 2026, so far". */
export function titleOf(subject: TitleParts): string {
  return `${metricNames[subject.metric]}, ${writePeriod(subject)}`
}

function writePeriod({ metric, mode, period, window }: TitleParts): string {
  const { endDate, isCompleted, startDate } = period
  if (window === 'day') {
    const day = `${metric === 'rest' ? 'night to ' : ''}${writeDate(startDate)}`
    return mode === 'last_night' ? `last ${day}` : mode === 'today_so_far' ? `${day}, so far` : day
  }
  const [start, end] = [startDate, endDate].map((date) => Date.parse(`${date}T00:00:00Z`))
  const days = window === 'month' ? monthFormat.format(start) : dateFormat.formatRange(start ?? 0, end ?? 0)
  return isCompleted ? days : `${days}, so far`
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Makes the first letter a capital. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Returns a sentence such as "Signed off by Ann on 14 October 2026, this version". `current` is the label of this
 * version.
 */
export function describeApproval({ approvals, sample, state }: ReviewText, current: string): string {
  const [latest] = approvals
  if (state === 'unsigned') return sample === undefined ? stateNames.unsigned : sampleNames[sample]
  if (latest === undefined) return stateNames[state]
  const { by, date, ruleVersion } = latest
  const who = `${by} on ${writeDate(date)}, ${ruleVersion === current ? 'this version' : ruleVersion}`
  return state === 'signed' ? `Signed off by ${who}` : `${stateNames[state]} by ${who}`
}

/** Returns the approval that all texts of an example share, if they do. */
export function describeShared({ texts }: ReviewExample, current: string): string | undefined {
  const approvals = new Set(texts.map((text) => describeApproval(text, current)))
  const [approval] = approvals
  return approvals.size === 1 && texts.every(({ state }) => state === 'signed') ? approval : undefined
}
