import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generate, validate } from '../../../src/insight/index.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { copy, sayAll } from './say.js'

const texts = suite('texts of rest')

texts('names at most two factors and skips unknown ones', () => {
  const say = (restRatingFactors: string[]) =>
    generate(
      buildPayload({
        metric: 'rest',
        viewWindow: 'day',
        rating: 'Poor',
        attentionDays: 1,
        comparison: { restRatingFactors },
      }),
      { copy },
    ).summary
  assert.match(
    say(['constructor', 'duration', 'interruptions', 'nightActivity']),
    'because rest was shorter than usual and there were more wake-ups than usual.',
  )
  assert.not.match(say(['somethingNew', '__proto__']), 'because')
})

const restless = [
  { mode: 'today_so_far', rating: null },
  { mode: 'last_night', rating: null },
  { mode: 'last_night', rating: 'Poor', attentionDays: 1 },
] as const
for (const [minutes, wakes] of [
  [0, 0],
  [0.4, 0],
  [0, 3],
] as const) {
  texts(`says nothing of ${wakes} wakes in ${minutes} minutes of rest`, () => {
    for (const options of restless) {
      const night = changePayload(buildPayload({ metric: 'rest', viewWindow: 'day', name: 'Rex', ...options }), {
        '/metrics/night/nightRest/minutes': minutes,
        '/metrics/night/interruptions/count': wakes,
      })
      assert.equal(validate(night).errors, [])
      assert.not.match(generate(night, { copy, locale: 'en-US' }).summary, /wake|woke/)
      assert.not.match(generate(night, { copy, locale: 'es' }).summary, 'despert')
      assert.not.match(generate(night, { copy, locale: 'zh-CN' }).summary, '醒')
    }
  })
}

texts('leaves 0 minutes of rest out of a rated night', () => {
  const say = (rating: string) =>
    sayAll(
      changePayload(
        buildPayload({ metric: 'rest', viewWindow: 'day', mode: 'last_night', name: 'Rex', rating, attentionDays: 0 }),
        { '/metrics/night/nightRest/minutes': 0, '/metrics/night/interruptions/count': 0 },
      ),
    ).en
  assert.is(say('Good'), 'Last night, Rex slept well.')
  assert.is(say('Fair'), 'Last night, Rex slept just okay.')
  assert.match(say('Poor'), /^Last night, Rex slept poorly\b/)
})

texts('states wakes from half a minute of rest on', () => {
  const night = changePayload(
    buildPayload({ metric: 'rest', viewWindow: 'day', name: 'Rex', rating: 'Poor', attentionDays: 1 }),
    {
      '/metrics/night/nightRest/minutes': 0.5,
      '/metrics/night/interruptions/count': 0,
    },
  )
  assert.match(generate(night, { copy }).summary, 'Rex rested 1 min, did not wake, and slept poorly')
})

texts('never gives wakes as the reason of a night without wakes', () => {
  const say = (wakes: number, restRatingFactors: string[]) =>
    sayAll(
      changePayload(
        buildPayload({
          metric: 'rest',
          viewWindow: 'day',
          name: 'Rex',
          rating: 'Poor',
          attentionDays: 1,
          deteriorating: false,
          comparison: { restRatingFactors },
        }),
        { '/metrics/night/nightRest/minutes': 300, '/metrics/night/interruptions/count': wakes },
      ),
    ).en
  assert.match(say(0, ['interruptions']), 'Rex rested 5 h, did not wake, and slept poorly.')
  assert.match(say(0.4, ['interruptions', 'duration']), 'slept poorly mainly because rest was shorter than usual.')
  assert.match(say(7, ['interruptions']), 'slept poorly mainly because there were more wake-ups than usual.')
})

texts('names a factor once', () => {
  const night = buildPayload({
    metric: 'rest',
    viewWindow: 'day',
    rating: 'Poor',
    attentionDays: 1,
    comparison: { restRatingFactors: ['duration', 'duration'] },
  })
  assert.match(generate(night, { copy }).summary, 'because rest was shorter than usual.')
})

texts('does not add short stretches to short rest, in either order', () => {
  const say = (restRatingFactors: string[]) =>
    sayAll(
      buildPayload({
        metric: 'rest',
        viewWindow: 'day',
        rating: 'Poor',
        attentionDays: 1,
        deteriorating: false,
        comparison: { restRatingFactors },
      }),
    )
  for (const factors of [
    ['duration', 'longestRestBlock'],
    ['longestRestBlock', 'duration'],
  ]) {
    assert.match(say(factors).en, / mainly because rest was shorter than usual\.$/)
    assert.match(say(factors).zh, /，主要是因为休息时间比平时短。$/)
    assert.match(say(factors).es, /, sobre todo porque descansó menos de lo habitual\.$/)
  }
  assert.match(
    say(['longestRestBlock', 'nightActivity']).en,
    / because rest came in short stretches and there was more movement than usual\.$/,
  )
})

texts.run()
