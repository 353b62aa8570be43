import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decide } from '../../src/insight/decide.js'
import { readFacts } from '../../src/insight/facts.js'
import { generate, type HealthDetailPayload, locales, scenarios, validate } from '../../src/insight/index.js'
import { readValidPayload } from '../../src/insight/reading.js'
import { fits } from '../../src/insight/scenarios.js'
import { readSituation } from '../../src/insight/situation.js'
import { changePayload } from '../helpers/payloads.js'
import { loadPlainCopy } from '../helpers/plain-copy.js'
import { truthPayloads } from '../helpers/truth-payloads.js'

const properties = suite('generate, any payload')
const copy = await loadPlainCopy()
const payloads = truthPayloads.filter((payload) => validate(payload).errors.length === 0)

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

const changeComparison = (payload: HealthDetailPayload, members: object) =>
  changePayload(
    payload,
    Object.fromEntries(
      Object.entries(members).map(([member, value]) => [`/insightContext/comparison/${member}`, value]),
    ),
  )

function summarize(payload: HealthDetailPayload) {
  const { ruleId, scenario, severity, status } = decide(readFacts(readValidPayload(payload)))
  return { ruleId, scenario: scenario.id, severity, status }
}

properties('ranges and comparisons never change the decision', () => {
  fc.assert(
    fc.property(payloads, comparisons, (payload, comparison) => {
      assert.equal(summarize(changeComparison(payload, comparison)), summarize(payload))
    }),
    { numRuns: 300 },
  )
})

properties('low and high days only select among activity sentences with attention', () => {
  const days = fc.constantFrom(null, 0, 1, 2)
  fc.assert(
    fc.property(payloads, days, days, (payload, unusualLowDays, unusualHighDays) => {
      const before = summarize(payload)
      const after = summarize(changeComparison(payload, { unusualLowDays, unusualHighDays }))
      assert.equal({ ...after, scenario: '' }, { ...before, scenario: '' })
      if (before.scenario === after.scenario) return
      assert.is(after.status, 'attention')
      assert.match(after.scenario, /^ACTIVITY_PERIOD_(MIXED|LOW|HIGH|UNUSUAL)_DAYS$/)
    }),
    { numRuns: 500 },
  )
})

properties('the locale changes only the text, and nothing changes the payload', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const before = structuredClone(payload)
      const all = locales.map((locale) => generate(payload, { copy, locale }))
      const [first, ...others] = all.map((insight) => ({ ...insight, locale: '', summary: '' }))
      for (const other of others) assert.equal(other, first)
      assert.is(new Set(all.map(({ summary }) => summary)).size, locales.length)
      assert.equal(payload, before)
    }),
    { numRuns: 200 },
  )
})

properties('every payload fits exactly one scenario', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const situation = readSituation(readFacts(readValidPayload(payload)))
      const fitting = scenarios.filter((scenario) => fits(scenario, situation)).map(({ id }) => id)
      assert.is(fitting.length, 1, `${JSON.stringify(situation)} fits ${fitting.join(', ') || 'nothing'}`)
    }),
    { numRuns: 500 },
  )
})

properties.run()
