import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '../../../src/insight/validate.js'
import { buildPayload, changePayload } from '../../helpers/payloads.js'
import { day, inContext, lastNight, type RuleRow, testRows, week } from './rows.js'

const snapshot = suite('snapshot rules')

const asOfMs = Date.parse('2026-10-15T10:30:00+08:00')
const inSnapshot = (name: string) => inContext(`sourceSnapshot/${name}`)
const [seconds, differs] = ['?context-snapshot-seconds', '?context-snapshot-as-of-differs']

const rows: readonly RuleRow[] = [
  ['a snapshot in seconds', day('rest'), { [inSnapshot('asOf')]: asOfMs / 1000 }, seconds],
  ['a computation in seconds', day('rest'), { [inSnapshot('computedAt')]: asOfMs / 1000 }, seconds],
  [
    'a watermark in seconds',
    week('rest'),
    { [inSnapshot('sourceWatermarks/wear/completeThrough')]: asOfMs / 1000 },
    seconds,
  ],
  ['a snapshot of the same minute', day('rest'), { [inSnapshot('asOf')]: asOfMs - 60_000 }],
  ['a snapshot of a minute before', day('rest'), { [inSnapshot('asOf')]: asOfMs - 60_001 }, differs],
  ['a snapshot of the next day', lastNight(), { [inSnapshot('asOf')]: asOfMs + 86_400_000 }, differs],
  ['a snapshot at 0', day('rest'), { [inSnapshot('asOf')]: 0 }, differs],
  ['a snapshot in microseconds', day('rest'), { [inSnapshot('asOf')]: asOfMs * 1000 }, differs],
  [
    'a snapshot of unrated rest that says nothing',
    day('rest', { rating: null }),
    { [inContext('sourceSnapshot')]: {} },
  ],
  ['a text for unrated rest', day('rest', { rating: null }), { [inSnapshot('asOf')]: '2026-10-15' }],
  ['a snapshot of a vital', day('hr'), { [inContext('sourceSnapshot')]: { asOf: 1 } }],
]
testRows(snapshot, rows)

snapshot('are seen once where all times are in seconds', () => {
  const payload = buildPayload({ metric: 'rest', viewWindow: 'day' })
  const names = ['asOf', 'computedAt', 'sourceWatermarks/wear/observedThrough']
  const changes = Object.fromEntries(names.map((name) => [inSnapshot(name), asOfMs / 1000]))
  assert.equal(
    validate(changePayload(payload, changes)).warnings.map(({ message }) => message),
    [
      `insightContext.sourceSnapshot.asOf is ${asOfMs / 1000}, a time of 1970 in milliseconds; it is ${asOfMs} if this is in seconds. The same goes for 2 more times of the snapshot.`,
    ],
  )
})

snapshot.run()
