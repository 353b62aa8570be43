import { day, runRules, thisWeek, week } from './rows.js'

runRules('measurement rules', '/metrics', [
  ['a vital without samples', week('rr'), { 'dailyNightRestRr/1/sampleCount': 0 }, 'vital-empty-sample'],
  ['aggregation method null', week('hr'), { aggregationMethod: null }, '?vital-aggregation-method-missing'],
  ['aggregation method on a day', day('hr'), { aggregationMethod: 'mean' }],
  ['measurement mode in a week', week('bark'), { measurementMode: 'measured' }],
  ['window samples of any number', week('hr'), { 'nightRestHrAverage/sampleCount': 0 }],
  ['no samples as 0', day('rr'), { nightRestRrAverage: { value: 0, sampleCount: 0 } }, '?vital-average-empty'],
  [
    'averages without samples as 0',
    week('hrv', { asOf: '2026-10-12T12:00', rating: null }),
    { nightRestRmssdAverage: { value: 0, sampleCount: 0 }, allDayRestRmssdAverage: { value: 0, sampleCount: 0 } },
    '?vital-average-empty ?vital-average-empty',
  ],
  ['an average without samples as null', day('hr'), { allDayRestHrAverage: { value: null, sampleCount: 0 } }],
  ['as many valid nights as before today', thisWeek('hr'), { '/period/validNights': 2 }],
  ['too few valid nights', week('hr'), { '/period/validNights': 5 }, '?vital-valid-nights-differ'],
  ['valid nights null', week('hr'), { '/period/validNights': null }],
])
