import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decide } from '../../src/insight/decide.js'
import { readFacts } from '../../src/insight/facts.js'
import { type HealthDetailPayload, scenarios, validate } from '../../src/insight/index.js'
import { readValidPayload } from '../../src/insight/reading.js'
import { toDay } from '../../src/payload-generator/frame.js'
import { type GenerateChoice, generatePayloads } from '../../src/payload-generator/generate-payloads.js'
import { combinations } from '../helpers/payloads.js'

const generator = suite('generate payloads')

const pet = { userId: 'u1', petId: 'p1', name: 'Rex', species: 'dog' } as const
type Options = Partial<Omit<GenerateChoice, 'end'>> & { readonly end?: string }
const choose = ({ end = '2026-10-26', ...options }: Options): GenerateChoice => ({
  timezone: 'Europe/Berlin',
  end: toDay(end),
  isSoFar: false,
  seed: 7,
  locale: 'en-US',
  pet,
  count: 1,
  ...options,
})
const generate = (options: Options) => generatePayloads(choose(options)).payloads
const only = (options: Options) => generate(options)[0] as HealthDetailPayload
const scenarioOf = (payload: HealthDetailPayload) => decide(readFacts(readValidPayload(payload))).scenario.id
const says = (words: string) => (error: unknown) => error instanceof Error && error.message.includes(words)

generator('make one payload of each of the 37 scenarios, in zones whose clocks change, for both species', () => {
  const ids = scenarios.map(({ id }) => id)
  for (const timezone of [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Pacific/Apia',
  ]) {
    for (const end of ['2026-10-26', '2026-03-29', '2024-02-29', '2027-01-01']) {
      for (const species of ['dog', 'cat'] as const) {
        const payloads = generate({ scenario: 'all', timezone, end, pet: { ...pet, species } })
        const expected = species === 'dog' ? ids : ids.filter((id) => !id.startsWith('BARK'))
        assert.equal(payloads.map(scenarioOf), expected, `${timezone} ${end}`)
        for (const payload of payloads) assert.equal(validate(payload), { errors: [], warnings: [] })
      }
    }
  }
})

generator('let a cat bark only if asked to', () => {
  const cat = { ...pet, species: 'cat' } as const
  assert.not(generate({ count: 200, pet: cat }).some(({ metric }) => metric === 'bark'))
  const asked = [only({ metric: 'bark', pet: cat }), only({ scenario: 'BARK_TODAY', pet: cat })]
  for (const { metric } of asked) assert.is(metric, 'bark')
})

for (const { metric, viewWindow } of combinations) {
  generator(`make one payload of each scenario that fits ${metric} by ${viewWindow}, and random ones`, () => {
    const all = generate({ scenario: 'all', metric, viewWindow })
    assert.ok(all.length >= 3)
    const random = generate({ count: 20, metric, viewWindow })
    for (const payload of [...all, ...random]) assert.equal([payload.metric, payload.viewWindow], [metric, viewWindow])
    assert.ok(new Set(random.map(scenarioOf)).size > 1)
    assert.is(new Set(random.map((payload) => JSON.stringify(payload))).size, random.length)
  })
}

generator('make the same payloads of the same seed, and others of another', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => JSON.stringify(generate({ count: 5, seed })))
  assert.is(one, same)
  assert.is.not(one, other)
})

generator('end a day on the last day, and a week or month on it or before', () => {
  const ends = (end: string, isSoFar = false) =>
    (['day', 'week', 'month'] as const).map((viewWindow) => {
      const { startDate, endDate, isCompleted } = only({ metric: 'bark', viewWindow, end, isSoFar }).period
      return [startDate, endDate, viewWindow === 'day' || isCompleted]
    })
  assert.equal(ends('2026-10-26'), [
    ['2026-10-26', '2026-10-26', true],
    ['2026-10-19', '2026-10-25', true],
    ['2026-09-01', '2026-09-30', true],
  ])
  assert.equal(ends('2026-05-31').at(-1), ['2026-05-01', '2026-05-31', true])
  assert.equal(ends('2026-10-28', true).slice(1), [
    ['2026-10-26', '2026-11-01', false],
    ['2026-10-01', '2026-10-31', false],
  ])
})

generator('make nights as long as the clocks make them', () => {
  const night = (end: string) => {
    const payload = only({ scenario: 'REST_NIGHT_GOOD', end })
    const { startAt, endAt } = (payload.metrics as { night: { startAt: string; endAt: string } }).night
    return [startAt, endAt]
  }
  assert.equal(night('2026-10-25'), ['2026-10-24T22:00:00+02:00', '2026-10-25T08:00:00+01:00'])
  assert.equal(night('2026-03-29'), ['2026-03-28T22:00:00+01:00', '2026-03-29T08:00:00+02:00'])
})

generator('use the pet, the locale and the IDs of the caller', () => {
  const payload = only({ locale: 'es', pet: { userId: 'ann', petId: 'tom', name: 'Tom', species: 'cat' } })
  assert.equal([payload.locale, payload.userId, payload.petId], ['es', 'ann', 'tom'])
  assert.equal(payload.petProfile, { name: 'Tom', species: 'cat' })
})

const refusals: readonly (readonly [Options, message: string])[] = [
  [{ scenario: 'REST_NIGHT_GOD' }, 'REST_NIGHT_GOD is not a scenario. Did you mean REST_NIGHT_GOOD?'],
  [
    { scenario: 'ACTIVITY_DAY_HIGH', metric: 'rest', viewWindow: 'week' },
    'ACTIVITY_DAY_HIGH is not possible with --metric rest --window week: it is about a day of activity.',
  ],
  [
    { scenario: 'INSUFFICIENT_DATA', metric: 'activity', viewWindow: 'day' },
    'INSUFFICIENT_DATA is not possible with --metric activity --window day: it is about a week or month of activity.',
  ],
  [
    { scenario: 'BARK_TODAY', viewWindow: 'week' },
    'BARK_TODAY is not possible with --window week: it is about a day of barking.',
  ],
  [
    { scenario: 'BARK_PERIOD_IN_RANGE', viewWindow: 'week', isSoFar: true },
    'BARK_PERIOD_IN_RANGE is not possible for bark by week with the week so far on 2026-10-26 in Europe/Berlin: its days lead to ',
  ],
  [{ timezone: 'CST', metric: 'hr' }, 'abbreviation'],
]
for (const [options, message] of refusals) {
  generator(`refuse ${JSON.stringify(options)}`, () => {
    assert.throws(() => generate(options), says(message))
  })
}

generator('leave out the scenarios that a window so far cannot have, and say so', () => {
  const { payloads, leftOut } = generatePayloads(choose({ scenario: 'all', viewWindow: 'week', isSoFar: true }))
  assert.ok(payloads.length > 0)
  assert.ok(leftOut.some((sentence) => sentence.startsWith('REST_PERIOD_IN_RANGE is not possible')))
})

generator.run()
