import { describeNumber, describeValue } from '../describe-value.js'
import { restFactors } from '../facts.js'
import { numberOf, textOf } from '../json-object.js'
import type { Metric } from '../types.js'
import type { CheckedRule } from './rule.js'
import { structural } from './structural.js'

const rangedMetrics: readonly Metric[] = ['activity', 'rest', 'hr', 'hrv', 'rr']

/** Rules of `insightContext.comparison`. */
export const comparisonRules: readonly CheckedRule[] = [
  ...structural('comparison-object', 'comparison-number', 'comparison-count'),
  {
    id: 'comparison-range-pair',
    severity: 'error',
    section: '2.2.1',
    sentence: 'usualLower and usualUpper are sent together, apart from bark, which has only usualUpper.',
    good: { insightContext: { comparison: { usualLower: 62, usualUpper: 84 } } },
    bad: { insightContext: { comparison: { usualUpper: 84 } } },
    metrics: rangedMetrics,
    check: ({ comparison, invalidPaths }) => {
      const hasLower = typeof comparison.usualLower === 'number'
      if (hasLower === (typeof comparison.usualUpper === 'number')) return undefined
      const [name, other] = hasLower ? (['usualUpper', 'usualLower'] as const) : (['usualLower', 'usualUpper'] as const)
      const path = `/insightContext/comparison/${name}`
      if (invalidPaths.has(path)) return undefined
      return {
        path,
        message: `comparison.${name} is missing, but comparison.${other} is ${comparison[other]}: both ends of the usual range are sent, or neither.`,
        expected: `a number, because ${other} is sent`,
        actual: describeValue(comparison[name]),
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
    sentence: 'A usual range is personal; with the basis "breed" or "general" it is left out of the text.',
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
  ...structural('comparison-rest-factors'),
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
  ...structural('comparison-evaluation-basis'),
]
