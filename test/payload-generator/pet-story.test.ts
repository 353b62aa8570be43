import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { tellStory } from '../../src/copydesk/story.js'
import { isSvcError } from '../../src/errors.js'
import { type HealthDetailPayload, validate } from '../../src/insight/index.js'
import { toDay } from '../../src/payload-generator/frame.js'
import { generatePetStory, type PetStoryChoice } from '../../src/payload-generator/pet-story.js'

const stories = suite('story of one pet')

const pet = { userId: 'u1', petId: 'p1', name: 'Luna', species: 'dog' } as const
const tell = (choice: Partial<PetStoryChoice> = {}) =>
  generatePetStory({
    ...{ pet, seed: 7, days: 90, end: toDay('2026-10-26'), timezone: 'Europe/Berlin', locale: 'en-US' },
    ...choice,
  })

stories('has valid pages in order of time, the same for the same choice', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']
  for (const [seed, timezone] of zones.entries()) {
    for (const species of ['dog', 'cat'] as const) {
      const pages = tell({ pet: { ...pet, species }, timezone, seed })
      for (const { date, payload } of pages) {
        assert.equal(validate(payload), { errors: [], warnings: [] }, `${date} ${payload.metric}`)
      }
      const dates = pages.map(({ date }) => date)
      assert.equal(dates, dates.toSorted())
      assert.is(new Set(pages.map(({ payload }) => payload.metric)).size, species === 'dog' ? 6 : 5)
    }
  }
  assert.equal(tell(), tell())
  assert.not.equal(tell({ seed: 8 }), tell())
  assert.not.equal(tell({ pet: { ...pet, name: 'Rex' } }), tell())
})

const startOf = ({ payload }: { readonly payload: HealthDetailPayload }) => payload.period.startDate
const countOf = ({ suppliedJudgment }: HealthDetailPayload): number => {
  const { lowRestDays, unusualDays }: Readonly<Record<string, unknown>> = { ...suppliedJudgment }
  return Number(lowRestDays ?? unusualDays ?? 0)
}

stories('counts in a week or month the unusual days that it told one by one', () => {
  const pages = tell()
  let checked = 0
  for (const { payload } of pages.filter(({ payload }) => payload.viewWindow !== 'day')) {
    const { metric, period } = payload
    const days = pages.filter(
      (page) =>
        page.payload.metric === metric &&
        page.payload.viewWindow === 'day' &&
        startOf(page) >= period.startDate &&
        startOf(page) <= period.endDate,
    )
    const unusual = days.reduce((sum, day) => sum + countOf(day.payload), 0)
    assert.is(countOf(payload), unusual, `${metric} from ${period.startDate}`)
    checked += unusual
  }
  assert.ok(checked > 20)
})

const wish = { pet: 'Luna', species: 'dog', days: '30', seed: '7', locale: 'all' } as const
const copy = await loadInsightCopy()

stories('marks what repeats, and counts it', () => {
  const { longestRun, sentences, summary, texts } = tellStory(wish, copy)
  const activity = texts.filter(({ metric, window }) => metric === 'activity' && window === 'day')
  const marks = activity.slice(0, 3).map(({ mark }) => mark)
  assert.equal(marks, ['', 'said 2 times, 2 in a row', 'said 3 times, 3 in a row'])
  assert.is(longestRun, Math.max(...texts.map(({ inARow }) => inARow)))
  assert.is(sentences, texts.filter(({ times }) => times === 1).length)
  assert.match(summary, `${texts.length} texts, ${sentences} distinct sentences apart from numbers and dates.`)
  const [{ insights } = { insights: [] }] = texts
  assert.is(insights.map(({ locale }) => locale).join(), 'zh-CN,en-US,es')
})

for (const [change, message] of [
  [{ days: '0' }, 'The number of days is "0", but must be an integer from 2 to 366.'],
  [{ seed: 'x' }, 'The seed is "x", but must be an integer from 0 to 2147483648.'],
  [{ pet: ' ' }, 'The pet needs a name of at most 40 characters.'],
] as const) {
  stories(`refuses ${JSON.stringify(change)}`, () => {
    const isExpected = (error: unknown) => isSvcError(error) && error.message === message
    assert.throws(() => tellStory({ ...wish, ...change }, copy), isExpected)
  })
}

stories.run()
