import { suite } from 'uvu'
import { day, inContext, inJudgment, type RuleRow, testRows, today, week } from './rows.js'

const context = suite('context rules')

const rows: readonly RuleRow[] = [
  ['context null', day('hr'), { '/insightContext': null }, 'context-required'],
  ['asOf in UTC', day('hr'), { [inContext('asOf')]: '2026-10-15T02:30:00Z' }],
  ['asOf without seconds', day('hr'), { [inContext('asOf')]: '2026-10-15T10:30+08:00' }],
  ['asOf with nine digits of a second', day('hr'), { [inContext('asOf')]: '2026-10-15T10:30:00.123456789+0800' }],
  ['asOf with a short offset', day('hr'), { [inContext('asOf')]: '2026-10-15T10:30:00+08' }],
  ['asOf on 30 February', day('hr'), { [inContext('asOf')]: '2027-02-30T10:30:00+08:00' }, 'context-as-of'],
  ['asOf at 24:00', day('hr'), { [inContext('asOf')]: '2026-10-15T24:00:00+08:00' }, 'context-as-of'],
  ['asOf a number', day('hr'), { [inContext('asOf')]: 1791965100000 }, 'context-as-of'],
  ['asOf without offset', day('hr'), { [inContext('asOf')]: '2026-10-15T10:30:00' }, 'context-as-of'],
  [
    'observedThrough null for today',
    today('hr'),
    { [inContext('observedThrough')]: null },
    'context-observed-through-required',
  ],
  [
    'observedThrough on 31 September',
    today('hr'),
    { [inContext('observedThrough')]: '2026-09-31T10:00:00Z' },
    'context-observed-through',
  ],
  [
    'observedThrough bad on a past day',
    day('hr'),
    { [inContext('observedThrough')]: 'yesterday' },
    'context-observed-through',
  ],
  ['observedThrough on a past day', day('hr'), { [inContext('observedThrough')]: '2026-10-14T23:50:00+08:00' }],
  [
    'observedThrough without offset',
    today('hr'),
    { [inContext('observedThrough')]: '2026-10-14T15:00' },
    '?context-observed-through-offset',
  ],
  [
    'observedThrough without offset, and no time zone',
    today('hr'),
    { [inContext('observedThrough')]: '2026-10-14T15:00', '/period/timezone': undefined },
    'period-timezone ?context-observed-through-offset',
  ],
  ['observedThrough a little after asOf', today('hr'), { [inContext('observedThrough')]: '2026-10-14T16:20:00+08:00' }],
  [
    'observedThrough on the next day',
    today('hr'),
    { [inContext('observedThrough')]: '2026-10-15T00:00:00+08:00' },
    '?context-observed-after-today',
  ],
  ['factVersion missing', day('hr'), { [inContext('factVersion')]: undefined }, 'context-fact-version'],
  ['factVersion empty', day('hr'), { [inContext('factVersion')]: '' }, '?context-fact-version-empty'],
  [
    'baseline progress with nulls',
    today('activity', { rating: null }),
    { [inContext('baselineProgress')]: { validDays: null, requiredDays: 14 } },
  ],
  [
    'baseline progress that is finished',
    today('activity', { rating: null }),
    { [inContext('baselineProgress')]: { validDays: 14, requiredDays: 14 } },
  ],
  ['baseline progress that is empty', today('activity'), { [inContext('baselineProgress')]: {} }],
  [
    'baseline progress a number',
    today('activity'),
    { [inContext('baselineProgress')]: 5 },
    'context-baseline-progress',
  ],
  ['no snapshot for hr', day('hr'), { [inContext('sourceSnapshot')]: 'none' }],
  [
    'no snapshot for unrated rest',
    week('rest', { rating: null }),
    { [inContext('sourceSnapshot')]: null },
    'context-source-snapshot',
  ],
  ['an empty snapshot for unrated rest', week('rest', { rating: null }), { [inContext('sourceSnapshot')]: {} }],
  [
    'an empty snapshot for rated rest',
    week('rest'),
    { [inContext('sourceSnapshot')]: {} },
    Array(7).fill('context-source-snapshot-complete').join(' '),
  ],
  [
    'a snapshot whose state is draft',
    week('rest'),
    { [inContext('sourceSnapshot/snapshotState')]: 'draft' },
    'context-source-snapshot-complete',
  ],
  [
    'a snapshot time as text',
    week('rest'),
    { [inContext('sourceSnapshot/asOf')]: '2026-10-14T00:00:00Z' },
    'context-source-snapshot-complete',
  ],
  [
    'a watermark missing',
    week('rest'),
    { [inContext('sourceSnapshot/sourceWatermarks/step')]: undefined },
    'context-source-snapshot-complete',
  ],
  [
    'a watermark without cursor',
    week('rest'),
    { [inContext('sourceSnapshot/sourceWatermarks/step/cursor')]: undefined },
  ],
  [
    'a cursor that is an object',
    week('rest'),
    { [inContext('sourceSnapshot/sourceWatermarks/step/cursor')]: { at: 1 } },
  ],
  [
    'a partial snapshot with a bad rating',
    week('rest'),
    { [inContext('sourceSnapshot')]: {}, [inJudgment('rating')]: 'good' },
    'judgment-rating',
  ],
  [
    'today without a report, asOf missing',
    today('hr'),
    { [inContext('asOf')]: undefined, [inContext('observedThrough')]: undefined },
    'context-as-of context-observed-through-required',
  ],
  [
    'today with a report of yesterday',
    today('hr'),
    { [inContext('observedThrough')]: '2026-10-13T23:59:00+08:00' },
    '?context-observed-before-today',
  ],
  [
    'today with a report of today only where it was written',
    today('hr'),
    { [inContext('observedThrough')]: '2026-10-14T00:10:00+09:00' },
    '?context-observed-before-today',
  ],
]
testRows(context, rows)

context.run()
