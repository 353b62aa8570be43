import { formatDate, localDay, parseDateTime } from '../calendar.js'
import { numberOf, textOf } from '../members.js'
import { isToday, type Reading } from '../reading.js'
import type { Metric } from '../types.js'
import { describeNumber, describeValue } from '../wording.js'
import type { CheckedRule } from './rule.js'

const rangedMetrics: readonly Metric[] = ['activity', 'rest', 'hr', 'hrv', 'rr']
const completeSnapshot = {
  snapshotState: 'versioned',
  snapshotId: 'snapshot-20261014-01',
  asOf: 1791963900000,
  computedAt: 1791963840000,
  sourceCompleteness: 'complete',
  sourceWatermarks: {
    posture: { cursor: null, observedThrough: 1791963480000, completeThrough: 1791963480000 },
    wear: { cursor: null, observedThrough: 1791963480000, completeThrough: 1791963480000 },
    step: { cursor: null, observedThrough: 1791963480000, completeThrough: 1791963480000 },
  },
  aggregateVersion: 'rest-aggregate-v4',
}

/** Rules of `insightContext`, apart from its mode. */
export const contextRules: readonly CheckedRule[] = [
  {
    id: 'context-required',
    severity: 'error',
    section: '4',
    sentence: 'insightContext is an object; requests without it are of the old format.',
    good: {
      insightContext: {
        mode: 'selected_window',
        asOf: '2026-10-15T10:30:00+08:00',
        factVersion: 'facts-5f0c2d91',
      },
    },
    bad: { metric: 'hr', viewWindow: 'week' },
  },
  {
    id: 'context-as-of',
    severity: 'error',
    section: '2.2',
    sentence: 'insightContext.asOf is an ISO 8601 date-time with its offset, on an existing date.',
    good: { insightContext: { asOf: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { asOf: '2026-10-14T16:05:00' } },
    check: ({ context, asOf }) => (asOf === undefined ? checkDateTime(context, 'asOf') : undefined),
  },
  {
    id: 'context-observed-through-required',
    severity: 'error',
    section: '4',
    sentence: 'The mode "today_so_far" of a day needs insightContext.observedThrough.',
    good: { insightContext: { mode: 'today_so_far', observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { mode: 'today_so_far' } },
    check: (reading) => {
      const { context, faults } = reading
      const path = '/insightContext/observedThrough'
      if (textOf(context, 'observedThrough') !== undefined || faults.has(path) || !isTodaySoFar(reading)) {
        return undefined
      }
      return {
        path,
        message: 'insightContext.observedThrough is missing; "today_so_far" needs the time of the latest report.',
        expected: 'an ISO 8601 date-time with its offset',
        actual: describeValue(context.observedThrough),
      }
    },
  },
  {
    id: 'context-observed-through',
    severity: 'error',
    section: '2.2',
    sentence: 'insightContext.observedThrough, when sent, is an ISO 8601 date-time on an existing date.',
    good: { insightContext: { observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { observedThrough: 1791965100000 } },
    check: ({ context }) => checkDateTime(context, 'observedThrough'),
  },
  {
    id: 'context-observed-through-offset',
    severity: 'warning',
    section: '2.2',
    sentence: "insightContext.observedThrough carries its offset; without one it is read in the pet's time zone.",
    good: { insightContext: { observedThrough: '2026-10-14T16:05:00+08:00' } },
    bad: { insightContext: { observedThrough: '2026-10-14T16:05:00' } },
    check: ({ context, timezone }) => {
      const text = textOf(context, 'observedThrough')
      const written = text === undefined ? undefined : parseDateTime(text)
      if (written === undefined || written.offsetMinutes !== undefined) return undefined
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is "${text}" without an offset; it is read as local time of ${timezone ?? 'the pet'}.`,
        expected: 'an ISO 8601 date-time with its offset',
        actual: describeValue(text),
      }
    },
  },
  {
    id: 'context-observed-after-today',
    severity: 'warning',
    section: '4',
    sentence: 'The local date of insightContext.observedThrough is not after that of asOf.',
    good: {
      insightContext: { asOf: '2026-10-14T16:05:00+08:00', observedThrough: '2026-10-14T15:58:00+08:00' },
    },
    bad: {
      insightContext: { asOf: '2026-10-14T16:05:00+08:00', observedThrough: '2026-10-15T00:05:00+08:00' },
    },
    check: ({ observedMs, timezone, asOf, context }) => {
      if (observedMs === undefined || timezone === undefined || asOf === undefined) return undefined
      const day = localDay(observedMs, timezone)
      if (day <= asOf.latest) return undefined
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is on ${formatDate(day)}, but asOf is on ${formatDate(asOf.inZone)}: a report cannot be later than the view.`,
        expected: `${formatDate(asOf.inZone)} or before`,
        actual: describeValue(textOf(context, 'observedThrough')),
      }
    },
  },
  {
    id: 'context-observed-before-today',
    severity: 'warning',
    section: '2.2',
    sentence: 'The latest report of "today_so_far" is of the local date of asOf, not of a day before.',
    good: {
      insightContext: {
        mode: 'today_so_far',
        asOf: '2026-10-14T16:05:00+08:00',
        observedThrough: '2026-10-14T15:58:00+08:00',
      },
    },
    bad: {
      insightContext: {
        mode: 'today_so_far',
        asOf: '2026-10-14T16:05:00+08:00',
        observedThrough: '2026-10-13T23:40:00+08:00',
      },
    },
    windows: ['day'],
    check: (reading) => {
      const { observedMs, timezone, asOf, context } = reading
      if (observedMs === undefined || timezone === undefined || asOf === undefined) return undefined
      const day = localDay(observedMs, timezone)
      if (day >= asOf.earliest || !isTodaySoFar(reading)) return undefined
      const today = formatDate(asOf.inZone)
      return {
        path: '/insightContext/observedThrough',
        message: `insightContext.observedThrough is on ${formatDate(day)} in ${timezone}, but the day is today, ${today}: nothing was reported on it yet.`,
        expected: `a time on ${today}`,
        actual: describeValue(textOf(context, 'observedThrough')),
      }
    },
  },
  {
    id: 'context-fact-version',
    severity: 'error',
    section: '2.2',
    sentence: 'insightContext.factVersion is a text.',
    good: { insightContext: { factVersion: 'facts-5f0c2d91' } },
    bad: { insightContext: { factVersion: 7 } },
  },
  {
    id: 'context-fact-version-empty',
    severity: 'warning',
    section: '2.2',
    sentence: 'insightContext.factVersion is not empty.',
    good: { insightContext: { factVersion: 'facts-5f0c2d91' } },
    bad: { insightContext: { factVersion: '' } },
    check: ({ context }) =>
      textOf(context, 'factVersion') === ''
        ? {
            path: '/insightContext/factVersion',
            message: 'insightContext.factVersion is empty, so that the archive cannot be matched with the facts.',
            expected: 'a fingerprint of the facts',
            actual: '""',
          }
        : undefined,
  },
  {
    id: 'context-source-snapshot',
    severity: 'error',
    section: '2.2',
    sentence: 'Rest carries insightContext.sourceSnapshot, an object.',
    good: { metric: 'rest', insightContext: { sourceSnapshot: { snapshotState: 'versioned' } } },
    bad: { metric: 'rest', insightContext: { sourceSnapshot: null } },
  },
  {
    id: 'context-source-snapshot-complete',
    severity: 'error',
    section: '2.2',
    sentence:
      'The snapshot of a rated rest payload is "versioned" and "complete", with its ID, times, watermarks and version.',
    good: { suppliedJudgment: { rating: 'Good' }, insightContext: { sourceSnapshot: completeSnapshot } },
    bad: {
      suppliedJudgment: { rating: 'Good' },
      insightContext: { sourceSnapshot: { ...completeSnapshot, sourceCompleteness: 'partial' } },
    },
  },
  {
    id: 'context-baseline-progress',
    severity: 'error',
    section: '2.2',
    sentence:
      'insightContext.baselineProgress, when sent, is an object whose validDays and requiredDays are numbers or null.',
    good: { insightContext: { baselineProgress: { validDays: 5, requiredDays: 14 } } },
    bad: { insightContext: { baselineProgress: { validDays: '5', requiredDays: 14 } } },
  },
  {
    id: 'comparison-object',
    severity: 'error',
    section: '2.2.1',
    sentence: 'insightContext.comparison, when sent, is an object.',
    good: { insightContext: { comparison: { changePercent: 8.4 } } },
    bad: { insightContext: { comparison: [8.4] } },
  },
  {
    id: 'comparison-number',
    severity: 'error',
    section: '2.2.1',
    sentence: 'usualLower, usualUpper and changePercent are numbers or null.',
    good: { insightContext: { comparison: { changePercent: -22.4 } } },
    bad: { insightContext: { comparison: { changePercent: '-22.4%' } } },
  },
  {
    id: 'comparison-count',
    severity: 'error',
    section: '2.2.1',
    sentence: 'consecutiveUnusualDays, unusualLowDays and unusualHighDays are whole numbers or null.',
    good: { insightContext: { comparison: { consecutiveUnusualDays: 2 } } },
    bad: { insightContext: { comparison: { consecutiveUnusualDays: 2.5 } } },
  },
  {
    id: 'comparison-range-pair',
    severity: 'error',
    section: '2.2.1',
    sentence: 'usualLower and usualUpper are sent together, apart from bark, which has only usualUpper.',
    good: { insightContext: { comparison: { usualLower: 62, usualUpper: 84 } } },
    bad: { insightContext: { comparison: { usualUpper: 84 } } },
    metrics: rangedMetrics,
    check: ({ comparison, faults }) => {
      const missing = (['usualLower', 'usualUpper'] as const).filter((name) => numberOf(comparison, name) === undefined)
      const [name] = missing
      const path = `/insightContext/comparison/${name}`
      if (missing.length !== 1 || faults.has(path)) return undefined
      const other = name === 'usualLower' ? 'usualUpper' : 'usualLower'
      return {
        path,
        message: `comparison.${name} is missing, but comparison.${other} is ${comparison[other]}: both ends of the usual range are sent, or neither.`,
        expected: `a number beside ${other}`,
        actual: describeValue(comparison[name ?? '']),
      }
    },
  },
  {
    id: 'comparison-range-order',
    severity: 'warning',
    section: '2.2.1',
    sentence: 'usualLower is not above usualUpper; a range the wrong way round is left out of the text.',
    good: { insightContext: { comparison: { usualLower: 62, usualUpper: 84 } } },
    bad: { insightContext: { comparison: { usualLower: 84, usualUpper: 62 } } },
    metrics: rangedMetrics,
    check: ({ comparison }) => {
      const [lower, upper] = [numberOf(comparison, 'usualLower'), numberOf(comparison, 'usualUpper')]
      if (lower === undefined || upper === undefined || lower <= upper) return undefined
      return {
        path: '/insightContext/comparison/usualLower',
        message: `comparison.usualLower is ${describeNumber(lower)}, above usualUpper, ${describeNumber(upper)}; the text leaves the range out.`,
        expected: `at most ${describeNumber(upper)}`,
        actual: describeNumber(lower),
      }
    },
  },
  {
    id: 'comparison-range-not-personal',
    severity: 'warning',
    section: '2.2.1',
    sentence: 'A usual range is personal; beside the basis "breed" or "general" it is left out of the text.',
    good: { insightContext: { comparison: { pageEvaluationBasis: 'breed' } } },
    bad: { insightContext: { comparison: { usualLower: 62, usualUpper: 84, pageEvaluationBasis: 'breed' } } },
    metrics: ['activity', 'hr', 'hrv', 'rr'],
    windows: ['day'],
    check: ({ comparison }) => {
      const basis = textOf(comparison, 'pageEvaluationBasis')
      if (basis === undefined || basis === 'personal') return undefined
      if (['usualLower', 'usualUpper'].some((name) => numberOf(comparison, name) === undefined)) return undefined
      return {
        path: '/insightContext/comparison/pageEvaluationBasis',
        message: `comparison.pageEvaluationBasis is "${basis}", but a usual range is sent, which is personal; the text leaves the range out.`,
        expected: '"personal"',
        actual: `"${basis}"`,
      }
    },
  },
  {
    id: 'comparison-bark-lower',
    severity: 'warning',
    section: '2.2.1',
    sentence: 'Bark has no usualLower; one that is sent is ignored.',
    good: { metric: 'bark', insightContext: { comparison: { usualUpper: 900 } } },
    bad: { metric: 'bark', insightContext: { comparison: { usualLower: 120, usualUpper: 900 } } },
    metrics: ['bark'],
    check: ({ comparison }) => {
      const lower = numberOf(comparison, 'usualLower')
      if (lower === undefined) return undefined
      return {
        path: '/insightContext/comparison/usualLower',
        message: `comparison.usualLower is ${describeNumber(lower)}, but bark has only usualUpper; it is ignored.`,
        expected: 'null or left out',
        actual: describeNumber(lower),
      }
    },
  },
  {
    id: 'comparison-rest-factors',
    severity: 'error',
    section: '2.2.1',
    sentence: 'restRatingFactors is an array of texts, or null.',
    good: { insightContext: { comparison: { restRatingFactors: ['duration'] } } },
    bad: { insightContext: { comparison: { restRatingFactors: 'duration' } } },
  },
  {
    id: 'comparison-rest-factor-unknown',
    severity: 'warning',
    section: '2.2.1',
    sentence: 'restRatingFactors are factors that the text can name; others are not mentioned.',
    good: { insightContext: { comparison: { restRatingFactors: ['duration'] } } },
    bad: { insightContext: { comparison: { restRatingFactors: ['duration', 'snoring'] } } },
    metrics: ['rest'],
    check: ({ comparison }) => {
      const factors = comparison.restRatingFactors
      if (!Array.isArray(factors)) return undefined
      const index = factors.findIndex((factor) => typeof factor === 'string' && !restFactors.has(factor))
      if (index < 0) return undefined
      const actual = describeValue(factors[index])
      return {
        path: `/insightContext/comparison/restRatingFactors/${index}`,
        message: `comparison.restRatingFactors[${index}] is ${actual}, which the text cannot name.`,
        expected: [...restFactors].map((factor) => `"${factor}"`).join(', '),
        actual,
      }
    },
  },
  {
    id: 'comparison-evaluation-basis',
    severity: 'error',
    section: '2.2.1',
    sentence: 'pageEvaluationBasis is "personal", "breed", "general" or null.',
    good: { insightContext: { comparison: { pageEvaluationBasis: 'personal' } } },
    bad: { insightContext: { comparison: { pageEvaluationBasis: 'species' } } },
  },
]

/**
 * The deduction factors that the texts name.
 * @NOTE contract: only `duration` is shown; the others are the further facts of the night.
 */
const restFactors = new Set(['duration', 'interruptions', 'nightActivity', 'longestRestBlock'])

/** Whether a payload speaks of today up to now. Where the mode is wrong for its window or day, that is another rule's. */
function isTodaySoFar({ mode, viewWindow, start, asOf }: Reading): boolean {
  if (mode !== 'today_so_far' || viewWindow === 'week' || viewWindow === 'month') return false
  return asOf === undefined || start === undefined || isToday(start, asOf)
}

function checkDateTime(context: Readonly<Record<string, unknown>>, name: string) {
  const text = textOf(context, name)
  if (text === undefined || parseDateTime(text) !== undefined) return undefined
  return {
    path: `/insightContext/${name}`,
    message: `insightContext.${name} is ${describeValue(text)}, but there is no such date or time of day.`,
    expected: 'an ISO 8601 date-time on an existing date, hours 00 to 23',
    actual: describeValue(text),
  }
}
