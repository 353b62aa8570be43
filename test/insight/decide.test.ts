import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decide } from '../../src/insight/decide.js'
import { readFacts } from '../../src/insight/facts.js'
import { readValidPayload } from '../../src/insight/reading.js'
import { metricsOf, ruleIdsOf, scenarios } from '../../src/insight/scenarios.js'
import type { Metric, Status } from '../../src/insight/types.js'
import { buildPayload, changePayload, type PayloadOptions } from '../helpers/payloads.js'

const decision = suite('decision')

type Changes = Readonly<Record<string, unknown>>
type Row = readonly [
  metric: Metric,
  options: Omit<PayloadOptions, 'metric'>,
  scenario: string,
  status: Status,
  changes?: Changes,
]

const day = { viewWindow: 'day' } as const
const today = { viewWindow: 'day', mode: 'today_so_far' } as const
const lastNight = { viewWindow: 'day', mode: 'last_night' } as const
const week = { viewWindow: 'week' } as const
const month = { viewWindow: 'month' } as const
const goal = (activityMinutes: number, activityMinutesGoal: number | null | undefined) => ({
  '/metrics/activityTime/activityMinutes': activityMinutes,
  '/metrics/activityTime/activityMinutesGoal': activityMinutesGoal,
})
const split = (unusualLowDays?: number | null, unusualHighDays?: number | null) => ({
  comparison: { unusualLowDays, unusualHighDays },
})
const noAverage = { '/metrics/activityTime/averageDailyActivityMinutes': null }
const noVitals = { '/metrics/nightRestHrAverage': undefined, '/metrics/allDayRestHrAverage': undefined }
const zero = { value: 0, sampleCount: 0 }
const zeroVitals = { '/metrics/nightRestHrAverage': zero, '/metrics/allDayRestHrAverage': zero }
const noBark = { '/metrics/barkDurationSeconds': undefined }
const noNights = { '/metrics/nightRest/averageMinutes': 0 }
const noRest = { '/metrics/night/nightRest': undefined }

/** The decision procedure, row by row. Source: health detail contract, 2.2.1, 2.3, 2.6.4 and 2.6.7. */
const rows: readonly Row[] = [
  // Today: the rating is not looked at
  ['activity', today, 'ACTIVITY_TODAY_BELOW_GOAL', 'observation', goal(239.9, 240)],
  ['activity', today, 'ACTIVITY_TODAY_GOAL_MET', 'observation', goal(240, 240)],
  ['activity', today, 'ACTIVITY_TODAY_NO_GOAL', 'observation', goal(240, undefined)],
  ['activity', today, 'ACTIVITY_TODAY_NO_GOAL', 'observation', goal(240, null)],
  ['activity', today, 'ACTIVITY_TODAY_NO_GOAL', 'observation', goal(240, 0)],
  ['activity', today, 'ACTIVITY_TODAY_NO_GOAL', 'observation', goal(240, -1)],
  ['activity', today, 'ACTIVITY_TODAY_NO_GOAL', 'observation', goal(0.1, 0.4)],
  ['activity', { ...today, rating: 'high', attentionDays: 1 }, 'ACTIVITY_TODAY_BELOW_GOAL', 'observation'],
  ['rest', { ...today, rating: null }, 'REST_TODAY_IN_PROGRESS', 'observation'],
  ['rest', { ...today, rating: 'Poor', attentionDays: 1 }, 'REST_TODAY_IN_PROGRESS', 'observation'],
  ['rest', { ...today, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noRest],
  ['hr', { ...today, rating: 'high', attentionDays: 1 }, 'VITAL_TODAY', 'observation'],
  ['hr', { ...today, rating: 'high', attentionDays: 1 }, 'INSUFFICIENT_DATA', 'insufficient_data', noVitals],
  ['bark', { ...today, rating: 'frequent', attentionDays: 1 }, 'BARK_TODAY', 'observation'],
  ['bark', today, 'INSUFFICIENT_DATA', 'insufficient_data', noBark],
  // A past day, rated
  ['activity', { ...day, rating: 'normal' }, 'ACTIVITY_DAY_IN_RANGE', 'normal'],
  ['activity', { ...day, rating: 'high' }, 'ACTIVITY_DAY_HIGH', 'attention'],
  ['activity', { ...day, rating: 'low' }, 'ACTIVITY_DAY_LOW', 'attention'],
  ['activity', { ...day, rating: 'fluctuating', direction: 1 }, 'ACTIVITY_DAY_HIGH', 'attention'],
  ['activity', { ...day, rating: 'fluctuating', direction: -1 }, 'ACTIVITY_DAY_LOW', 'attention'],
  ['activity', { ...day, rating: 'fluctuating', direction: 0 }, 'ACTIVITY_DAY_UNRATED', 'observation'],
  ['activity', { ...day, rating: 'fluctuating', direction: null }, 'ACTIVITY_DAY_UNRATED', 'observation'],
  ['activity', { ...day, rating: 'low', direction: 1 }, 'ACTIVITY_DAY_LOW', 'attention'],
  ['activity', { ...day, rating: 'high', deteriorating: false }, 'ACTIVITY_DAY_HIGH', 'observation'],
  ['activity', { ...day, rating: 'high', deteriorating: true }, 'ACTIVITY_DAY_HIGH', 'attention'],
  ['rest', { ...day, rating: 'Good' }, 'REST_NIGHT_GOOD', 'normal'],
  ['rest', { ...lastNight, rating: 'Good' }, 'REST_NIGHT_GOOD', 'normal', noRest],
  ['rest', { ...day, rating: 'Fair', attentionDays: 0 }, 'REST_NIGHT_FAIR', 'observation'],
  ['rest', { ...day, rating: 'Fair', attentionDays: null }, 'REST_NIGHT_FAIR', 'observation'],
  ['rest', { ...day, rating: 'Fair', attentionDays: 1 }, 'REST_NIGHT_FAIR', 'attention'],
  ['rest', { ...day, rating: 'Fair', attentionDays: 1, deteriorating: false }, 'REST_NIGHT_FAIR', 'observation'],
  ['rest', { ...lastNight, rating: 'Poor', attentionDays: 1 }, 'REST_NIGHT_POOR', 'attention'],
  ['rest', { ...day, rating: 'Poor', attentionDays: 0 }, 'REST_NIGHT_POOR', 'attention'],
  ['hr', { ...day, rating: 'normal' }, 'VITAL_DAY_IN_RANGE', 'normal'],
  ['hrv', { ...day, rating: 'balanced' }, 'VITAL_DAY_IN_RANGE', 'normal'],
  ['rr', { ...day, rating: 'low' }, 'VITAL_DAY_OUT_OF_RANGE', 'attention'],
  ['hr', { ...day, rating: 'high' }, 'VITAL_DAY_OUT_OF_RANGE', 'attention', noVitals],
  ['hrv', { ...day, rating: 'fluctuating', direction: -1 }, 'VITAL_DAY_OUT_OF_RANGE', 'attention'],
  ['hrv', { ...day, rating: 'fluctuating', direction: 0 }, 'VITAL_DAY_UNRATED', 'observation'],
  ['hr', { ...day, rating: 'fluctuating', direction: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noVitals],
  ['bark', { ...day, rating: 'calm' }, 'BARK_DAY_CALM', 'normal'],
  ['bark', { ...day, rating: 'active', attentionDays: 0 }, 'BARK_DAY_ACTIVE', 'observation'],
  ['bark', { ...day, rating: 'active', attentionDays: 1 }, 'BARK_DAY_ACTIVE', 'attention'],
  ['bark', { ...day, rating: 'frequent' }, 'BARK_DAY_FREQUENT', 'attention', noBark],
  // A past day, not rated
  ['activity', { ...day, judgment: null }, 'ACTIVITY_DAY_UNRATED', 'observation'],
  ['activity', { ...day, rating: null }, 'ACTIVITY_DAY_UNRATED', 'observation'],
  ['rest', { ...lastNight, rating: null }, 'REST_NIGHT_UNRATED', 'observation'],
  ['rest', { ...day, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noRest],
  ['rr', { ...day, rating: null }, 'VITAL_DAY_UNRATED', 'observation'],
  ['hr', { ...day, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noVitals],
  ['hr', { ...day, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', zeroVitals],
  ['bark', { ...day, judgment: null }, 'BARK_DAY_UNRATED', 'observation'],
  ['bark', { ...day, judgment: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noBark],
  // Week and month: the counts decide, from 3 and 10 rated days on
  ['activity', { ...week, count: 3 }, 'ACTIVITY_PERIOD_IN_RANGE', 'normal'],
  ['activity', { ...week, count: 2 }, 'ACTIVITY_PERIOD_UNRATED', 'observation'],
  ['activity', { ...month, count: 10, rating: 'high' }, 'ACTIVITY_PERIOD_IN_RANGE', 'normal'],
  ['activity', { ...month, count: 9 }, 'ACTIVITY_PERIOD_UNRATED', 'observation'],
  ['activity', { ...week, judgment: null }, 'ACTIVITY_PERIOD_UNRATED', 'observation'],
  ['activity', { ...week, rating: null }, 'ACTIVITY_PERIOD_UNRATED', 'observation'],
  ['activity', { ...week, attentionDays: null }, 'ACTIVITY_PERIOD_UNRATED', 'observation'],
  ['activity', { ...week, attentionDays: 3, ...split(1, 2) }, 'ACTIVITY_PERIOD_MIXED_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 3, ...split(3, 0) }, 'ACTIVITY_PERIOD_LOW_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 3, ...split(3) }, 'ACTIVITY_PERIOD_LOW_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 3, ...split(null, 3) }, 'ACTIVITY_PERIOD_HIGH_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 3, ...split(1, 1) }, 'ACTIVITY_PERIOD_UNUSUAL_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 3, ...split() }, 'ACTIVITY_PERIOD_UNUSUAL_DAYS', 'attention'],
  ['activity', { ...week, attentionDays: 2, deteriorating: false }, 'ACTIVITY_PERIOD_UNUSUAL_DAYS', 'attention'],
  ['activity', { ...week, judgment: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noAverage],
  ['rest', { ...week, rating: 'Fair', count: 3 }, 'REST_PERIOD_IN_RANGE', 'normal'],
  ['rest', { ...month, rating: 'Good', attentionDays: 1 }, 'REST_PERIOD_LOW_NIGHTS', 'attention'],
  ['rest', { ...month, rating: null }, 'REST_PERIOD_UNRATED', 'observation'],
  ['rest', { ...month, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', { '/metrics/nightRest': undefined }],
  ['rest', { ...week, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', noNights],
  ['hrv', { ...week, rating: 'fluctuating' }, 'VITAL_PERIOD_IN_RANGE', 'normal'],
  ['hr', { ...week, attentionDays: 2 }, 'VITAL_PERIOD_UNUSUAL_DAYS', 'attention', noVitals],
  ['rr', { ...week, rating: null }, 'VITAL_PERIOD_UNRATED', 'observation'],
  ['hr', { ...week, count: 2 }, 'INSUFFICIENT_DATA', 'insufficient_data', noVitals],
  ['hr', { ...month, rating: null }, 'INSUFFICIENT_DATA', 'insufficient_data', zeroVitals],
  ['bark', { ...week, rating: 'frequent' }, 'BARK_PERIOD_IN_RANGE', 'normal'],
  ['bark', { ...month, attentionDays: 4 }, 'BARK_PERIOD_UNUSUAL_DAYS', 'attention'],
  ['bark', { ...month, judgment: null }, 'BARK_PERIOD_UNRATED', 'observation'],
]

/** The rule of a row: it says where the statement comes from. */
function ruleOf(scenario: string, { judgment, mode }: Row[1]): string {
  if (scenario === 'INSUFFICIENT_DATA') return scenario
  if (mode === 'today_so_far') return 'IN_PROGRESS_SUMMARY'
  return judgment === null ? 'FACT_SUMMARY' : 'SUPPLIED_JUDGMENT'
}

for (const [metric, options, scenario, status, changes] of rows) {
  const title = `${metric} ${JSON.stringify(options)} ${changes === undefined ? '' : JSON.stringify(changes)}`
  decision(`${title} is ${scenario}, ${status}`, () => {
    const payload = changePayload(buildPayload({ metric, ...options }), changes ?? {})
    const found = decide(readFacts(readValidPayload(payload)))
    assert.is(found.scenario.id, scenario)
    assert.is(found.status, status)
    assert.is(found.severity, status === 'attention' ? 'low' : 'none')
    assert.is(found.ruleId, `${metric.toUpperCase()}_${ruleOf(scenario, options)}`)
    assert.ok(ruleIdsOf(found.scenario).includes(found.ruleId))
    assert.ok(metricsOf(found.scenario).includes(metric))
  })
}

decision('every scenario is reached by a row above; there are 37, with 20 rule IDs', () => {
  const reached = new Set(rows.map(([, , scenario]) => scenario))
  assert.equal([...reached].sort(), scenarios.map(({ id }) => id).sort())
  assert.equal([reached.size, new Set(scenarios.flatMap(ruleIdsOf)).size], [37, 20])
})

const night = (value: number | null, sampleCount: number, allDay = { value: 74, sampleCount: 5 }) => ({
  '/metrics/nightRestHrAverage': { value, sampleCount },
  '/metrics/allDayRestHrAverage': allDay,
})
const rest = (minutes: number, wearingMinutes: number | null) => ({
  '/metrics/night/nightRest/minutes': minutes,
  '/metrics/night/wearingMinutes': wearingMinutes,
})
const values: readonly (readonly [title: string, options: Row[1], changes: Changes, main?: number])[] = [
  ['an unrated day', { ...day, rating: null }, night(70, 4), 70],
  ['an unrated day with few night samples', { ...day, rating: null }, night(70, 3), 74],
  ['today, rated, with few night samples', { ...today, rating: 'normal' }, night(70, 3), 70],
  ['a rated day with few night samples', { ...day, rating: 'normal' }, night(70, 1), 70],
  ['a week with few night samples', { ...week, rating: null }, night(70, 1), 70],
  ['a day without a night value', { ...day, rating: 'normal' }, night(null, 0), 74],
  ['a rated day with a night value of 0', { ...day, rating: 'normal' }, night(0, 9), 74],
  ['today with a night value of 0', { ...today, rating: null }, night(0, 0), 74],
  ['a week with a night value of 0', { ...week, rating: null }, night(0, 0), 74],
  ['a month with a night value that would be told as 0', { ...month, rating: null }, night(0.4, 9), 74],
  ['a day with a night value that would be told as 1', { ...day, rating: null }, night(0.5, 9), 0.5],
  ['a day whose all-day average has no samples', day, night(null, 0, { value: 74, sampleCount: 0 })],
  ['a day whose all-day average is 0', day, night(null, 0, { value: 0, sampleCount: 5 })],
  ['no rest in a night with the device worn', lastNight, rest(0, 300), 0],
  ['no rest in a night, and not how long the device was worn', lastNight, rest(0, null), 0],
  ['no rest in a night without the device', lastNight, rest(0, 0)],
  ['next to no rest in a night with next to no device', lastNight, rest(0.4, 0.4)],
  ['rest in a night without the device', lastNight, rest(12, 0), 12],
]
for (const [title, options, changes, main] of values) {
  decision(`the value of ${title} is ${main ?? 'not known'}`, () => {
    const payload = buildPayload({ metric: options === lastNight ? 'rest' : 'hr', ...options })
    assert.is(readFacts(readValidPayload(changePayload(payload, changes))).main, main)
  })
}

decision.run()
