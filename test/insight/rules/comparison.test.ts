import { day, lastNight, runRules, week } from './rows.js'

const fair = lastNight({ rating: 'Fair' })
runRules('comparison rules', '/insightContext/comparison', [
  ['comparison empty', week('hr'), { '/insightContext/comparison': {} }],
  ['a pair of nulls', week('hr'), { usualLower: null, usualUpper: null }],
  ['a lower bound alone', week('hr'), { usualUpper: null }, 'comparison-range-pair'],
  ['a lower bound that is a string', week('hr'), { usualLower: '62' }, 'comparison-number'],
  ['a lower bound below zero', week('activity'), { usualLower: -5 }],
  ['equal bounds', week('hr'), { usualLower: 84 }],
  ['bounds the wrong way round', week('hr'), { usualLower: 84.1 }, '?comparison-range-order'],
  ['a lower bound of bark that is a string', day('bark'), { usualLower: 'none' }],
  ['an upper bound of bark that is a string', day('bark'), { usualUpper: '900' }, 'comparison-number'],
  ['a negative change', week('hr'), { changePercent: -22.4 }],
  ['negative consecutive days', week('hr'), { consecutiveUnusualDays: -1 }],
  ['half an unusual day', week('activity'), { unusualLowDays: 0.5 }, 'comparison-count'],
  ['the basis general', day('hr'), { pageEvaluationBasis: 'general', usualLower: null, usualUpper: null }],
  ['the basis breed with a range in a week', week('hr'), { pageEvaluationBasis: 'breed' }],
  ['another basis', day('hr'), { pageEvaluationBasis: 'Personal' }, 'comparison-evaluation-basis'],
  ['factors null', lastNight(), { restRatingFactors: null }],
  ['known factors', fair, { restRatingFactors: ['duration', 'interruptions', 'nightActivity', 'longestRestBlock'] }],
  ['a numeric factor', fair, { restRatingFactors: ['duration', 2] }, 'comparison-rest-factors'],
])
