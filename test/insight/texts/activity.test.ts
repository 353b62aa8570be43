import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts of activity')

const percents = [
  [-22.4, '22% less than'],
  [12.5, '13% more than'],
  [-12.5, '13% less than'],
  [0.49, 'about the same as'],
  [-0.49, 'about the same as'],
  [0, 'about the same as'],
  [-0, 'about the same as'],
  [1000, '1,000% more than'],
] as const
for (const [changePercent, expected] of percents) {
  texts(`says a change of ${Object.is(changePercent, -0) ? '-0' : changePercent} percent as "${expected}"`, () => {
    const payload = changePayload(buildPayload({ metric: 'activity', viewWindow: 'week' }), {
      '/insightContext/comparison/changePercent': changePercent,
    })
    assert.match(generate(payload, { copy }).summary, expected)
  })
}

texts('states a gap of at least a minute below the goal', () => {
  const payload = changePayload(
    buildPayload({ metric: 'activity', viewWindow: 'day', mode: 'today_so_far', judgment: null }),
    {
      '/metrics/activityTime/activityMinutes': 239.8,
      '/metrics/activityTime/activityMinutesGoal': 240,
    },
  )
  assert.match(generate(payload, { copy }).summary, 'for 3 h 59 min today, 1 min short of its 4 h daily goal')
})

const belowGoals = [
  [239.4, 240, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [240.2, 240.4, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [238.6, 240, 'for 3 h 59 min today, 1 min short of its 4 h'],
  [0.9, 1, 'for under 1 min today, 1 min short of its 1 min'],
  [180, 240, 'for 3 h today, 1 h short of its 4 h'],
] as const
for (const [minutes, goal, expected] of belowGoals) {
  texts(`says ${minutes} minutes below a goal of ${goal} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'day', mode: 'today_so_far', judgment: null }),
      { '/metrics/activityTime/activityMinutes': minutes, '/metrics/activityTime/activityMinutesGoal': goal },
    )
    assert.match(generate(payload, { copy }).summary, expected)
  })
}

/** The words after the value, up to the advice. */
const activityRanges = [
  ['high', 300.4, [180, 300], 'for 5 h, more than its usual range.'],
  ['high', 300, [180, 300], 'for 5 h, more than its usual range.'],
  ['high', 300.5, [180, 300], 'for 5 h 1 min, more than its usual range (3 h-5 h).'],
  ['low', 180, [180.3, 300], 'for 3 h, less than its usual range.'],
  ['low', 179.4, [180, 300], 'for 2 h 59 min, less than its usual range (3 h-5 h).'],
  ['high', 400, [299.6, 300.4], 'for 6 h 40 min, more than its usual range.'],
  ['normal', 300.4, [180, 300.4], 'for 5 h, within its usual range (3 h-5 h).'],
  ['normal', 300, [299.6, 300.4], 'for 5 h, within its usual range.'],
  ['normal', 0, [-5, 0.4], 'Mochi had no recorded activity, within its usual range.'],
  [null, 200, [300, 300], 'for 3 h 20 min.'],
  [null, 200, [180, 300], 'for 3 h 20 min (usual range 3 h-5 h).'],
] as const
for (const [rating, minutes, [usualLower, usualUpper], expected] of activityRanges) {
  texts(`says ${minutes} minutes rated ${rating} of ${usualLower} to ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'activity', viewWindow: 'day', rating, comparison: { usualLower, usualUpper } }),
      { '/metrics/activityTime/activityMinutes': minutes },
    )
    const { en, es, zh } = sayAll(payload)
    assert.ok(en.includes(expected), en)
    const hasRange = expected.includes('(')
    assert.is(es.includes('('), hasRange, es)
    assert.is(zh.includes('（'), hasRange, zh)
  })
}

texts('leaves out a decrease that reads as all of an amount that is left', () => {
  for (const [changePercent, isShown] of [
    [-99.4, true],
    [-99.5, false],
    [-100, false],
    [-120, false],
  ] as const) {
    const week = buildPayload({ metric: 'activity', viewWindow: 'week', comparison: { changePercent } })
    for (const said of Object.values(sayAll(week))) assert.is(/99\s?%/.test(said), isShown, said)
    assert.not.match(sayAll(week).en, '100%')
  }
})

texts.run()
