import { day, type RuleRow, runRules, thisWeek, today, week } from './rows.js'

const at = (asOf: string) => ({ asOf })
const newYork = { timezone: 'America/New_York' } as const
const incomplete = 'context-source-snapshot-complete'
const notToday = '?context-observed-before-today'
const unrated = { rating: null } as const
const rows: readonly RuleRow[] = [
  ['context null', day('hr'), { '/insightContext': null }, 'context-required'],
  ['asOf in UTC', day('hr'), { asOf: '2026-10-15T02:30:00Z' }],
  ['asOf a number', day('hr'), { asOf: 1791965100000 }, 'context-as-of'],
  ['observedThrough null for today', today('hr'), { observedThrough: null }, 'context-observed-through-required'],
  ['observedThrough bad on a past day', day('hr'), { observedThrough: 'yesterday' }, 'context-observed-through'],
  ['observedThrough on a past day', day('hr'), { observedThrough: '2026-10-14T23:50:00+08:00' }],
  [
    'a report without offset or time zone',
    today('hr'),
    { observedThrough: '2026-10-14T15:00', '/period/timezone': undefined },
    'period-timezone ?context-observed-through-offset',
  ],
  ['observedThrough a little after asOf', today('hr'), { observedThrough: '2026-10-14T16:20:00+08:00' }],
  ['a report of tomorrow', today('hr'), { observedThrough: '2026-10-15T00:00+08:00' }, '?context-observed-after-today'],
  ['factVersion missing', day('hr'), { factVersion: undefined }, 'context-fact-version'],
  ['a baseline of null', today('activity', unrated), { baselineProgress: { validDays: null, requiredDays: 14 } }],
  ['a finished baseline', today('activity', unrated), { baselineProgress: { validDays: 14, requiredDays: 14 } }],
  ['baseline progress that is empty', today('activity'), { baselineProgress: {} }],
  ['baseline progress a number', today('activity'), { baselineProgress: 5 }, 'context-baseline-progress'],
  ['no snapshot for hr', day('hr'), { sourceSnapshot: 'none' }],
  ['no snapshot for unrated rest', week('rest', { rating: null }), { sourceSnapshot: null }, 'context-source-snapshot'],
  ['an empty snapshot for unrated rest', week('rest', { rating: null }), { sourceSnapshot: {} }],
  ['an empty snapshot for rest', week('rest'), { sourceSnapshot: {} }, Array(7).fill(incomplete).join(' ')],
  ['a snapshot whose state is draft', week('rest'), { 'sourceSnapshot/snapshotState': 'draft' }, incomplete],
  ['a snapshot time as text', week('rest'), { 'sourceSnapshot/asOf': '2026-10-14T00:00:00Z' }, incomplete],
  ['a watermark missing', week('rest'), { 'sourceSnapshot/sourceWatermarks/step': undefined }, incomplete],
  ['a watermark without cursor', week('rest'), { 'sourceSnapshot/sourceWatermarks/step/cursor': undefined }],
  ['a cursor that is an object', week('rest'), { 'sourceSnapshot/sourceWatermarks/step/cursor': { at: 1 } }],
  ['one badly rated', week('rest'), { sourceSnapshot: {}, '/suppliedJudgment/rating': 'good' }, 'judgment-rating'],
  [
    'today without either time',
    today('hr'),
    { asOf: undefined, observedThrough: undefined },
    'context-as-of context-observed-through-required',
  ],
  ['today, reported yesterday', today('hr'), { observedThrough: '2026-10-13T23:59:00+08:00' }, notToday],
  ['today, reported elsewhere', today('hr'), { observedThrough: '2026-10-14T00:10:00+09:00' }, notToday],
]
const written = '?context-as-of-local-date'
/** The date of asOf in the pet's time zone, and as it is written. */
const localDates: readonly RuleRow[] = [
  ['completed as written', day('hr', newYork), { asOf: '2026-10-15T09:00+08', '/period/isCompleted': true }, written],
  ['past as written only', day('hr', newYork), { asOf: '2026-10-15T09:00+08', '/period/isCompleted': false }, written],
  [
    'a week that begins as written only',
    week('activity', { timezone: 'America/New_York' }),
    { asOf: '2026-10-12T02:00:00Z', '/period/isCompleted': false, '/suppliedJudgment': null, '/metrics': {} },
    written,
  ],
  ['today as written', today('bark'), { asOf: '2026-10-14T17:30Z', observedThrough: '2026-10-14T17:20Z' }, written],
  [
    'both times as written',
    today('bark', newYork),
    { ...at('2026-10-14T09:00+08'), observedThrough: '2026-10-14T08:55+08' },
    written,
  ],
  [
    'today by the date of asOf as written',
    thisWeek('activity', { timezone: 'America/Los_Angeles' }),
    { asOf: '2026-10-15T09:00:00+08:00', '/metrics/activityTime/dailyActivityMinutes/3': 12 },
    written,
  ],
]
const madrid = { timezone: 'Europe/Madrid' } as const
const london = { timezone: 'Europe/London', date: '2026-10-25' } as const
const season = '?context-offset-of-season'
const bothSeasons = `${season} ${season}`
const offsets: readonly RuleRow[] = [
  ['summer time after the clocks were set back', day('hr', london), at('2026-10-26T09:00:00+01:00'), season],
  ['winter time after the clocks were set back', day('hr', london), at('2026-10-26T09:00:00+00:00')],
  ['summer time before the clocks are set back', day('hr', { timezone: 'Europe/London' }), at('2026-10-15T09:00+01')],
  ['winter time in summer', day('hr', newYork), at('2026-10-15T09:00:00-0500'), season],
  ['UTC in summer, where winter is the same', day('hr', { timezone: 'Europe/London' }), at('2026-10-15T09:00:00Z')],
  ['the offset of a server elsewhere', day('hr', london), at('2026-10-26T17:00:00+08:00')],
  ['an offset that the zone had long ago', day('hr'), at('2026-10-15T10:30:00+09:00')],
  ['a half hour of summer', day('hr', { timezone: 'Australia/Lord_Howe' }), at('2026-10-15T10:30:00+10:30'), season],
  ['a time that the clocks skip', day('hr', { ...madrid, date: '2026-03-28' }), at('2026-03-29T02:30+01:00'), season],
  ['a year far off', day('hr', { ...madrid, date: '2051-07-14' }), at('2051-07-15T09:00:00+01:00'), season],
  ['both', today('hr', madrid), { ...at('2026-10-14T16:05+01'), observedThrough: '2026-10-14T16:00+01' }, bothSeasons],
  ['the report alone', today('hr', madrid), { observedThrough: '2026-10-14T16:00:00+01:00' }, season],
  ['no time zone', day('hr', london), { ...at('2026-10-26T09:00+01:00'), '/period/timezone': 'x' }, 'period-timezone'],
]
runRules('context rules', '/insightContext', [...rows, ...localDates, ...offsets])
