import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, validate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy } from './say.js'

const texts = suite('texts that the contract shows')

/** The shapes that the contract shows, word for word. Source: health detail contract, 2.6.7. */
const day = { metric: 'activity', viewWindow: 'day', name: 'Rex', timezone: 'America/New_York' } as const
const week = { metric: 'activity', viewWindow: 'week', name: 'Rex', asOf: '2026-10-17T10:00' } as const
const ranges = { usualLower: 180, usualUpper: 300 }
const shapes: readonly (readonly [string, Parameters<typeof buildPayload>[0], Record<string, unknown>, string])[] = [
  [
    'activity, today, below goal',
    { ...day, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 210, '/metrics/activityTime/activityMinutesGoal': 300 },
    'As of 4:05 PM, Rex has been active for 3 h 30 min today, 1 h 30 min short of its 5 h daily goal.',
  ],
  [
    'activity, today, goal met',
    { ...day, mode: 'today_so_far', judgment: null },
    { '/metrics/activityTime/activityMinutes': 300.5, '/metrics/activityTime/activityMinutesGoal': 300 },
    'As of 4:05 PM, Rex has been active for 5 h 1 min today, already meeting its 5 h daily goal.',
  ],
  [
    'activity, past day, high',
    { ...day, rating: 'high', attentionDays: 1, comparison: ranges },
    { '/metrics/activityTime/activityMinutes': 372 },
    'On October 14, Rex was active for 6 h 12 min, more than its usual range (3 h-5 h). Make time for calm breaks and keep fresh water within reach.',
  ],
  [
    'activity, past day, in range',
    { ...day, comparison: ranges },
    {},
    'On October 14, Rex was active for 3 h 30 min, within its usual range (3 h-5 h).',
  ],
  [
    'activity, week, mixed low and high days',
    {
      ...week,
      rating: 'fluctuating',
      attentionDays: 2,
      comparison: { changePercent: 6, unusualLowDays: 1, unusualHighDays: 1 },
    },
    {},
    'This week, Rex was less active than usual on 1 day and more active on 1 day, averaging 3 h 50 min a day, 6% more than last week. Keeping play and rest at similar times each day can help build a steadier rhythm.',
  ],
  [
    'activity, week, all judged days in range',
    { ...week, comparison: { changePercent: 12.4 } },
    {},
    "This week, Rex's activity stayed within its usual range on all 5 days, averaging 3 h 50 min a day, 12% more than last week.",
  ],
  [
    'activity, week, few days with records',
    { ...week, asOf: '2026-10-14T10:00', judgment: null, comparison: { changePercent: 12.4 } },
    {},
    'This week, Rex averaged 3 h 39 min of activity a day (only 2 days with records).',
  ],
  [
    'activity, month, low days',
    {
      metric: 'activity',
      viewWindow: 'month',
      name: 'Rex',
      rating: 'low',
      attentionDays: 1,
      comparison: { changePercent: -9, unusualLowDays: 1, unusualHighDays: 0 },
    },
    {},
    'That month, Rex was less active than usual on 1 day, averaging 4 h a day, 9% less than the month before. A little extra gentle play can add some movement to the day.',
  ],
  [
    'rest, last night, Poor, 2 consecutive',
    {
      metric: 'rest',
      viewWindow: 'day',
      name: 'Rex',
      mode: 'last_night',
      rating: 'Poor',
      attentionDays: 1,
      comparison: { restRatingFactors: ['duration'], consecutiveUnusualDays: 2 },
    },
    { '/metrics/night/nightRest/minutes': 278, '/metrics/night/interruptions/count': 7 },
    'Last night, Rex rested 4 h 38 min, woke 7 times, and slept poorly mainly because rest was shorter than usual, already 2 nights in a row. A quiet, dark spot and a calm evening can help.',
  ],
  [
    'bark, past day, frequent',
    {
      metric: 'bark',
      viewWindow: 'day',
      name: 'Rex',
      rating: 'frequent',
      attentionDays: 1,
      comparison: { usualUpper: 900 },
    },
    { '/metrics/barkDurationSeconds': 2460, '/metrics/barkEventCount': 47 },
    'On October 14, Rex barked about 41 min (47 times), clearly more than usual (usually not above about 15 min a day). Notice what sets off the barking, such as noises outside or time alone, and offer some quiet company.',
  ],
]

for (const [title, options, changes, expected] of shapes) {
  texts(`says what the contract shows: ${title}`, () => {
    const payload = changePayload(buildPayload(options), changes)
    assert.equal(validate(payload).errors, [])
    assert.is(generate(payload, { copy, locale: 'en-US' }).summary, expected)
  })
}

texts('writes the time of observedThrough in the time zone of the pet', () => {
  const payload = changePayload(
    buildPayload({
      metric: 'bark',
      viewWindow: 'day',
      mode: 'today_so_far',
      timezone: 'Asia/Kathmandu',
      asOf: '2026-10-14T17:00',
    }),
    { '/insightContext/observedThrough': '2026-10-14T10:20:59.999Z' },
  )
  assert.match(generate(payload, { copy }).summary, 'As of 4:05 PM,')
  assert.match(generate(payload, { copy, locale: 'es' }).summary, 'Según los datos hasta las 16:05,')
})

texts('writes the time of observedThrough as it is, without an offset', () => {
  const payload = buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', timezone: 'Asia/Kathmandu' })
  const sent = changePayload(payload, { '/insightContext/observedThrough': '2026-10-14T15:59' })
  assert.match(generate(sent, { copy }).summary, 'As of 3:59 PM,')
})

texts.run()
