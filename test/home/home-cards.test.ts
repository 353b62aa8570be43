import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadHomeCopy } from '../../src/catalog/catalog.js'
import { homeCardTypes } from '../../src/home/card-types.js'
import type { HomeFacts } from '../../src/home/facts.js'
import { generateHomeCards, type HomeInput, homeCardsAtMost } from '../../src/home/home.js'
import { locales } from '../../src/insight/index.js'
import { assertGolden } from '../helpers/golden.js'
import { buildDay, homeDays } from '../helpers/home-days.js'

const home = suite('home cards')
const copy = await loadHomeCopy()
const typesOf = (facts: HomeFacts, day: Partial<HomeInput> = {}) =>
  generateHomeCards(buildDay({ ...day, facts }), copy).map(({ type }) => type)
const bodyOf = (day: Parameters<typeof buildDay>[0]) => generateHomeCards(buildDay(day), copy)[0]?.body ?? ''

home('matches the approved cards of all days in all languages', () => {
  const lines = homeDays.flatMap(([title, day]) => [
    title,
    ...locales.flatMap((locale) =>
      generateHomeCards(buildDay({ ...day, locale }), copy).map(
        (card) => `  ${locale}  ${card.type} ${card.priority}: ${card.title} | ${card.body}`,
      ),
    ),
  ])
  assertGolden('home-cards.txt', `${lines.join('\n')}\n`)
})

home('covers every type of card', () => {
  const seen = new Set(homeDays.flatMap(([, { facts = {} }]) => typesOf(facts)))
  assert.equal([...seen].sort(), [...homeCardTypes].sort())
})

const fullest = homeDays.at(-1)?.[1].facts ?? {}
const choices: readonly (readonly [title: string, HomeFacts, readonly string[]])[] = [
  ['the five most important', fullest, ['birthday', 'adoption_day', 'weather', 'diary', 'goal_reached']],
  ['a welcome without facts', {}, ['welcome']],
  ['a welcome for facts without meaning', { weather: 'plague of frogs', streak_days: 1, rest_minutes: 0 }, ['welcome']],
  ['no card for null', { weather: null, activity_minutes: null, birthday: null, diary_id: null }, ['welcome']],
  ['a diary with an ID', { diary_id: 'd1' }, ['diary']],
  ['no diary before it is ready', { diary_id: 'd1', diary_ready: false }, ['welcome']],
  ['a goal that is met exactly', { activity_minutes: 60, activity_goal_minutes: 60 }, ['goal_reached']],
  ['a goal that is met after rounding', { activity_minutes: 59.5, activity_goal_minutes: 60 }, ['goal_reached']],
  ['a goal that is not met', { activity_minutes: 59.4, activity_goal_minutes: 60 }, ['activity']],
  ['no goal for a goal of 0', { activity_minutes: 5, activity_goal_minutes: 0 }, ['activity']],
  ['no goal without activity', { activity_goal_minutes: 60 }, ['welcome']],
  ['a streak from 2 days', { streak_days: 2 }, ['streak']],
  ['no bark card for seconds without a count', { bark_minutes: 0.4 }, ['welcome']],
]
for (const [title, facts, expected] of choices) {
  home(`gives ${title}`, () => assert.equal(typesOf(facts), expected))
}

home('writes one full stop after a name that ends in one', () => {
  const day = { petName: 'Toby Jr.', facts: { birthday: '06-16' }, date: '2026-06-16', locale: 'es' } as const
  assert.is(bodyOf(day), 'Hoy es el cumpleaños de Toby Jr. ¡Que vengan muchos momentos felices más!')
})

home('groups digits of a large count as the language does', () => {
  const barks = (locale: 'en-US' | 'zh-CN' | 'es', bark_count: number) => bodyOf({ facts: { bark_count }, locale })
  assert.is(barks('en-US', 1234), 'Mochi has barked 1,234 times today.')
  assert.is(barks('zh-CN', 1234), 'Mochi今天叫了1,234次。')
  // Spanish groups digits from five digits on.
  assert.is(barks('es', 1234), 'Mochi ha ladrado 1234 veces hoy.')
  assert.is(barks('es', 12345), 'Mochi ha ladrado 12.345 veces hoy.')
})

home('ignores barks of a cat', () => {
  assert.equal(typesOf({ bark_count: 3 }, { species: 'cat' }), ['welcome'])
  assert.equal(typesOf({ bark_count: 3 }, { species: undefined }), ['bark'])
})

const weathers: readonly (readonly [word: string | undefined, celsius: number | undefined, title: string])[] = [
  ['Thunderstorm', 31, 'Thunderstorms today'],
  ['HEAVY_RAIN', 15, 'Rain today'],
  [' light rain ', undefined, 'Rain today'],
  ['rain', 28, 'Hot out today'],
  ['rain', 3, 'Chilly out today'],
  ['snow', -5, 'Snow today'],
  ['windy', 15, 'A windy day'],
  ['sunny', undefined, 'Nice out today'],
  ['partly-cloudy', 18, 'Nice out today'],
  ['clear', 27.9, 'Nice out today'],
  ['clear', 9.9, 'Welcome!'],
  ['clear', -2, 'Chilly out today'],
  [undefined, 10, 'Nice out today'],
  [undefined, 9, 'Welcome!'],
  [undefined, 27.9, 'Nice out today'],
  [undefined, 28, 'Hot out today'],
  ['fog', 18, 'Welcome!'],
  ['fog', 35, 'Hot out today'],
  ['', undefined, 'Welcome!'],
  ['constructor', undefined, 'Welcome!'],
]
for (const [weather, temperature_celsius, title] of weathers) {
  home(`calls ${JSON.stringify(weather)} at ${temperature_celsius} degrees: ${title}`, () => {
    const [card] = generateHomeCards(buildDay({ facts: { weather, temperature_celsius } }), copy)
    assert.is(card?.title, title)
  })
}

const birthdays: readonly (readonly [birthday: string, date: string, body: string | undefined])[] = [
  ['2023-06-16', '2026-06-16', 'Mochi turns 3 today.'],
  ['2023-06-16', '2026-06-15', undefined],
  ['2023-06-16', '2026-06-17', undefined],
  ['2026-06-16', '2026-06-16', 'It’s Mochi’s birthday today.'],
  ['2027-06-16', '2026-06-16', undefined],
  ['06-16', '2026-06-16', 'It’s Mochi’s birthday today.'],
  ['2024-02-29', '2028-02-29', 'Mochi turns 4 today.'],
  ['2024-02-29', '2028-02-28', undefined],
  ['2024-02-29', '2027-02-28', 'Mochi turns 3 today.'],
  ['2024-02-29', '2027-03-01', undefined],
  ['02-29', '2027-02-28', 'It’s Mochi’s birthday today.'],
  ['02-29', '2028-02-28', undefined],
  ['02-29', '2100-02-28', 'It’s Mochi’s birthday today.'],
  ['2020-12-31', '2026-12-31', 'Mochi turns 6 today.'],
  ['2020-01-01', '2026-12-31', undefined],
  ['1986-06-16', '2026-06-16', 'Mochi turns 40 today.'],
  ['1900-06-16', '2026-06-16', 'It’s Mochi’s birthday today.'],
]
for (const [birthday, date, body] of birthdays) {
  home(`${body === undefined ? 'does not congratulate' : 'congratulates'} a pet born on ${birthday} on ${date}`, () => {
    const said = bodyOf({ date, facts: { birthday } })
    if (body === undefined) assert.match(said, 'moment at a time')
    else assert.match(said, body.replaceAll('’', "'"))
  })
}

home('counts years from the adoption date, and welcomes on the day itself', () => {
  const title = (adoption_date: string) =>
    generateHomeCards(buildDay({ date: '2027-02-28', facts: { adoption_date } }), copy)[0]?.title
  assert.equal(['2027-02-28', '2026-02-28', '2024-02-29', '2028-02-28', '1950-02-28', '2027-02-27'].map(title), [
    'Welcome home!',
    '1 year together',
    '3 years together',
    'Welcome!',
    'Welcome!',
    'Welcome!',
  ])
})

const names: readonly (readonly [what: string, sent: string | undefined, said: string])[] = [
  ['braces and hashes unchanged', '{name} # {x', '{name} # {x has barked once today.'],
  ['markup unchanged', '<b>"Mo"</b>', '<b>"Mo"</b> has barked once today.'],
  ['replacement patterns unchanged', '$& $1', '$& $1 has barked once today.'],
  ['line breaks as a space', ' Mo\r\n\u2028chi\u0000 ', 'Mo chi has barked once today.'],
  ['no direction overrides', '\u202Eihcom\u2069', 'ihcom has barked once today.'],
  ['complete emoji', '👩‍🦰🐶', '👩‍🦰🐶 has barked once today.'],
  ['no lone surrogates', 'Mo\uD83Dchi', 'Mo chi has barked once today.'],
  ['white space as no name', ' \u2029\t ', 'Your dog has barked once today.'],
  ['a lower-case first letter unchanged', 'mochi', 'mochi has barked once today.'],
  ['the species instead of a missing name', undefined, 'Your dog has barked once today.'],
]
for (const [what, petName, said] of names) {
  home(`writes ${what} in a name`, () => assert.is(bodyOf({ petName, facts: { bark_count: 1 } }), said))
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const dates = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const minutes = optional(fc.double({ min: 0, max: 1440, noNaN: true }))
const facts: fc.Arbitrary<HomeFacts> = fc.record({
  activity_minutes: minutes,
  activity_goal_minutes: minutes,
  streak_days: optional(fc.nat(36_500)),
  rest_minutes: minutes,
  bark_count: optional(fc.nat(100_000)),
  bark_minutes: minutes,
  weather: optional(fc.oneof(fc.string(), fc.constantFrom('rain', 'SNOW', 'clear', '__proto__'))),
  temperature_celsius: optional(fc.double({ min: -90, max: 60, noNaN: true })),
  diary_ready: optional(fc.boolean()),
  diary_id: optional(fc.string({ minLength: 1 })),
  birthday: optional(
    fc.oneof(
      dates,
      dates.map((date) => date.slice(5)),
    ),
  ),
  adoption_date: optional(dates),
})
const days: fc.Arbitrary<HomeInput> = fc.record({
  userId: fc.string({ unit: 'binary' }),
  petId: fc.string(),
  petName: optional(fc.string({ unit: 'grapheme' })),
  species: optional(fc.constantFrom('dog', 'cat')),
  locale: fc.constantFrom(...locales),
  date: dates,
  facts,
})

home('gives 1 to 5 complete cards by falling priority for every day, and the same cards again', () => {
  fc.assert(
    fc.property(days, (day) => {
      const cards = generateHomeCards(day, copy)
      assert.ok(cards.length >= 1 && cards.length <= homeCardsAtMost)
      for (const [index, card] of cards.entries()) {
        assert.ok(index === 0 || card.priority < (cards[index - 1]?.priority ?? 0))
        assert.ok(card.title !== '' && card.body !== '')
        assert.not.match(`${card.title} ${card.body}`, /undefined|NaN|[\n\r]/)
      }
      const shuffled = { ...day, facts: Object.fromEntries(Object.entries(day.facts).reverse()) }
      assert.equal(generateHomeCards(shuffled, copy), cards)
    }),
    { numRuns: 200 },
  )
})

home('gives cards of two days the same identity only if they show the same', () => {
  const seen = new Map<string, string>()
  fc.assert(
    fc.property(days, (day) => {
      for (const { identity, ...card } of generateHomeCards(day, copy)) {
        const shown = JSON.stringify([day.userId, day.petId, day.locale, day.date, card])
        assert.is(seen.get(identity) ?? shown, shown)
        seen.set(identity, shown)
      }
    }),
    { numRuns: 200 },
  )
})

home('keeps the identity of cards that do not use a changed fact', () => {
  const identities = (activity_minutes: number) =>
    generateHomeCards(buildDay({ facts: { birthday: '06-16', activity_minutes } }), copy).map(
      ({ identity }) => identity,
    )
  const [birthday, activity] = identities(20)
  assert.equal(identities(20.4), [birthday, activity])
  assert.is(identities(21)[0], birthday)
  assert.is.not(identities(21)[1], activity)
})

const others: readonly (readonly [what: string, Partial<HomeInput>])[] = [
  ['user', { userId: 'u2' }],
  ['pet', { petId: 'p2' }],
  ['language', { locale: 'es' }],
  ['date', { date: '2026-06-17' }],
  ['name', { petName: 'Rex' }],
  ['diary', { facts: { diary_id: 'd2' } }],
]
for (const [what, other] of others) {
  home(`makes another card for another ${what}`, () => {
    const identity = (day: Partial<HomeInput>) =>
      generateHomeCards(buildDay({ facts: { diary_id: 'd1' }, ...day }), copy)[0]?.identity
    assert.is.not(identity(other), identity({}))
  })
}

home('makes another card of different texts', () => {
  const [one, other] = [copy, { ...copy, version: 'next' }].map((texts) => generateHomeCards(buildDay(), texts)[0])
  assert.is.not(one?.identity, other?.identity)
})

home.run()
