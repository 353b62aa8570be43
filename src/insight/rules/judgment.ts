import { countWords, describeValue } from '../describe-value.js'
import { numberOf, textOf } from '../json-object.js'
import type { Reading } from '../reading.js'
import { sayWholeWindow } from './likely-mistakes.js'
import { type CheckedRule, nightMetrics, periodWindows, type ViolationDetails } from './rule.js'
import { structural } from './structural.js'

/** Rules of `suppliedJudgment`. */
export const judgmentRules: readonly CheckedRule[] = [
  ...structural('judgment-object', 'judgment-rule-version', 'judgment-keys-present', 'judgment-rating'),
  ...structural('judgment-direction', 'judgment-baseline-source'),
  {
    id: 'judgment-baseline-source-unknown',
    severity: 'warning',
    section: '2.3',
    sentence: 'suppliedJudgment.baselineSource is "personal" or null.',
    good: { suppliedJudgment: { baselineSource: 'personal' } },
    bad: { suppliedJudgment: { baselineSource: 'breed' } },
    check: ({ judgment }) => {
      const source = textOf(judgment, 'baselineSource')
      if (source === undefined || source === 'personal') return undefined
      const actual = describeValue(source)
      return {
        path: '/suppliedJudgment/baselineSource',
        message: `suppliedJudgment.baselineSource is ${actual}; the only value known is "personal".`,
        expected: '"personal" or null',
        actual,
      }
    },
  },
  ...structural('judgment-deteriorating', 'judgment-rated-count', 'judgment-attention-count'),
  {
    id: 'judgment-no-rating-counts',
    severity: 'error',
    section: '4',
    sentence: 'Rest and vitals without a rating have a day count of 0, and attention days of null or 0.',
    good: { metric: 'hr', suppliedJudgment: { rating: null, judgedDays: 0, unusualDays: null } },
    bad: { metric: 'hr', suppliedJudgment: { rating: null, judgedDays: 3, unusualDays: null } },
    metrics: nightMetrics,
    check: checkUnrated,
  },
  {
    id: 'judgment-no-rating-counts-optional',
    severity: 'warning',
    section: '2.3',
    sentence: 'Activity and bark without a rating have a day count of 0, and attention days of null or 0.',
    good: { metric: 'bark', suppliedJudgment: { rating: null, judgedDays: 0, unusualDays: null } },
    bad: { metric: 'bark', suppliedJudgment: { rating: null, judgedDays: 3, unusualDays: null } },
    metrics: ['activity', 'bark'],
    check: checkUnrated,
  },
  {
    id: 'judgment-count-exceeds-window',
    severity: 'error',
    section: '4',
    sentence: 'A week or month has no more rated days than days.',
    good: { viewWindow: 'week', suppliedJudgment: { rating: 'normal', judgedDays: 7 } },
    bad: { viewWindow: 'week', suppliedJudgment: { rating: 'normal', judgedDays: 8 } },
    windows: periodWindows,
    check: (reading) => {
      const { days, judgment } = reading
      const { ratedName, attentionName } = namesOf(reading)
      const name = numberOf(judgment, ratedName) === undefined ? attentionName : ratedName
      const count = numberOf(judgment, name)
      if (count === undefined || days === undefined || judgment.rating === null || count <= days) return undefined
      return describeCount(name, count, `but the window has ${days} days.`, `at most ${days}`)
    },
  },
  {
    id: 'judgment-attention-exceeds-rated',
    severity: 'error',
    section: '4',
    sentence: 'A week or month has no more attention days than rated days.',
    good: { viewWindow: 'week', suppliedJudgment: { rating: 'low', judgedDays: 6, unusualDays: 2 } },
    bad: { viewWindow: 'week', suppliedJudgment: { rating: 'low', judgedDays: 2, unusualDays: 3 } },
    windows: periodWindows,
    check: (reading) => {
      const { ratedName, attentionName } = namesOf(reading)
      const count = numberOf(reading.judgment, ratedName)
      const attention = numberOf(reading.judgment, attentionName)
      if (count === undefined || attention === undefined || attention <= count) return undefined
      if (reading.judgment.rating === null) return undefined
      return describeCount(attentionName, attention, `but ${ratedName} is only ${count}.`, `at most ${count}`)
    },
  },
  {
    id: 'judgment-count-after-today',
    severity: 'warning',
    section: '4',
    sentence: 'The rated days of a week or month are not more than its days up to the local date of asOf.',
    good: { viewWindow: 'week', suppliedJudgment: { rating: 'normal', judgedDays: 3 } },
    bad: { viewWindow: 'week', suppliedJudgment: { rating: 'normal', judgedDays: 5 } },
    windows: periodWindows,
    check: (reading) => {
      const { start, days, asOf, judgment } = reading
      const { ratedName } = namesOf(reading)
      const count = numberOf(judgment, ratedName)
      if (start === undefined || days === undefined || asOf === undefined || count === undefined) return undefined
      const begun = Math.min(days, asOf.latest - start + 1)
      if (judgment.rating === null || start > asOf.latest || count <= begun || count > days) return undefined
      const words = `but the window has only ${countWords(begun, 'day')} up to the date of asOf.${sayWholeWindow(count, days)}`
      return describeCount(ratedName, count, words, `at most ${begun}`)
    },
  },
  {
    id: 'judgment-day-count',
    severity: 'warning',
    section: '4',
    sentence: 'A day has at most 1 rated day.',
    good: { viewWindow: 'day', suppliedJudgment: { rating: 'normal', judgedDays: 1 } },
    bad: { viewWindow: 'day', suppliedJudgment: { rating: 'normal', judgedDays: 6 } },
    windows: ['day'],
    check: (reading) => {
      const { ratedName } = namesOf(reading)
      const count = numberOf(reading.judgment, ratedName)
      if (count === undefined || count <= 1 || reading.judgment.rating === null) return undefined
      return describeCount(ratedName, count, 'but the window is one day.', '0 or 1')
    },
  },
]

const restNames = { ratedName: 'ratedNights', attentionName: 'lowRestDays' } as const
const otherNames = { ratedName: 'judgedDays', attentionName: 'unusualDays' } as const
const namesOf = ({ metric }: Reading) => (metric === 'rest' ? restNames : otherNames)

function describeCount(name: string, count: number, words: string, expected: string): ViolationDetails {
  const message = `suppliedJudgment.${name} is ${count}, ${words}`
  return { path: `/suppliedJudgment/${name}`, message, expected, actual: String(count) }
}

/** @NOTE contract: attention days without a rating are "null" in 2.3 and "0" in 4; both are accepted. */
function checkUnrated(reading: Reading): readonly ViolationDetails[] | undefined {
  const { judgment } = reading
  if (judgment.rating !== null) return undefined
  const { ratedName, attentionName } = namesOf(reading)
  return [ratedName, attentionName].flatMap((name) => {
    const count = numberOf(judgment, name) ?? 0
    const expected = name === ratedName ? '0' : 'null or 0'
    return count === 0 ? [] : describeCount(name, count, `but there is no rating; it must be ${expected}.`, expected)
  })
}
