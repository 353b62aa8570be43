import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseDate } from '../../../src/insight/calendar.js'
import type { HealthDetailPayload } from '../../../src/insight/index.js'
import { metrics } from '../../../src/insight/types.js'
import { validate } from '../../../src/insight/validate.js'
import { vitalNames } from '../../../src/insight/vitals.js'
import { generatePayloads } from '../../../src/payload-generator/generate-payloads.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { activityWeek } from './daily-facts.js'
import { thisWeek, week } from './rows.js'

const mistakes = suite('likely mistakes')

/** The last sentence of the message about each fixture. */
const sentences: Readonly<Record<string, string>> = {
  'activity-average-agrees.current-day': 'With 2026-10-14, which is not over, the mean is 176.',
  'activity-average-agrees.days-so-far': 'The sum of the 2 finished days, divided by the 3 days so far, is 146.',
  'activity-average-agrees.first-day-left-out': 'Without 2026-10-12, the first finished day, the mean is 248.83.',
  'activity-average-agrees.hours': 'In hours, the mean is 3.9.',
  'activity-average-agrees.last-day': 'The value of 2026-10-18, the last finished day, is 219.',
  'activity-average-agrees.median': 'The median of the 7 finished days is 261.',
  'activity-average-agrees.missing-as-0': 'With the 2 finished days without records counted as 0, the mean is 170.29.',
  'activity-average-agrees.one-day-later': 'From 2026-10-13 to 2026-10-14, one day later, the mean is 161.5.',
  'activity-average-agrees.seconds': 'In seconds, the mean is 1217.14.',
  'activity-average-agrees.sum': 'The sum of the 2 finished days is 438.',
  'activity-average-agrees.utc-day-open':
    'Without 2026-10-14, the last finished day, which is today in UTC, the mean is 219.',
  'activity-average-agrees.utc-day-over':
    'With 2026-10-14, which is not over in America/New_York, but is in UTC, the mean is 176.',
  'activity-average-agrees.whole-window':
    'The sum of the 2 finished days, divided by the 7 days of the window, is 62.57.',
  'activity-average-agrees.zeros-left-out': 'Without the 1 finished day of 0, the mean is 241.',
  'activity-average-without-days.current-day': 'With 2026-10-12, which is not over, the mean is 90.',
  'bark-average-agrees.milliseconds': 'In milliseconds, the mean is 70000.',
  'bark-average-agrees.minutes': 'In minutes, the mean is 7.31.',
  'day-rest-average-agrees.night-rest': 'The mean of deep rest and light movement of the nights is 507.57.',
  'night-rest-average-agrees.hours': 'In hours, the mean is 8.46.',
  'night-rest-average-agrees.light-movement':
    'The mean of metrics.nightlyRestDurations[].lightMovementMinutes is 68.29.',
  'steps-average-agrees.activity-minutes': 'The mean of metrics.activityTime.dailyActivityMinutes is 234.',
  'steps-average-agrees.thousands': 'In thousands, the mean is 6.88.',
  'vital-all-day-average-agrees.beats-a-second': 'In beats a second, the mean is 1.29.',
  'vital-night-average-agrees.all-day': 'The mean of metrics.dailyAllDayRestHr[].allDayRestHrAverage is 77.37.',
  'vital-night-average-agrees.by-samples': 'Weighted by sampleCount, the mean is 64.11.',
  'vital-night-average-agrees.short-nights': 'With the 1 night of fewer than 4 samples, the mean is 70.',
  'vital-valid-nights-differ.all-nights': 'The number of all nights so far is 7.',
  'vital-valid-nights-differ.any-sample': 'The number of nights with any sample is 3.',
  'vital-valid-nights-differ.more-samples': 'The number of nights with more than 4 samples is 2.',
}
/** The message up to the sentence about the mistake. */
const beginning = /^.*?(was expected|must be null|have at least 4 samples)\./

mistakes('have a fixture each', () => {
  const files = ['invalid', 'warnings'].flatMap((name) =>
    readdirSync(new URL(`../../../fixtures/${name}/`, import.meta.url)),
  )
  const expected = Object.keys(sentences).map((name) => `${name}.json`)
  assert.equal(files.filter((file) => /\..*\./.test(file)).sort(), expected)
})

for (const [name, sentence] of Object.entries(sentences)) {
  mistakes(`explain ${name}`, () => {
    const folder = name.startsWith('vital-valid') ? 'warnings' : 'invalid'
    const text = readFileSync(new URL(`../../../fixtures/${folder}/${name}.json`, import.meta.url), 'utf8')
    const { errors, warnings } = validate(JSON.parse(text))
    const [{ rule, message }, ...others] = [...errors, ...warnings] as [(typeof errors)[number]]
    assert.equal([rule, others], [name.split('.')[0], []])
    assert.is(message.replace(beginning, '').trim(), sentence)
  })
}

const explain = (changes: Readonly<Record<string, unknown>>, options = thisWeek('activity')) => {
  const { errors, warnings } = validate(changePayload(buildPayload(options), changes))
  return [...errors, ...warnings].map(({ message }) => message.replace(beginning, '').trim())
}

mistakes('are not named if several give the number, or none does', () => {
  // 200 is the value of the first day, the median, and the mean without the last day.
  assert.equal(explain(activityWeek(200, 200, 500, 200), week('activity', { asOf: '2026-10-15T12:00' })), [''])
  assert.equal(explain(activityWeek(777, 200, 300, 90)), [''])
})

mistakes('are not named for a small number that is merely within the tolerance', () => {
  assert.equal(explain(activityWeek(4.2, 200, 300, 90)), ['In hours, the mean is 4.17.'])
  assert.equal(explain(activityWeek(5, 200, 300, 90)), [''])
})

mistakes('name the whole window for a count of its days so far', () => {
  const [message] = explain({ '/suppliedJudgment/judgedDays': 7 })
  assert.match(message ?? '', /only 3 days up to the date of asOf\. The whole window has 7\.$/)
})

type Values = readonly (number | null)[]

/** The average of a payload, by its pointer and its days or nights. */
interface Place {
  readonly path: string
  readonly values: Values
  /** The members that are finished. */
  readonly over: number
  readonly isNight: boolean
}

/** Reads the averages of a generated payload, without any code of the rules. */
function listAverages({ metric, period, insightContext, metrics: facts }: HealthDetailPayload): readonly Place[] {
  const at = (path: string) =>
    path.split('/').reduce((value, name) => (value as Record<string, unknown>)[name], facts as unknown)
  const column = (path: string, read: (element: never) => number | null) => (at(path) as never[]).map(read)
  const days = (path: string) => ({ values: at(path) as Values, isNight: false })
  const vital = (kind: 'dailyNights' | 'dailyDays', name: 'nightAverage' | 'allDayAverage') => {
    const names = vitalNames[metric as 'hr']
    const values = column(names[kind], (element) => element[names[name]] as number | null)
    return { path: `${names[name]}/value`, values, isNight: kind === 'dailyNights' }
  }
  const rest = (element: { deepRestMinutes: number | null; lightMovementMinutes: number | null }) =>
    element.deepRestMinutes === null ? null : element.deepRestMinutes + (element.lightMovementMinutes ?? 0)
  const places = {
    activity: () => [
      { path: 'activityTime/averageDailyActivityMinutes', ...days('activityTime/dailyActivityMinutes') },
      { path: 'steps/averageDailySteps', ...days('steps/dailySteps') },
    ],
    rest: () => [
      { path: 'nightRest/averageMinutes', values: column('nightlyRestDurations', rest), isNight: true },
      { path: 'dayRest/averageMinutes', ...days('dailyDayRestMinutes') },
    ],
    bark: () => [
      {
        path: 'averageDailyBarkDurationSeconds',
        values: column('dailyBarkDurations', (element) => element['barkDurationSeconds' as never]),
        isNight: false,
      },
    ],
    vital: () => [vital('dailyNights', 'nightAverage'), vital('dailyDays', 'allDayAverage')],
  }
  const passed = (parseDate(insightContext.asOf.slice(0, 10)) ?? 0) - (parseDate(period.startDate) ?? 0)
  return places[metric in places ? (metric as 'bark') : 'vital']().map((place) => ({
    ...place,
    over: Math.min(place.values.length, passed + (place.isNight ? 1 : 0)),
  }))
}

const known = (values: Values) => values.filter((value) => value !== null)
/** NaN without any value. */
const sum = (values: Values) => known(values).reduce((total, value) => total + value, 0 / known(values).length)
const mean = (values: Values) => sum(values) / known(values).length

/** The number that each mistake gives, and the sentence about it. */
const made: Readonly<Record<string, readonly [give: (place: Place) => number, sentence: RegExp]>> = {
  sum: [({ values, over }) => sum(values.slice(0, over)), /^The sum of the \d+ (finished days|nights) is|the sum is/],
  'missing as 0': [({ values, over }) => sum(values.slice(0, over)) / over, /counted as 0, the mean is/],
  'whole window': [
    ({ values, over }) => (over < values.length ? sum(values.slice(0, over)) / values.length : Number.NaN),
    /divided by the \d+ \w+ of the window/,
  ],
  'unfinished day': [
    ({ values, over }) => mean(values.slice(0, over + 1)),
    /^With [\d-]+, which is not over.*, the mean is/,
  ],
  'one day later': [
    ({ values, over }) => (over > 0 && values[0] !== null ? mean(values.slice(1, over + 1)) : Number.NaN),
    /one day later|^Without [\d-]+, the first/,
  ],
  'first day': [({ values, over }) => mean(values.slice(1, over)), /^Without [\d-]+, the first/],
  'last day': [({ values, over }) => mean(values.slice(0, over - 1)), /^Without [\d-]+, the last/],
  hours: [({ values, over }) => mean(values.slice(0, over)) / 60, /^In (hours|minutes|\w+ a second), the mean/],
  seconds: [({ values, over }) => mean(values.slice(0, over)) * 60, /^In seconds, the mean is/],
  'value of today': [({ values, over }) => values[over] ?? Number.NaN, /^The value of [\d-]+, which is not over/],
}

mistakes('are those that were made in generated payloads, or not named', () => {
  const explained = new Map<string, number>(Object.keys(made).map((name) => [name, 0]))
  for (const [index, [metric, viewWindow]] of metrics
    .flatMap((one) => [[one, 'week'] as const, [one, 'month'] as const])
    .entries()) {
    for (const isSoFar of [false, true]) {
      const pet = { userId: 'u', petId: 'p', name: 'Mochi', species: 'dog' } as const
      const timezone = ['Asia/Shanghai', 'America/New_York', 'UTC'][index % 3] ?? ''
      const wish = { metric, viewWindow, timezone, isSoFar, end: parseDate('2026-10-22') ?? 0 } as const
      const choice = { ...wish, seed: 7, count: 4, locale: 'en-US', pet } as const
      for (const payload of generatePayloads(choice).payloads) {
        for (const place of listAverages(payload)) {
          for (const [name, [give, sentence]] of Object.entries(made)) {
            const number = Math.round(give(place) * 10) / 10
            const path = `/metrics/${place.path}`
            if (!Number.isFinite(number)) continue
            const { errors, warnings } = validate(changePayload(payload, { [path]: number }))
            const { message = '' } =
              [...errors, ...warnings].find((one) => one.path === path && beginning.test(one.message)) ?? {}
            const said = message.replace(beginning, '').trim()
            if (said === '') continue
            assert.match(said, sentence, `${name} of ${path}: ${message}`)
            explained.set(name, (explained.get(name) ?? 0) + 1)
          }
        }
      }
    }
  }
  assert.ok(Math.min(...explained.values()) >= 5, JSON.stringify([...explained]))
})

mistakes.run()
