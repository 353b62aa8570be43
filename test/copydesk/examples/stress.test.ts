import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stressPayload } from '../../../src/copydesk/examples/stress.js'
import { generate, locales, validate } from '../../../src/insight/index.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { reviewCopy as copy } from '../../helpers/review.js'

const stress = suite('stress')
const stressed = insightFixtures.flatMap(({ name, payload }) =>
  stressPayload(payload).map((one) => ({ name: `${name}, ${one.words}`, ...one })),
)

stress('gives every fixture names of 40 letters, of markup and of pattern characters', () => {
  for (const { name, payload } of insightFixtures) {
    const names = stressPayload(payload).map(({ payload: { petProfile } }) => petProfile.name)
    for (const part of ['W'.repeat(40), '<b ', '{name}']) assert.match(names.join('\n'), part, name)
  }
})

stress('makes valid payloads whose texts keep the name and are complete in every language', () => {
  for (const { name, payload } of stressed) {
    assert.equal(validate(payload).errors, [], name)
    for (const locale of locales) {
      const { summary } = generate(payload, { copy, locale })
      const pet = payload.petProfile.name
      assert.ok(summary.includes(pet), `${name} ${locale}: ${summary}`)
      assert.not.match(summary.replace(pet, 'X'), /[{}#]|undefined|null|NaN|\s{2}|\s[,.;]/, `${name} ${locale}`)
    }
  }
})

const says: readonly (readonly [fixture: string, words: string, expected: string])[] = [
  ['REST_NIGHT_POOR', 'wakes 0', 'did not wake'],
  ['REST_NIGHT_POOR', 'wakes 1', 'woke once,'],
  ['REST_NIGHT_POOR', 'wakes 21', 'woke 21 times'],
  ['REST_NIGHT_POOR', 'in a row 11', '11 nights in a row'],
  ['REST_NIGHT_POOR', 'in a row 1', 'slept poorly'],
  ['ACTIVITY_PERIOD_LOW_DAYS', 'change 0 %', 'about the same as'],
  ['ACTIVITY_PERIOD_LOW_DAYS', 'change 1000 %', '1,000% more'],
  ['ACTIVITY_PERIOD_LOW_DAYS', 'change -99 %', '99% less'],
  ['VITAL_TODAY.no-day-of-one-recorded', 'progress 0 of 1', 'takes 1 day of records, with none yet'],
  ['VITAL_TODAY.no-day-of-one-recorded', 'progress 1 of 2', 'takes 2 days of records, with 1 so far'],
  ['ACTIVITY_PERIOD_LOW_DAYS', 'unusual 1', 'on 1 day'],
  ['ACTIVITY_PERIOD_LOW_DAYS', 'unusual 21', 'on 21 days'],
]
for (const [fixture, words, expected] of says) {
  stress(`${fixture} with ${words} says "${expected}"`, () => {
    const found = stressed.find(({ name }) => name === `${fixture}, ${words}`)
    assert.ok(found)
    assert.match(generate(found.payload, { copy, locale: 'en-US' }).summary, expected)
  })
}

stress.run()
