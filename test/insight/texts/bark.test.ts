import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, validate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts of barking')

texts('says "less than 1 min" for a few seconds of barking, and of a limit', () => {
  const payload = buildPayload({ metric: 'bark', viewWindow: 'day', comparison: { usualUpper: 12 } })
  const { summary } = generate(changePayload(payload, { '/metrics/barkDurationSeconds': 29 }), { copy })
  assert.match(summary, 'barked less than 1 min (14 times)')
  assert.match(summary, '(usually less than 1 min a day)')
})

texts('says that a calm week was silent only if each day has records', () => {
  const { metrics } = buildPayload({ metric: 'bark', viewWindow: 'week' }) as unknown as {
    metrics: { dailyBarkDurations: { date: string }[] }
  }
  const days = (known: number) =>
    metrics.dailyBarkDurations.map(({ date }, index) => ({ date, barkDurationSeconds: index < known ? 0 : null }))
  const say = (known: number, rating: string | null) => {
    const payload = changePayload(buildPayload({ metric: 'bark', viewWindow: 'week', name: 'Rex', rating }), {
      '/metrics/averageDailyBarkDurationSeconds': 0,
      '/metrics/averageDailyBarkEventCount': 0,
      '/metrics/dailyBarkDurations': days(known),
    })
    assert.equal(validate(payload).errors, [])
    return sayAll(payload).en
  }
  assert.is(say(7, 'calm'), 'That week, Rex did not bark.')
  assert.is(say(6, 'calm'), 'That week, no barking was recorded for Rex.')
  assert.is(say(6, null), 'That week, no barking was recorded for Rex.')
  assert.is(say(2, 'calm'), 'That week, Rex never barked clearly more than usual over the 7 days.')
  assert.is(say(2, null), 'That week, no barking was recorded for Rex, with records on only 2 days.')
})

texts('says of a day with barks too short to measure that they took less than 1 min', () => {
  for (const [options, expected] of [
    [{}, 'On October 14, Rex barked less than 1 min (4 times), no more than usual.'],
    [{ judgment: null }, 'On October 14, Rex barked less than 1 min (4 times).'],
    [{ judgment: null, mode: 'today_so_far' }, 'As of 4:05 PM, Rex has barked less than 1 min (4 times) today.'],
  ] as const) {
    const day = buildPayload({ metric: 'bark', viewWindow: 'day', name: 'Rex', comparison: null, ...options })
    const payload = changePayload(day, { '/metrics/barkDurationSeconds': 0, '/metrics/barkEventCount': 4 })
    assert.equal(validate(payload).errors, [])
    assert.is(sayAll(payload).en, expected)
  }
})

texts('says of a day without barking that is not calm which norms it was compared with', () => {
  for (const [rating, expected] of [
    ['calm', 'This page uses breed norms; on October 14, Rex did not bark.'],
    ['active', 'With breed norms as a guide, on October 14, Rex barked a little more than expected.'],
    ['frequent', 'With breed norms as a guide, on October 14, Rex barked clearly more than expected.'],
  ] as const) {
    const comparison = { pageEvaluationBasis: 'breed' }
    const day = buildPayload({ metric: 'bark', viewWindow: 'day', name: 'Rex', comparison, rating })
    const payload = changePayload(day, { '/metrics/barkDurationSeconds': 0, '/metrics/barkEventCount': 0 })
    assert.equal(validate(payload).errors, [])
    assert.ok(sayAll(payload).en.startsWith(expected), sayAll(payload).en)
  }
})

texts("leaves out a day's count of barks that rounds to 0", () => {
  const day = changePayload(buildPayload({ metric: 'bark', viewWindow: 'day', comparison: null }), {
    '/metrics/barkEventCount': 0.3,
  })
  assert.match(sayAll(day).en, /barked about \d+ min, no more than usual\./)
  const today = changePayload(
    buildPayload({ metric: 'bark', viewWindow: 'day', mode: 'today_so_far', comparison: null }),
    { '/metrics/barkEventCount': 0.49 },
  )
  for (const text of Object.values(sayAll(today))) assert.not.match(text, /[(（]/)
  const week = changePayload(buildPayload({ metric: 'bark', viewWindow: 'week' }), {
    '/metrics/averageDailyBarkEventCount': 0.3,
  })
  assert.match(sayAll(week).en, '(not every day)')
})

texts('writes a large count of barks as the language does', () => {
  const day = changePayload(buildPayload({ metric: 'bark', viewWindow: 'day' }), { '/metrics/barkEventCount': 1234 })
  const say = (locale: 'en-US' | 'zh-CN' | 'es') => generate(day, { copy, locale }).summary
  assert.match(say('en-US'), '(1,234 times)')
  assert.match(say('zh-CN'), '（1,234次）')
  assert.match(say('es'), '(1234 veces)')
})

const barkLimits = [
  ['frequent', 901, 900, 'barked about 15 min (14 times), clearly more than usual.'],
  [
    'frequent',
    930,
    900,
    'barked about 16 min (14 times), clearly more than usual (usually not above about 15 min a day).',
  ],
  ['active', 901, 900, 'barked about 15 min (14 times), a little more than usual.'],
  ['frequent', 25, 20, 'barked less than 1 min (14 times), clearly more than usual.'],
  ['frequent', 60, 0, 'barked about 1 min (14 times), clearly more than usual.'],
  ['frequent', 90, 20, 'barked about 2 min (14 times), clearly more than usual (usually less than 1 min a day).'],
  ['frequent', null, 900, 'barked clearly more than usual (usually not above about 15 min a day).'],
  ['calm', 900, 900, 'barked about 15 min (14 times), no more than usual (usually not above about 15 min a day).'],
] as const
for (const [rating, seconds, usualUpper, expected] of barkLimits) {
  texts(`says ${seconds} seconds of barking rated ${rating} above ${usualUpper} as "${expected}"`, () => {
    const payload = changePayload(
      buildPayload({ metric: 'bark', viewWindow: 'day', rating, attentionDays: 0, comparison: { usualUpper } }),
      { '/metrics/barkDurationSeconds': seconds },
    )
    const { en, es, zh } = sayAll(payload)
    assert.ok(en.includes(expected), en)
    const hasLimit = expected.includes('usually')
    assert.is(es.includes('habitual:'), hasLimit, es)
    assert.is(zh.includes('平时每天'), hasLimit, zh)
  })
}

texts('never calls a week silent that has no full day of records', () => {
  const week = changePayload(
    buildPayload({ metric: 'bark', viewWindow: 'week', name: 'Rex', asOf: '2026-10-12T10:00', judgment: null }),
    { '/metrics': { averageDailyBarkDurationSeconds: 0, dailyBarkDurations: Array(7).fill(null) } },
  )
  assert.equal(sayAll(week), {
    en: 'This week, no barking was recorded for Rex, though no full day was recorded.',
    es: 'Esta semana no se registraron ladridos de Rex, aunque no hay registros completos de ningún día.',
    zh: '本周没有记录到Rex的吠叫，不过每天的记录都不完整。',
  })
})

texts.run()
