import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts of vitals')

texts('never states a vital or the rest of a week as 0', () => {
  const zero = { value: 0, sampleCount: 0 }
  const day = buildPayload({ metric: 'hr', viewWindow: 'day', name: 'Rex', comparison: null })
  assert.is(
    sayAll(changePayload(day, { '/metrics/nightRestHrAverage': zero, '/metrics/allDayRestHrAverage/value': 74 })).en,
    "On October 14, Rex's resting heart rate was 74 beats per minute, within its usual range.",
  )
  assert.is(
    sayAll(changePayload(day, { '/metrics/nightRestHrAverage': zero, '/metrics/allDayRestHrAverage': zero })).en,
    "On October 14, Rex's resting heart rate was within its usual range.",
  )
  const week = buildPayload({ metric: 'rest', viewWindow: 'week', name: 'Rex', comparison: { changePercent: 4 } })
  assert.equal(sayAll(changePayload(week, { '/metrics/nightRest/averageMinutes': 0 })), {
    en: "That week, Rex's rest stayed within its usual range on all 7 nights.",
    es: 'Esa semana, el descanso de Rex se mantuvo dentro de su rango habitual las 7 noches.',
    zh: '当周，Rex的夜间休息在这7晚里都保持在平时水平。',
  })
})

texts('states consecutive days from 2 on only', () => {
  const say = (consecutiveUnusualDays: number) =>
    generate(
      buildPayload({
        metric: 'hr',
        viewWindow: 'day',
        rating: 'high',
        attentionDays: 1,
        comparison: { consecutiveUnusualDays },
      }),
      { copy },
    ).summary
  assert.not.match(say(1), 'in a row')
  assert.match(say(2), 'making 2 unusual days in a row')
})

const vitalRanges = [
  ['normal', 72, [71.6, 72.4], 'was 72 beats per minute, within its usual range.'],
  ['high', 73, [71.6, 72.4], 'was 73 beats per minute, above its usual range.'],
  ['high', 72.44, [71.6, 72.3], 'was 72.4 beats per minute, above its usual range (71.6-72.3).'],
  ['high', 72.6, [72.46, 72.54], 'was 73 beats per minute, above its usual range.'],
  [null, 72, [72, 72], 'was 72 beats per minute.'],
] as const
for (const [rating, value, [usualLower, usualUpper], expected] of vitalRanges) {
  texts(`says a vital of ${value} rated ${rating} of ${usualLower} to ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'hr', viewWindow: 'day', rating, comparison: { usualLower, usualUpper } }),
      { '/metrics/nightRestHrAverage/value': value },
    )
    assert.ok(sayAll(payload).en.includes(expected), sayAll(payload).en)
  })
}

texts('shows a decimal where a rounded out-of-range value would look like in range', () => {
  const say = (value: number, locale: 'en-US' | 'es') =>
    generate(
      changePayload(
        buildPayload({
          metric: 'hr',
          viewWindow: 'day',
          rating: 'low',
          attentionDays: 1,
          comparison: { usualLower: 62, usualUpper: 84 },
        }),
        { '/metrics/nightRestHrAverage/value': value },
      ),
      { copy, locale },
    ).summary
  assert.match(say(61.7, 'en-US'), 'was 61.7 beats per minute, below its usual range (62.0-84.0)')
  assert.match(say(61.7, 'es'), 'fue de 61,7 latidos por minuto, por debajo de su rango habitual (de 62,0 a 84,0)')
  assert.match(say(61.4, 'en-US'), 'was 61 beats per minute, below its usual range (62-84)')
})

texts('leaves the range out where even a decimal would make an out-of-range value look like in range', () => {
  const payload = changePayload(
    buildPayload({
      metric: 'hr',
      viewWindow: 'day',
      rating: 'high',
      attentionDays: 1,
      comparison: { usualLower: 62, usualUpper: 84 },
    }),
    { '/metrics/nightRestHrAverage/value': 84.04 },
  )
  assert.match(generate(payload, { copy }).summary, 'was 84 beats per minute, above its usual range. Keep')
})

texts('adds no range to a breed or general basis, and drops a range out of order', () => {
  const say = (more: object) =>
    generate(
      buildPayload({ metric: 'hr', viewWindow: 'day', comparison: { usualLower: 62, usualUpper: 84, ...more } }),
      { copy },
    ).summary
  assert.not.match(say({ pageEvaluationBasis: 'breed' }), '62')
  assert.not.match(say({ usualLower: 90 }), '84')
  assert.match(say({ usualLower: -5 }), '(0-84)')
})

texts.run()
