import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { explain, generate } from '../../src/insight/index.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { buildPayload, changePayload } from '../helpers/payloads.js'
import { day } from './rules/rows.js'

const explanation = suite('explain')
const copy = await loadInsightCopy()

explanation('names every fact with its path in the payload', () => {
  for (const { name, payload } of insightFixtures) {
    const { facts } = explain(payload, { copy })
    for (const { path, value } of facts) {
      if (path === undefined || /^not |^none/.test(value)) continue
      assert.is.not(readPointer(payload, path), undefined, `${name}: ${path} is not in the payload`)
    }
  }
})

explanation('lists the clauses of the text, and the reasons of those left out', () => {
  for (const { name, payload } of insightFixtures) {
    const { summary } = generate(payload, { copy })
    for (const clause of explain(payload, { copy }).clauses) {
      const said = clause.reason.match(/^"(.*)"(, because .*)?$/)?.[1]
      if (!clause.shown) assert.not.match(clause.reason, /^"/)
      else if (said !== undefined) assert.ok(summary.includes(said), `${name} ${clause.name}: ${said}`)
      else assert.match(clause.reason, /^chooses the words for "/)
    }
  }
})

explanation('says that advice is left out because the direction does not count as worse', () => {
  const payload = buildPayload(day('hr', { rating: 'high', attentionDays: 1, deteriorating: false }))
  const { clauses, facts } = explain(payload, { copy })
  const advice = clauses.find(({ name }) => name === 'advice')
  assert.is(advice?.shown, false)
  assert.is(advice?.reason, 'the status is not attention; deteriorating is false')
  assert.ok(facts.some(({ name, value }) => name === 'deteriorating' && value === 'false'))
})

explanation('names the supplement that replaces another', () => {
  const payload = buildPayload(
    day('rest', { rating: null, comparison: null, baselineProgress: { validDays: 3, requiredDays: 7 } }),
  )
  const worn = { '/metrics/night/wearingMinutes': 100, '/metrics/night/nightRest/minutes': 90 }
  const { clauses } = explain(changePayload(payload, worn), { copy })
  assert.is(clauses.find(({ name }) => name === 'wearHint')?.reason, 'baselineProgress comes first')
})

explanation('names the catalog texts of each part, outermost first', () => {
  const payload = buildPayload(
    day('rest', { rating: 'Poor', attentionDays: 1, comparison: { restRatingFactors: ['duration'] } }),
  )
  const { clauses, statusReason } = explain(payload, { copy })
  const textsOf = (name: string) => clauses.find((clause) => clause.name === name)?.texts
  assert.equal(textsOf('reasons'), ['REASONS', 'FACTOR'])
  assert.equal(textsOf('fact'), ['REST_FACT', 'WAKES_LIST', 'DURATION'])
  assert.equal(textsOf('advice'), ['ADVICE_REST'])
  assert.equal(textsOf('streak'), [])
  assert.is(statusReason, 'this sentence always has it')
})

const statusReasons = [
  ['Fair', 0, undefined, 'no attention day is counted for it'],
  ['Fair', 1, undefined, 'an attention day is counted for it'],
  ['Fair', 1, false, 'deteriorating is false: it does not count as worse'],
  ['Poor', 1, false, 'deteriorating is false: it does not count as worse'],
] as const
for (const [rating, attentionDays, deteriorating, expected] of statusReasons) {
  explanation(`says of ${rating} with ${attentionDays} attention days: ${expected}`, () => {
    const judged = { rating, attentionDays, ...(deteriorating !== undefined && { deteriorating }) }
    const payload = buildPayload(day('rest', judged))
    assert.is(explain(payload, { copy }).statusReason, expected)
  })
}

explanation('lists only what the decision and the text read', () => {
  const payload = buildPayload(day('activity'))
  const paths = explain(payload, { copy }).facts.map(({ path }) => path)
  assert.ok(paths.includes('/insightContext/comparison/usualLower'))
  assert.not.ok(paths.includes('/metrics/activityTime/activityMinutesGoal'), 'a past day has no use for the goal')
})

function readPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key], value)
}

explanation.run()
