import { suite } from 'uvu'
import { day, inComparison, inContext, lastNight, type RuleRow, testRows, week } from './rows.js'

const comparison = suite('comparison rules')

const rows: readonly RuleRow[] = [
  ['comparison empty', week('hr'), { [inContext('comparison')]: {} }],
  ['a pair of nulls', week('hr'), { [inComparison('usualLower')]: null, [inComparison('usualUpper')]: null }],
  ['a lower bound alone', week('hr'), { [inComparison('usualUpper')]: null }, 'comparison-range-pair'],
  ['a lower bound that is a string', week('hr'), { [inComparison('usualLower')]: '62' }, 'comparison-number'],
  ['a lower bound below zero', week('activity'), { [inComparison('usualLower')]: -5 }],
  ['equal bounds', week('hr'), { [inComparison('usualLower')]: 84 }],
  ['bounds the wrong way round', week('hr'), { [inComparison('usualLower')]: 84.1 }, '?comparison-range-order'],
  ['a lower bound of bark that is a string', day('bark'), { [inComparison('usualLower')]: 'none' }],
  ['a lower bound of bark', day('bark'), { [inComparison('usualLower')]: 60 }, '?comparison-bark-lower'],
  [
    'an upper bound of bark that is a string',
    day('bark'),
    { [inComparison('usualUpper')]: '900' },
    'comparison-number',
  ],
  ['a negative change', week('hr'), { [inComparison('changePercent')]: -22.4 }],
  ['negative consecutive days', week('hr'), { [inComparison('consecutiveUnusualDays')]: -1 }],
  ['half an unusual day', week('activity'), { [inComparison('unusualLowDays')]: 0.5 }, 'comparison-count'],
  [
    'the basis general',
    day('hr'),
    {
      [inComparison('pageEvaluationBasis')]: 'general',
      [inComparison('usualLower')]: null,
      [inComparison('usualUpper')]: null,
    },
  ],
  [
    'the basis breed with a range',
    day('hr'),
    { [inComparison('pageEvaluationBasis')]: 'breed' },
    '?comparison-range-not-personal',
  ],
  ['the basis breed with a range in a week', week('hr'), { [inComparison('pageEvaluationBasis')]: 'breed' }],
  ['another basis', day('hr'), { [inComparison('pageEvaluationBasis')]: 'Personal' }, 'comparison-evaluation-basis'],
  ['factors null', lastNight(), { [inComparison('restRatingFactors')]: null }],
  [
    'factors that texts name',
    lastNight({ rating: 'Fair' }),
    { [inComparison('restRatingFactors')]: ['duration', 'interruptions', 'nightActivity', 'longestRestBlock'] },
  ],
  [
    'a factor unknown',
    lastNight({ rating: 'Fair' }),
    { [inComparison('restRatingFactors')]: ['snoring'] },
    '?comparison-rest-factor-unknown',
  ],
  [
    'a factor that is a number',
    lastNight({ rating: 'Fair' }),
    { [inComparison('restRatingFactors')]: ['duration', 2] },
    'comparison-rest-factors',
  ],
]
testRows(comparison, rows)

comparison.run()
