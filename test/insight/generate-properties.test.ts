import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decide } from '../../src/insight/decide.js'
import { readFacts } from '../../src/insight/facts.js'
import {
  generate,
  type HealthDetailPayload,
  locales,
  metrics,
  scenarios,
  viewWindows,
} from '../../src/insight/index.js'
import { readValidPayload } from '../../src/insight/reading.js'
import { fits } from '../../src/insight/scenarios.js'
import { readSituation } from '../../src/insight/situation.js'
import { buildPayload, changePayload, type Mode, ratings } from '../helpers/payloads.js'
import { loadPlainCopy } from '../helpers/plain-copy.js'

const properties = suite('generate, any payload')
const copy = await loadPlainCopy()

/** Members whose absence leaves a page without its main number, by metric. */
const mainMembers = {
  activity: ['/metrics/activityTime/averageDailyActivityMinutes'],
  rest: ['/metrics/night/nightRest', '/metrics/nightRest'],
  hr: ['/metrics/nightRestHrAverage', '/metrics/allDayRestHrAverage'],
  hrv: ['/metrics/nightRestRmssdAverage', '/metrics/allDayRestRmssdAverage'],
  rr: ['/metrics/nightRestRrAverage', '/metrics/allDayRestRrAverage'],
  bark: ['/metrics/barkDurationSeconds', '/metrics/averageDailyBarkDurationSeconds'],
} as const

const payloads: fc.Arbitrary<HealthDetailPayload> = fc
  .record({
    metric: fc.constantFrom(...metrics),
    viewWindow: fc.constantFrom(...viewWindows),
    modeIndex: fc.nat(2),
    ratingIndex: fc.nat(5),
    direction: fc.constantFrom(-1, 0, 1, null),
    count: fc.constantFrom(0, 1, 2, 3, 9, 10, 28),
    attentionDays: fc.constantFrom(null, 0, 1, 2),
    deteriorating: fc.constantFrom(undefined, true, false),
    hasJudgment: fc.boolean(),
    hasMain: fc.boolean(),
    goal: fc.constantFrom(undefined, null, 0, 120, 600),
    low: fc.constantFrom(undefined, null, 0, 1, 2),
    high: fc.constantFrom(undefined, null, 0, 1, 2),
    progress: fc.option(fc.record({ validDays: fc.nat(20), requiredDays: fc.nat(20) }), { nil: undefined }),
  })
  .map((choice) => {
    const { metric, viewWindow } = choice
    const modes: readonly Mode[] =
      metric === 'rest' ? ['selected_window', 'today_so_far', 'last_night'] : ['selected_window', 'today_so_far']
    const mode = viewWindow === 'day' ? modes[choice.modeIndex % modes.length] : 'selected_window'
    const rating = ratings[metric][choice.ratingIndex % ratings[metric].length] ?? null
    const days = viewWindow === 'day' ? 1 : viewWindow === 'week' ? 7 : 31
    const count = rating === null ? 0 : Math.min(choice.count, days)
    const payload = buildPayload({
      metric,
      viewWindow,
      ...(mode !== undefined && { mode }),
      rating,
      direction: choice.direction as -1 | 0 | 1 | null,
      count,
      attentionDays: rating === null || choice.attentionDays === null ? null : Math.min(choice.attentionDays, count),
      comparison: { unusualLowDays: choice.low, unusualHighDays: choice.high },
      ...(choice.deteriorating !== undefined && { deteriorating: choice.deteriorating }),
      ...(choice.progress !== undefined && { baselineProgress: choice.progress }),
      ...(!choice.hasJudgment && (metric === 'activity' || metric === 'bark') ? { judgment: null } : {}),
    })
    const isActivityDay = metric === 'activity' && viewWindow === 'day'
    return changePayload(payload, {
      ...(isActivityDay ? { '/metrics/activityTime/activityMinutesGoal': choice.goal } : {}),
      ...(choice.hasMain || isActivityDay
        ? {}
        : Object.fromEntries(mainMembers[metric].map((path) => [path, undefined]))),
    })
  })

const amount = fc.oneof(fc.constantFrom(null, undefined), fc.double({ min: 0, max: 5000, noNaN: true }))

/** All that must shape the text only: everything of the comparison but the two counts that split activity days. */
const comparisons = fc.record({
  usualLower: amount,
  usualUpper: amount,
  changePercent: fc.oneof(fc.constant(null), fc.double({ min: -100, max: 1000, noNaN: true })),
  consecutiveUnusualDays: fc.constantFrom(null, 0, 1, 2, 40),
  restRatingFactors: fc.constantFrom(null, [], ['duration'], ['nightActivity', 'interruptions', 'duration'], ['other']),
  pageEvaluationBasis: fc.constantFrom(null, 'personal', 'breed', 'general'),
})

const summarize = (payload: HealthDetailPayload) => {
  const { ruleId, scenario, severity, status } = decide(readFacts(readValidPayload(payload)))
  return { ruleId, scenario: scenario.id, severity, status }
}

properties('ranges and comparisons never change the decision', () => {
  fc.assert(
    fc.property(payloads, comparisons, (payload, comparison) => {
      const members = Object.fromEntries(
        Object.entries(comparison).map(([member, value]) => [`/insightContext/comparison/${member}`, value]),
      )
      assert.equal(summarize(changePayload(payload, members)), summarize(payload))
    }),
    { numRuns: 2000 },
  )
})

properties('low and high days only select among activity sentences with attention', () => {
  fc.assert(
    fc.property(payloads, fc.constantFrom(null, 0, 1, 2), fc.constantFrom(null, 0, 1, 2), (payload, low, high) => {
      const changed = changePayload(payload, {
        '/insightContext/comparison/unusualLowDays': low,
        '/insightContext/comparison/unusualHighDays': high,
      })
      const before = summarize(payload)
      const after = summarize(changed)
      assert.equal({ ...after, scenario: '' }, { ...before, scenario: '' })
      if (before.scenario === after.scenario) return
      assert.is(after.status, 'attention')
      assert.match(after.scenario, /^ACTIVITY_PERIOD_(MIXED|LOW|HIGH|UNUSUAL)_DAYS$/)
    }),
    { numRuns: 2000 },
  )
})

properties('the locale changes only the text', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const all = locales.map((locale) => generate(payload, { copy, locale }))
      const alike = all.map(({ generation, scenario, severity, status }) => ({
        generation,
        scenario,
        severity,
        status,
      }))
      for (const rest of alike) assert.equal(rest, alike[0])
      assert.is(new Set(all.map(({ summary }) => summary)).size, locales.length)
    }),
    { numRuns: 500 },
  )
})

properties('averages are stated as supplied, with any daily facts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 60, max: 900 }), (averageMinutes) => {
      const payload = changePayload(buildPayload({ metric: 'activity', viewWindow: 'week' }), {
        '/metrics/activityTime/averageDailyActivityMinutes': averageMinutes,
      })
      const hours = Math.floor(averageMinutes / 60)
      const minutes = averageMinutes % 60
      const duration = minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
      assert.match(generate(payload, { copy }).summary, `averaging ${duration} a day`)
    }),
  )
})

properties('every payload fits exactly one scenario, and every scenario is met', () => {
  const met = new Set<string>()
  fc.assert(
    fc.property(payloads, (payload) => {
      const situation = readSituation(readFacts(readValidPayload(payload)))
      const fitting = scenarios.filter((scenario) => fits(scenario, situation)).map(({ id }) => id)
      assert.is(fitting.length, 1, `${JSON.stringify(situation)} fits ${fitting.join(', ') || 'nothing'}`)
      met.add(fitting[0] ?? '')
    }),
    { numRuns: 20_000, seed: 37 },
  )
  assert.equal(
    scenarios.map(({ id }) => id).filter((id) => !met.has(id)),
    [],
  )
})

properties('a text of any payload has no leftovers', () => {
  fc.assert(
    fc.property(payloads, comparisons, fc.constantFrom(...locales), (payload, comparison, locale) => {
      const members = Object.fromEntries(
        Object.entries(comparison).map(([member, value]) => [`/insightContext/comparison/${member}`, value]),
      )
      const { summary } = generate(changePayload(payload, members), { copy, locale })
      assert.not.match(summary, /[{}#]|undefined|null|NaN|Infinity|\s{2}|\s[,.;]|，，|。。|\(\)|（）|-\d+%/)
    }),
    { numRuns: 3000 },
  )
})

properties('generate does not change the payload', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const before = structuredClone(payload)
      generate(payload, { copy })
      assert.equal(payload, before)
    }),
    { numRuns: 200 },
  )
})

properties.run()
