import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createBranchReader } from '../../../src/copydesk/examples/branches.js'
import { findExample, findExamples, readFeatures, shownRules } from '../../../src/copydesk/examples/examples.js'
import { listStressed } from '../../../src/copydesk/examples/stress.js'
import { variations } from '../../../src/copydesk/examples/variations.js'
import {
  generate,
  type HealthDetailPayload,
  locales,
  metrics,
  scenarios,
  validate,
  viewWindows,
} from '../../../src/insight/index.js'
import type { PayloadView } from '../../../src/insight/schema.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { traceBranches } from '../../helpers/message-branches.js'
import { buildPayload, changePayload, type Mode } from '../../helpers/payloads.js'
import { reviewCopy as copy, reviewTexts } from '../../helpers/review.js'

const examples = suite('review examples')
const { patterns } = reviewTexts
const readBranches = createBranchReader(patterns)
const found = findExamples(insightFixtures, { copy, readBranches })
const shown = new Set(found.flatMap(({ payload }) => readFeatures(payload, copy, readBranches).features))

examples('shows every branch of every text, according to an independent implementation', () => {
  const { all, copy: traced, taken } = traceBranches(patterns)
  for (const { payload } of found) for (const locale of locales) generate(payload, { copy: traced, locale })
  for (const branch of all) assert.ok(taken.has(branch), String(branch))
})

const viewOf = (payload: HealthDetailPayload) => payload as unknown as PayloadView

/** Returns the side of its range that a payload claims for its number, and the side where the number is. */
function readSides({ insightContext, metrics, metric, suppliedJudgment }: PayloadView) {
  const { usualLower, usualUpper } = insightContext.comparison ?? {}
  const vital = metric === 'hr' ? 'Hr' : metric === 'hrv' ? 'Rmssd' : 'Rr'
  const night = metrics[`nightRest${vital}Average`] as { value?: number | null } | undefined
  const main = metrics.activityTime?.activityMinutes ?? metrics.barkDurationSeconds ?? night?.value
  if (typeof main !== 'number' || typeof usualUpper !== 'number') return undefined
  const rating = suppliedJudgment?.rating
  const sides: Record<string, string> = { low: 'below', high: 'above', active: 'above', frequent: 'above' }
  const turned = { '-1': 'below', '1': 'above' }[String(suppliedJudgment?.direction)]
  const said = rating === 'fluctuating' ? turned : rating == null ? undefined : (sides[rating] ?? 'within')
  return { said, is: main > usualUpper ? 'above' : main < (usualLower ?? 0) ? 'below' : 'within' }
}

examples('makes examples whose number, range, reasons and time of day agree', () => {
  for (const { id, payload } of found) {
    if (payload.viewWindow !== 'day') continue
    const sides = readSides(viewOf(payload))
    if (sides?.said !== undefined) assert.is(sides.is, sides.said, id)
    const { insightContext, metric, metrics } = viewOf(payload)
    const factors = insightContext.comparison?.restRatingFactors ?? []
    if ((metrics.night?.interruptions?.count ?? 9) < 2) assert.not.ok(factors.includes('interruptions'), id)
    const { summary } = generate(payload, { copy, locale: 'es' })
    if (/ la 1:05/.test(summary)) {
      assert.ok((metrics.activityTime?.activityMinutes ?? 0) <= 65, id)
      assert.ok((metrics.barkDurationSeconds ?? 0) <= 65 * 60, id)
      if (insightContext.mode === 'today_so_far') assert.ok((metrics.night?.nightRest?.minutes ?? 0) <= 185, id)
    }
    const value = Number(/ de (\d+)(,\d)? (?:respiraciones|ms)/.exec(summary)?.[1] ?? 30)
    assert.ok(metric === 'rr' ? value <= 40 : value >= 20, `${id}: ${summary}`)
  }
})

examples('shows every fixture and every scenario, its usual case first', () => {
  const own = found.filter(({ changes }) => changes.length === 0).map(({ id }) => id)
  assert.equal(own.sort(), insightFixtures.map(({ name }) => name).sort())
  for (const { id } of scenarios) assert.is(found.find(({ scenario }) => scenario === id)?.id, id)
})

examples(
  'derives examples that are valid without a warning, other than that of a day without a report, have a unique ID, and get their scenario',
  () => {
    for (const { id, payload, scenario } of found) {
      const { errors, warnings } = validate(payload)
      const odd = warnings.filter(({ rule }) => !shownRules.includes(rule))
      assert.equal([errors, odd], [[], []], id)
      assert.is(generate(payload, { copy }).scenario, scenario, id)
    }
    assert.is(new Set(found.map(({ id }) => id)).size, found.length)
  },
)

examples('uses every variation', () => {
  const used = new Set(found.flatMap(({ changes }) => changes))
  for (const { words } of variations) assert.ok(used.has(words), words)
})

examples('rebuilds an example from its ID', () => {
  for (const { id, payload } of found) assert.equal(findExample(id, insightFixtures), payload, id)
  for (const id of ['NONE', 'REST_NIGHT_POOR + no such change', 'BARK_TODAY + woke once']) {
    assert.is(findExample(id, insightFixtures), undefined)
  }
})

const ratings = ['normal', 'low', 'high', 'Good', 'Fair', 'Poor', 'calm', 'active', 'frequent', null]
const maybe = <Value>(...values: readonly Value[]) => fc.constantFrom(undefined, ...values)

/** Valid payloads of every kind, with every fact that may change a text. */
const payloads = fc
  .record({
    metric: fc.constantFrom(...metrics),
    viewWindow: fc.constantFrom(...viewWindows),
    mode: fc.constantFrom<Mode>('selected_window', 'today_so_far', 'last_night'),
    rating: fc.constantFrom(...ratings),
    attentionDays: fc.constantFrom(0, 1, 2),
    count: maybe(0, 1, 2),
    asOf: maybe('2026-10-17T10:00', '2026-11-03T10:00'),
    deteriorating: maybe(false, true),
    judgment: maybe(null),
    usualLower: maybe(60, 42),
    usualUpper: maybe(60, 200, 900, 7200),
    changePercent: maybe(-20, 0.1, 45),
    consecutiveUnusualDays: maybe(2, 5),
    unusualLowDays: maybe(0, 1, 2),
    unusualHighDays: maybe(0, 1),
    restRatingFactors: maybe([], ['duration'], ['nightActivity', 'longestRestBlock']),
    pageEvaluationBasis: maybe('breed', 'general'),
    goal: maybe(60, 95, 300),
    stress: fc.nat(),
  })
  .map(({ asOf, count, deteriorating, goal, judgment, mode, stress, ...choice }): HealthDetailPayload => {
    const { attentionDays, metric, rating, viewWindow, ...comparison } = choice
    const isDay = viewWindow === 'day'
    const payload = buildPayload({
      metric,
      viewWindow,
      mode: isDay ? mode : 'selected_window',
      rating,
      comparison,
      ...(rating !== null && { attentionDays }),
      ...(count !== undefined && { count }),
      ...(asOf !== undefined && !isDay && { asOf }),
      ...(deteriorating !== undefined && { deteriorating }),
      ...(judgment === null && { judgment }),
    })
    const isActivityDay = metric === 'activity' && isDay
    const stressed = listStressed(payload)
    const chosen = stressed[stress % stressed.length]?.payload ?? payload
    return isActivityDay ? changePayload(chosen, { '/metrics/activityTime/activityMinutesGoal': goal }) : chosen
  })
  .filter((payload) => validate(payload).errors.length === 0)

examples('shows every feature that a valid payload can have in its scenario', () => {
  fc.assert(
    fc.property(payloads, (payload) => {
      const missing = readFeatures(payload, copy, readBranches).features.filter((feature) => !shown.has(feature))
      assert.equal(missing, [])
    }),
    { numRuns: 1000 },
  )
})

examples.run()
