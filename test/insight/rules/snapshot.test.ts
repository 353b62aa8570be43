import { day, lastNight, runRules, week } from './rows.js'

const asOfMs = Date.parse('2026-10-15T10:30:00+08:00')
const [seconds, differs] = ['?context-snapshot-seconds', '?context-snapshot-as-of-differs']

runRules('snapshot rules', '/insightContext/sourceSnapshot', [
  ['a snapshot in seconds', day('rest'), { asOf: asOfMs / 1000 }, seconds],
  ['a computation in seconds', day('rest'), { computedAt: asOfMs / 1000 }, seconds],
  ['a watermark in seconds', week('rest'), { 'sourceWatermarks/wear/completeThrough': asOfMs / 1000 }, seconds],
  ['a snapshot of the same minute', day('rest'), { asOf: asOfMs - 60_000 }],
  ['a snapshot of a minute before', day('rest'), { asOf: asOfMs - 60_001 }, differs],
  ['a snapshot of the next day', lastNight(), { asOf: asOfMs + 86_400_000 }, differs],
  ['a snapshot at 0', day('rest'), { asOf: 0 }, differs],
  ['a snapshot in microseconds', day('rest'), { asOf: asOfMs * 1000 }, differs],
  ['an empty snapshot of unrated rest', day('rest', { rating: null }), { '/insightContext/sourceSnapshot': {} }],
  ['a text for unrated rest', day('rest', { rating: null }), { asOf: '2026-10-15' }],
  ['a snapshot of a vital', day('hr'), { '/insightContext/sourceSnapshot': { asOf: 1 } }],
  [
    'once that all times are in seconds',
    day('rest'),
    { asOf: asOfMs / 1000, computedAt: asOfMs / 1000, 'sourceWatermarks/wear/observedThrough': asOfMs / 1000 },
    `insightContext.sourceSnapshot.asOf is ${asOfMs / 1000}, a time of 1970 in milliseconds; it is ${asOfMs} if this is in seconds. The same goes for 2 more times of the snapshot.`,
  ],
])
