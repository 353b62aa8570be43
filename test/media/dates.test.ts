import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSceneLibrary } from '../../src/catalog/diary.js'
import { type DateRule, dateOf, fallsOn, isDate, northernSeason } from '../../src/media/dates.js'

const dates = suite('dates of scenes')
const { scenes } = readSceneLibrary('V4.3')

function ruleOf(id: string): DateRule {
  const rule = scenes.find(({ scene_id: sceneId }) => sceneId === id)?.date_rule
  if (rule == null) throw new Error(`${id} has no date_rule`)
  return rule
}

/** Month and day in each year from 2020 to 2035, as printed in calendars. */
const floating: readonly (readonly [id: string, days: string])[] = [
  ['mlk_day', '1-20 1-18 1-17 1-16 1-15 1-20 1-19 1-18 1-17 1-15 1-21 1-20 1-19 1-17 1-16 1-15'],
  ['washingtons_birthday', '2-17 2-15 2-21 2-20 2-19 2-17 2-16 2-15 2-21 2-19 2-18 2-17 2-16 2-21 2-20 2-19'],
  ['memorial_day', '5-25 5-31 5-30 5-29 5-27 5-26 5-25 5-31 5-29 5-28 5-27 5-26 5-31 5-30 5-29 5-28'],
  ['labor_day', '9-7 9-6 9-5 9-4 9-2 9-1 9-7 9-6 9-4 9-3 9-2 9-1 9-6 9-5 9-4 9-3'],
  ['columbus_day', '10-12 10-11 10-10 10-9 10-14 10-13 10-12 10-11 10-9 10-8 10-14 10-13 10-11 10-10 10-9 10-8'],
  [
    'thanksgiving_day',
    '11-26 11-25 11-24 11-23 11-28 11-27 11-26 11-25 11-23 11-22 11-28 11-27 11-25 11-24 11-23 11-22',
  ],
  ['take_your_dog_to_work_day', '6-26 6-25 6-24 6-23 6-21 6-20 6-26 6-25 6-23 6-22 6-21 6-20 6-25 6-24 6-23 6-22'],
]
const years = Array.from({ length: 16 }, (_, index) => 2020 + index)
for (const [id, days] of floating) {
  dates(`${id} is right from 2020 to 2035`, () => {
    const expected = days.split(' ').map((day, index) => {
      const [month = '', dayOfMonth = ''] = day.split('-')
      return `${years[index]}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
    })
    assert.equal(
      years.map((year) => dateOf(ruleOf(id), year)),
      expected,
    )
  })
}

const fixed = [
  'new_years_day 01-01, juneteenth 06-19, independence_day 07-04, veterans_day 11-11, christmas_day 12-25',
  'love_your_pet_day 02-20, national_puppy_day 03-23, national_pet_day 04-11, national_kitten_day 07-10',
  'international_cat_day 08-08, national_dog_day 08-26, world_animal_day 10-04, national_cat_day 10-29',
].flatMap((line) => line.split(', ').map((rule) => rule.split(' ') as [id: string, day: string]))
for (const [id, day] of fixed) {
  dates(`${id} is on ${day} every year`, () => {
    for (const year of years.slice(1)) assert.is(dateOf(ruleOf(id), year), `${year}-${day}`)
  })
}

dates('covers every date_rule of the library', () => {
  const known = [...floating, ...fixed].map(([id]) => id).sort()
  const ruled = scenes.filter(({ date_rule: rule }) => rule !== null).map(({ scene_id: id }) => id)
  assert.equal(ruled.sort(), known)
})

dates('a federal holiday on a weekend stays on its statutory day', () => {
  // Offices were closed on Monday 2021-07-05, Friday 2021-12-24 and Monday 2022-06-20 instead.
  assert.ok(fallsOn(ruleOf('independence_day'), '2021-07-04'))
  assert.not.ok(fallsOn(ruleOf('independence_day'), '2021-07-05'))
  assert.not.ok(fallsOn(ruleOf('christmas_day'), '2021-12-24'))
  assert.not.ok(fallsOn(ruleOf('juneteenth'), '2022-06-20'))
})

dates('Juneteenth is a federal holiday since 2021', () => {
  assert.is(dateOf(ruleOf('juneteenth'), 2020), undefined)
  assert.not.ok(fallsOn(ruleOf('juneteenth'), '2020-06-19'))
  assert.ok(fallsOn(ruleOf('juneteenth'), '2021-06-19'))
})

dates('agrees with counting days over four centuries', () => {
  const names = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
  for (let year = 1800; year < 2200; year += 7) {
    for (let month = 1; month <= 12; month++) {
      const days = Array.from({ length: 31 }, (_, index) => new Date(Date.UTC(year, month - 1, index + 1))).filter(
        (date) => date.getUTCMonth() === month - 1,
      )
      for (const [number, weekday] of names.entries()) {
        const found = days.filter((date) => date.getUTCDay() === number).map((date) => date.toISOString().slice(0, 10))
        assert.is(dateOf({ kind: 'last_weekday', month, weekday }, year), found.at(-1))
        for (const nth of [1, 2, 3, 4]) {
          assert.is(dateOf({ kind: 'nth_weekday', month, weekday, nth }, year), found[nth - 1])
        }
      }
    }
  }
})

dates('days after a weekday continue into the next month', () => {
  const rule = { kind: 'nth_weekday', month: 6, weekday: 'sunday', nth: 4, plus_days: 6 } as const
  assert.is(dateOf(rule, 2026), '2026-07-04')
})

const seasons = {
  ...{ winter: ['2026-02-28', '2026-12-01'], spring: ['2026-03-01', '2026-05-31'] },
  ...{ summer: ['2026-06-01', '2026-08-31'], autumn: ['2026-09-01', '2026-11-30'] },
}
for (const [season, ends] of Object.entries(seasons))
  dates(`${ends.join(' and ')} are in ${season}`, () => assert.equal(ends.map(northernSeason), [season, season]))

dates('a date is one of the calendar, in one form', () => {
  for (const text of ['2024-02-29', '0050-01-01']) assert.ok(isDate(text), text)
  const others = ['2023-02-29', '2026-13-01', '2026-00-10', '2026-04-31', '2026-1-1', '2026-01-01T00:00:00Z', '']
  for (const text of others) assert.not(isDate(text), text)
})

dates.run()
