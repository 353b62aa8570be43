import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { daysInMonth } from '../../src/insight/calendar.js'
import { validate } from '../../src/insight/validate.js'
import { addPlaceholders, buildPayload, changePayload, combinations, type PayloadOptions } from '../helpers/payloads.js'

const validation = suite('validate')

/** The options of a payload, the members changed, and the rules that it then breaks ('?' before a warning). */
type Row = readonly [name: string, options: PayloadOptions, changes: Readonly<Record<string, unknown>>, broken?: string]

const day = (metric: PayloadOptions['metric'], more: Partial<PayloadOptions> = {}): PayloadOptions => ({
  metric,
  viewWindow: 'day',
  ...more,
})
const week = (metric: PayloadOptions['metric'], more: Partial<PayloadOptions> = {}): PayloadOptions => ({
  metric,
  viewWindow: 'week',
  ...more,
})
const month = (metric: PayloadOptions['metric'], more: Partial<PayloadOptions> = {}): PayloadOptions => ({
  metric,
  viewWindow: 'month',
  ...more,
})
const today = (metric: PayloadOptions['metric'], more: Partial<PayloadOptions> = {}) =>
  day(metric, { mode: 'today_so_far', ...more })
const lastNight = (more: Partial<PayloadOptions> = {}) => day('rest', { mode: 'last_night', ...more })
/** A week seen on its Wednesday: Monday and Tuesday are finished. */
const thisWeek = (metric: PayloadOptions['metric'], more: Partial<PayloadOptions> = {}) =>
  week(metric, { asOf: '2026-10-14T12:00', ...more })

const context = (name: string) => `/insightContext/${name}`
const comparison = (name: string) => `/insightContext/comparison/${name}`
const judgment = (name: string) => `/suppliedJudgment/${name}`
const metric = (name: string) => `/metrics/${name}`

const envelope: readonly Row[] = [
  ['another schema version', day('hr'), { '/schemaVersion': 'health-detail-v4' }, 'envelope-schema-version'],
  ['no schema version', day('hr'), { '/schemaVersion': undefined }, 'envelope-schema-version'],
  ['IDs of 128 characters', day('hr'), { '/userId': 'u'.repeat(128), '/petId': '🐕'.repeat(128) }],
  ['a user ID of 129 characters', day('hr'), { '/userId': 'u'.repeat(129) }, 'envelope-user-id'],
  ['a pet ID of any characters', day('hr'), { '/petId': 'Tiere/ñandú 7' }],
  ['a user ID that is null', day('hr'), { '/userId': null }, 'envelope-user-id'],
  ['both IDs empty', day('hr'), { '/userId': '', '/petId': '' }, '?envelope-id-empty ?envelope-id-empty'],
  ['a metric in capitals', day('hr'), { '/metric': 'HR' }, 'envelope-metric'],
  ['a metric that is an inherited name', day('hr'), { '/metric': 'constructor' }, 'envelope-metric'],
  ['no metric', week('rest'), { '/metric': undefined }, 'envelope-metric'],
  ['no window', week('rest'), { '/viewWindow': undefined }, 'envelope-view-window'],
  ['no locale', day('hr'), { '/locale': undefined }],
  ['locale null', day('hr'), { '/locale': null }],
  ['locale zh', day('hr'), { '/locale': 'zh' }, 'envelope-locale'],
  ['no name', day('hr'), { '/petProfile/name': undefined }, 'envelope-pet-name'],
  ['a name of one space', day('hr'), { '/petProfile/name': ' ' }],
  ['no pet profile', day('hr'), { '/petProfile': undefined }, 'envelope-pet-profile'],
  ['a cat', day('hr'), { '/petProfile/species': 'cat' }],
  ['species null', day('hr'), { '/petProfile/species': null }, 'envelope-pet-species'],
  ['context null', day('hr'), { '/insightContext': null }, 'context-required'],
  ['metrics an array', day('hr'), { '/metrics': [] }, 'metrics-object'],
  ['previousPeriod null', day('hr'), { '/previousPeriod': null }],
  ['previousPeriod an empty object', day('hr'), { '/previousPeriod': {} }, 'envelope-previous-period'],
  ['previousPeriod false', day('hr'), { '/previousPeriod': false }, 'envelope-previous-period'],
  [
    'unknown members everywhere',
    week('rest'),
    { '/x': 1, '/period/x': {}, '/metrics/x': [1], '/metrics/nightlyRestDurations/0/x': null },
  ],
  ['a member in snake case', week('hr'), { '/period/valid_nights': 7 }],
  [
    'a member in snake case alone',
    day('activity'),
    { '/metrics/steps': null, '/metrics/active_time': 3, '/metrics/Steps': { steps: 1 } },
  ],
  [
    'optional members null',
    day('activity'),
    {
      [context('comparison')]: null,
      [context('observedThrough')]: null,
      [context('baselineProgress')]: null,
      [judgment('deteriorating')]: null,
      [judgment('unusualDays')]: null,
      [judgment('judgedDays')]: null,
      '/metrics/steps': null,
    },
  ],
]

const period: readonly Row[] = [
  ['29 February of a leap year', day('hr', { date: '2024-02-29' }), {}],
  [
    '29 February of another year',
    day('hr', { date: '2026-02-28' }),
    { '/period/startDate': '2026-02-29', '/period/endDate': '2026-02-29' },
    'period-date period-date',
  ],
  ['a date with a time', day('hr'), { '/period/startDate': '2026-10-14T00:00:00' }, 'period-date'],
  ['a date without zeros', day('hr'), { '/period/endDate': '2026-1-4' }, 'period-date'],
  ['a bad start of a week', week('hr'), { '/period/startDate': '2026-13-12' }, 'period-date'],
  ['time zone UTC', day('rest', { timezone: 'UTC' }), {}],
  ['time zone GMT', day('rest', { timezone: 'GMT' }), {}],
  ['time zone CET', day('rest', { timezone: 'CET' }), {}],
  ['time zone Cuba', day('hr', { timezone: 'Cuba' }), {}],
  ...['CST', 'JST', 'IST', 'EST', 'MST', 'HST'].map(
    (timezone): Row => [`time zone ${timezone}`, day('hr', { timezone }), {}, '?period-timezone-abbreviation'],
  ),
  ['time zone Asia/Kathmandu', week('hrv', { timezone: 'Asia/Kathmandu' }), {}],
  ['an offset as time zone', day('rest'), { '/period/timezone': '+08:00' }, 'period-timezone'],
  ['a city that does not exist', week('hr'), { '/period/timezone': 'Asia/Atlantis' }, 'period-timezone'],
  ['isCompleted missing', day('hr'), { '/period/isCompleted': undefined }, 'period-is-completed'],
  ['isCompleted null', day('hr'), { '/period/isCompleted': null }, 'period-is-completed'],
  [
    'a week from Monday to Saturday',
    week('activity'),
    { '/period/endDate': '2026-10-17' },
    'period-week-monday-to-sunday',
  ],
  ['a week of fourteen days', week('activity'), { '/period/endDate': '2026-10-25' }, 'period-week-monday-to-sunday'],
  ['a week that runs backwards', week('activity'), { '/period/endDate': '2026-10-05' }, 'period-week-monday-to-sunday'],
  ['a week over New Year', week('activity', { date: '2026-12-31' }), {}],
  [
    'a month without its last day',
    month('bark', { date: '2026-09-01' }),
    { '/period/endDate': '2026-09-29' },
    'period-month-is-natural-month',
  ],
  [
    'thirty days from the second',
    month('bark', { date: '2026-09-01', asOf: '2026-10-08T10:00' }),
    { '/period/startDate': '2026-09-02', '/period/endDate': '2026-10-01' },
    'period-month-is-natural-month',
  ],
  ['nights null', week('hr'), { '/period/elapsedNights': null, '/period/validNights': null }],
  [
    'nights missing',
    week('hr'),
    { '/period/elapsedNights': undefined, '/period/validNights': undefined },
    'period-nights-required period-nights-required',
  ],
  ['nights missing for activity', week('activity'), {}],
  ['nights missing on a day', day('hr'), {}],
  ['nights with activity', week('activity'), { '/period/elapsedNights': 40, '/period/validNights': -1 }],
  ['nights that are texts with bark', week('bark'), { '/period/elapsedNights': '7' }, 'period-nights-integer'],
  ['nights as 7.0', week('rest'), { '/period/elapsedNights': 7.0 }],
  ['half a night', week('rest'), { '/period/validNights': 6.5 }, 'period-nights-integer'],
  ['a negative number of nights', week('rest'), { '/period/validNights': -1 }, 'period-nights-within-window'],
  [
    'more valid nights than elapsed',
    week('rest', { rating: null }),
    { '/period/elapsedNights': 5 },
    'period-nights-within-window',
  ],
  [
    'more nights than the window',
    week('rest'),
    { '/period/elapsedNights': 8, '/period/validNights': 8 },
    'period-nights-within-window',
  ],
  [
    'valid nights beyond the window, elapsed null',
    week('rest'),
    { '/period/elapsedNights': null, '/period/validNights': 8 },
    'period-nights-within-window',
  ],
  ['thirty-one nights in a month of thirty-one', month('rest', { date: '2026-08-01' }), {}],
  ['the night of today', thisWeek('rest'), { '/period/elapsedNights': 3 }],
  ['the night of tomorrow', thisWeek('rest'), { '/period/elapsedNights': 4 }, '?period-nights-after-today'],
]

const contexts: readonly Row[] = [
  ['the mode recent_complete_days', week('activity'), { [context('mode')]: 'recent_complete_days' }, 'context-mode'],
  ['no mode', today('hr'), { [context('mode')]: undefined }, 'context-mode'],
  ['asOf in UTC', day('hr'), { [context('asOf')]: '2026-10-15T02:30:00Z' }],
  ['asOf without seconds', day('hr'), { [context('asOf')]: '2026-10-15T10:30+08:00' }],
  ['asOf with nine digits of a second', day('hr'), { [context('asOf')]: '2026-10-15T10:30:00.123456789+0800' }],
  ['asOf with a short offset', day('hr'), { [context('asOf')]: '2026-10-15T10:30:00+08' }],
  ['asOf on 30 February', day('hr'), { [context('asOf')]: '2027-02-30T10:30:00+08:00' }, 'context-as-of'],
  ['asOf at 24:00', day('hr'), { [context('asOf')]: '2026-10-15T24:00:00+08:00' }, 'context-as-of'],
  ['asOf a number', day('hr'), { [context('asOf')]: 1791965100000 }, 'context-as-of'],
  ['asOf without offset', day('hr'), { [context('asOf')]: '2026-10-15T10:30:00' }, 'context-as-of'],
  [
    'observedThrough null for today',
    today('hr'),
    { [context('observedThrough')]: null },
    'context-observed-through-required',
  ],
  [
    'observedThrough on 31 September',
    today('hr'),
    { [context('observedThrough')]: '2026-09-31T10:00:00Z' },
    'context-observed-through',
  ],
  [
    'observedThrough bad on a past day',
    day('hr'),
    { [context('observedThrough')]: 'yesterday' },
    'context-observed-through',
  ],
  ['observedThrough on a past day', day('hr'), { [context('observedThrough')]: '2026-10-14T23:50:00+08:00' }],
  [
    'observedThrough without offset',
    today('hr'),
    { [context('observedThrough')]: '2026-10-14T15:00' },
    '?context-observed-through-offset',
  ],
  ['observedThrough a little after asOf', today('hr'), { [context('observedThrough')]: '2026-10-14T16:20:00+08:00' }],
  [
    'observedThrough on the next day',
    today('hr'),
    { [context('observedThrough')]: '2026-10-15T00:00:00+08:00' },
    '?context-observed-after-today',
  ],
  ['factVersion missing', day('hr'), { [context('factVersion')]: undefined }, 'context-fact-version'],
  ['factVersion empty', day('hr'), { [context('factVersion')]: '' }, '?context-fact-version-empty'],
  [
    'baseline progress with nulls',
    today('activity', { rating: null }),
    { [context('baselineProgress')]: { validDays: null, requiredDays: 14 } },
  ],
  [
    'baseline progress that is finished',
    today('activity', { rating: null }),
    { [context('baselineProgress')]: { validDays: 14, requiredDays: 14 } },
  ],
  ['baseline progress that is empty', today('activity'), { [context('baselineProgress')]: {} }],
  ['baseline progress a number', today('activity'), { [context('baselineProgress')]: 5 }, 'context-baseline-progress'],
  ['comparison empty', week('hr'), { [context('comparison')]: {} }],
  ['a pair of nulls', week('hr'), { [comparison('usualLower')]: null, [comparison('usualUpper')]: null }],
  ['a lower bound alone', week('hr'), { [comparison('usualUpper')]: null }, 'comparison-range-pair'],
  ['a lower bound that is a text', week('hr'), { [comparison('usualLower')]: '62' }, 'comparison-number'],
  ['a lower bound below zero', week('activity'), { [comparison('usualLower')]: -5 }],
  ['equal bounds', week('hr'), { [comparison('usualLower')]: 84 }],
  ['bounds the wrong way round', week('hr'), { [comparison('usualLower')]: 84.1 }, '?comparison-range-order'],
  ['a lower bound of bark that is a text', day('bark'), { [comparison('usualLower')]: 'none' }],
  ['a lower bound of bark', day('bark'), { [comparison('usualLower')]: 60 }, '?comparison-bark-lower'],
  ['an upper bound of bark that is a text', day('bark'), { [comparison('usualUpper')]: '900' }, 'comparison-number'],
  ['a negative change', week('hr'), { [comparison('changePercent')]: -22.4 }],
  ['negative consecutive days', week('hr'), { [comparison('consecutiveUnusualDays')]: -1 }],
  ['half an unusual day', week('activity'), { [comparison('unusualLowDays')]: 0.5 }, 'comparison-count'],
  [
    'the basis general',
    day('hr'),
    {
      [comparison('pageEvaluationBasis')]: 'general',
      [comparison('usualLower')]: null,
      [comparison('usualUpper')]: null,
    },
  ],
  [
    'the basis breed with a range',
    day('hr'),
    { [comparison('pageEvaluationBasis')]: 'breed' },
    '?comparison-range-not-personal',
  ],
  ['the basis breed with a range in a week', week('hr'), { [comparison('pageEvaluationBasis')]: 'breed' }],
  ['another basis', day('hr'), { [comparison('pageEvaluationBasis')]: 'Personal' }, 'comparison-evaluation-basis'],
  ['factors null', lastNight(), { [comparison('restRatingFactors')]: null }],
  [
    'factors that texts name',
    lastNight({ rating: 'Fair' }),
    { [comparison('restRatingFactors')]: ['duration', 'interruptions', 'nightActivity', 'longestRestBlock'] },
  ],
  [
    'a factor unknown',
    lastNight({ rating: 'Fair' }),
    { [comparison('restRatingFactors')]: ['snoring'] },
    '?comparison-rest-factor-unknown',
  ],
  [
    'a factor that is a number',
    lastNight({ rating: 'Fair' }),
    { [comparison('restRatingFactors')]: ['duration', 2] },
    'comparison-rest-factors',
  ],
  ['no snapshot for hr', day('hr'), { [context('sourceSnapshot')]: 'none' }],
  [
    'no snapshot for unrated rest',
    week('rest', { rating: null }),
    { [context('sourceSnapshot')]: null },
    'context-source-snapshot',
  ],
  ['an empty snapshot for unrated rest', week('rest', { rating: null }), { [context('sourceSnapshot')]: {} }],
  [
    'an empty snapshot for rated rest',
    week('rest'),
    { [context('sourceSnapshot')]: {} },
    Array(7).fill('context-source-snapshot-complete').join(' '),
  ],
  [
    'a snapshot whose state is draft',
    week('rest'),
    { [context('sourceSnapshot/snapshotState')]: 'draft' },
    'context-source-snapshot-complete',
  ],
  [
    'a snapshot time as text',
    week('rest'),
    { [context('sourceSnapshot/asOf')]: '2026-10-14T00:00:00Z' },
    'context-source-snapshot-complete',
  ],
  [
    'a watermark missing',
    week('rest'),
    { [context('sourceSnapshot/sourceWatermarks/step')]: undefined },
    'context-source-snapshot-complete',
  ],
  ['a watermark without cursor', week('rest'), { [context('sourceSnapshot/sourceWatermarks/step/cursor')]: undefined }],
  ['a cursor that is an object', week('rest'), { [context('sourceSnapshot/sourceWatermarks/step/cursor')]: { at: 1 } }],
  [
    'a partial snapshot with a bad rating',
    week('rest'),
    { [context('sourceSnapshot')]: {}, [judgment('rating')]: 'good' },
    'judgment-rating',
  ],
]

const judgments: readonly Row[] = [
  ['no judgment for activity', week('activity', { judgment: null }), {}],
  ['a null judgment for bark', day('bark'), { '/suppliedJudgment': null }],
  ['no judgment for rest', lastNight(), { '/suppliedJudgment': undefined }, 'judgment-object'],
  ['a null judgment for rr', week('rr'), { '/suppliedJudgment': null }, 'judgment-object'],
  ['a judgment that is a text, for bark', day('bark'), { '/suppliedJudgment': 'calm' }, 'judgment-object'],
  ['the rule version missing', day('bark'), { [judgment('ruleVersion')]: undefined }, 'judgment-rule-version'],
  ['rating missing', day('hr'), { [judgment('rating')]: undefined }, 'judgment-keys-present'],
  [
    'all three keys missing',
    day('bark'),
    { [judgment('rating')]: undefined, [judgment('direction')]: undefined, [judgment('baselineSource')]: undefined },
    'judgment-keys-present judgment-keys-present judgment-keys-present',
  ],
  ['rating balanced', day('hr', { rating: 'balanced' }), {}],
  ['rating balanced for activity', day('activity'), { [judgment('rating')]: 'balanced' }, 'judgment-rating'],
  ['rating good', lastNight(), { [judgment('rating')]: 'good' }, 'judgment-rating'],
  ['direction against the rating', day('hr', { rating: 'low', direction: 1 }), {}],
  ['direction 2', day('hr'), { [judgment('direction')]: 2 }, 'judgment-direction'],
  ['baselineSource null', day('hr'), { [judgment('baselineSource')]: null }],
  [
    'baselineSource general',
    day('hr'),
    { [judgment('baselineSource')]: 'general' },
    '?judgment-baseline-source-unknown',
  ],
  ['deteriorating false', day('hr', { deteriorating: false }), {}],
  ['deteriorating 0', day('hr'), { [judgment('deteriorating')]: 0 }, 'judgment-deteriorating'],
  ['rated nights missing', week('rest'), { [judgment('ratedNights')]: undefined }, 'judgment-rated-count'],
  ['judged days null for hr', week('hr'), { [judgment('judgedDays')]: null }, 'judgment-rated-count'],
  ['judged days null for activity', week('activity'), { [judgment('judgedDays')]: null }],
  ['judged days below zero', week('activity'), { [judgment('judgedDays')]: -1 }, 'judgment-rated-count'],
  ['attention days missing', week('hr'), { [judgment('unusualDays')]: undefined }],
  ['half an attention day', week('hr'), { [judgment('unusualDays')]: 1.5 }, 'judgment-attention-count'],
  ['no rating, attention 0', week('hr', { rating: null, attentionDays: 0 }), {}],
  ['no rating, attention 1', week('hr', { rating: null, attentionDays: 1 }), {}, 'judgment-no-rating-counts'],
  [
    'no rating, both counts',
    week('rest', { rating: null, count: 8, attentionDays: 9 }),
    {},
    'judgment-no-rating-counts judgment-no-rating-counts',
  ],
  [
    'no rating, counts for bark',
    week('bark', { rating: null, attentionDays: 1 }),
    {},
    '?judgment-no-rating-counts-optional',
  ],
  ['as many rated days as days', week('bark', { count: 7, attentionDays: 7 }), {}],
  ['one rated day too many', week('bark', { count: 8 }), {}, 'judgment-count-exceeds-window'],
  [
    'thirty-one rated nights in thirty',
    month('rest', { date: '2026-09-01', count: 31 }),
    {},
    'judgment-count-exceeds-window',
  ],
  [
    'attention days above rated days',
    week('activity', { count: 3, attentionDays: 4 }),
    {},
    'judgment-attention-exceeds-rated',
  ],
  [
    'attention days without rated days',
    week('activity', { attentionDays: 2 }),
    { [judgment('judgedDays')]: undefined },
  ],
  [
    'attention days beyond the window',
    week('activity', { attentionDays: 8 }),
    { [judgment('judgedDays')]: undefined },
    'judgment-count-exceeds-window',
  ],
  ['today rated, too', thisWeek('hr', { count: 3 }), {}],
  ['tomorrow rated, too', thisWeek('hr', { count: 4 }), {}, '?judgment-count-after-today'],
  ['two rated days on a day', day('bark', { count: 2 }), {}, '?judgment-day-count'],
]

const modes: readonly Row[] = [
  ['today, written in another zone', today('hr'), { [context('asOf')]: '2026-10-14T01:05:00-07:00' }],
  ['a past day as of just after midnight', day('hr', { asOf: '2026-10-15T00:00' }), {}],
  [
    'a completed day one minute before midnight',
    day('activity', { asOf: '2026-10-14T23:59' }),
    { '/period/isCompleted': true },
    'period-completed-before-today ?mode-selected-day-is-past',
  ],
  [
    'completed by the date of asOf as written only',
    day('hr', { timezone: 'America/New_York' }),
    { [context('asOf')]: '2026-10-15T09:00:00+08:00', '/period/isCompleted': true },
    '?context-as-of-local-date',
  ],
  [
    'a past day by the date of asOf as written only',
    day('hr', { timezone: 'America/New_York' }),
    { [context('asOf')]: '2026-10-15T09:00:00+08:00', '/period/isCompleted': false },
    '?context-as-of-local-date',
  ],
  [
    'a week that begins by the date of asOf as written only',
    week('activity', { timezone: 'America/New_York' }),
    {
      [context('asOf')]: '2026-10-12T02:00:00Z',
      '/period/isCompleted': false,
      '/suppliedJudgment': null,
      '/metrics': {},
    },
    '?context-as-of-local-date',
  ],
  [
    'asOf in UTC, dates of the pet',
    today('bark', { timezone: 'America/New_York' }),
    { [context('asOf')]: '2026-10-15T01:30:00Z', [context('observedThrough')]: '2026-10-15T01:20:00Z' },
  ],
  [
    'completed by the date in the pet zone only',
    day('hr', { timezone: 'Asia/Shanghai' }),
    { [context('asOf')]: '2026-10-14T20:00:00-07:00', '/period/isCompleted': true },
  ],
  [
    'a window that ended and is still open',
    day('hr'),
    { '/period/isCompleted': false },
    '?period-still-open-after-end',
  ],
  ['a week in progress', thisWeek('activity'), {}],
  [
    'a week in progress that is completed',
    thisWeek('activity'),
    { '/period/isCompleted': true },
    'period-completed-before-today',
  ],
  [
    'a week that begins tomorrow',
    week('activity', { asOf: '2026-10-12T09:00' }),
    { [context('asOf')]: '2026-10-11T09:00:00+08:00' },
    'period-not-in-future',
  ],
  [
    'a day to come',
    today('hr'),
    { [context('asOf')]: '2026-10-13T16:05:00+08:00' },
    'period-not-in-future ?context-observed-after-today',
  ],
  [
    'a week to come that is completed',
    week('rest'),
    { [context('asOf')]: '2026-09-01T12:00:00+08:00' },
    'period-not-in-future',
  ],
  [
    'today of yesterday',
    today('bark'),
    { [context('asOf')]: '2026-10-15T16:05:00+08:00', [context('observedThrough')]: '2026-10-15T16:00:00+08:00' },
    'mode-today-is-today',
  ],
  [
    'today by the written date',
    today('bark', { timezone: 'America/Los_Angeles' }),
    { [context('asOf')]: '2026-10-15T07:30:00Z', [context('observedThrough')]: '2026-10-15T07:20:00Z' },
    'mode-today-is-today',
  ],
  [
    'today by the date of asOf as written',
    today('bark', { timezone: 'Asia/Shanghai' }),
    { [context('asOf')]: '2026-10-14T17:30:00Z', [context('observedThrough')]: '2026-10-14T17:20:00Z' },
    '?context-as-of-local-date',
  ],
  [
    'today by the latest report',
    today('bark'),
    { [context('asOf')]: '2026-10-15T00:00:30+08:00', [context('observedThrough')]: '2026-10-14T23:59:00+08:00' },
    '?mode-today-by-report-time',
  ],
  ['last night before 08:00', lastNight({ asOf: '2026-10-14T07:10' }), {}],
  ['rest of today before 08:00', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T07:10' }), {}],
  ['rest of today in the evening', day('rest', { mode: 'today_so_far', asOf: '2026-10-14T22:10' }), {}],
  ['last night of a past day', lastNight(), { [context('asOf')]: '2026-10-16T09:05:00+08:00' }, 'mode-today-is-today'],
  ['last night for bark', today('bark'), { [context('mode')]: 'last_night' }, 'mode-last-night-rest-only'],
  ['last night in a week of rest', week('rest'), { [context('mode')]: 'last_night' }, 'mode-fits-window'],
  ['last night in a week of hr', week('hr'), { [context('mode')]: 'last_night' }, 'mode-fits-window'],
  [
    'today in a month',
    month('bark'),
    { [context('mode')]: 'today_so_far', [context('observedThrough')]: '2026-11-01T10:00:00+08:00' },
    'mode-fits-window',
  ],
  ['today selected for hrv', day('hrv', { asOf: '2026-10-14T12:00' }), {}, 'mode-vitals-today-so-far'],
  ['today selected for rest', day('rest', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  ['today selected for activity', day('activity', { asOf: '2026-10-14T12:00' }), {}, '?mode-selected-day-is-past'],
  [
    'today of yesterday, without a report',
    today('bark'),
    { [context('asOf')]: '2026-10-15T16:05:00+08:00', [context('observedThrough')]: undefined },
    'mode-today-is-today',
  ],
  ['today in a week', week('hr'), { [context('mode')]: 'today_so_far' }, 'mode-fits-window'],
  [
    'today without a report, asOf missing',
    today('hr'),
    { [context('asOf')]: undefined, [context('observedThrough')]: undefined },
    'context-as-of context-observed-through-required',
  ],
  [
    'today with a report of yesterday',
    today('hr'),
    { [context('observedThrough')]: '2026-10-13T23:59:00+08:00' },
    '?context-observed-before-today',
  ],
  [
    'today with a report of today only where it was written',
    today('hr'),
    { [context('observedThrough')]: '2026-10-14T00:10:00+09:00' },
    '?context-observed-before-today',
  ],
  [
    'today by the date of asOf as written, with a report of the same time',
    today('bark', { timezone: 'America/New_York' }),
    { [context('asOf')]: '2026-10-14T09:00:00+08:00', [context('observedThrough')]: '2026-10-14T08:55:00+08:00' },
    '?context-as-of-local-date',
  ],
  [
    'a bad rating with a bad mode',
    day('hr'),
    { [context('mode')]: 'last_day', [judgment('rating')]: 'fine' },
    'context-mode judgment-rating',
  ],
]

const facts: readonly Row[] = [
  ['activity minutes 0', day('activity'), { [metric('activityTime/activityMinutes')]: 0 }],
  ['activity minutes 298.75', day('activity'), { [metric('activityTime/activityMinutes')]: 298.75 }],
  [
    'activity minutes null',
    day('activity'),
    { [metric('activityTime/activityMinutes')]: null },
    'activity-minutes-required',
  ],
  [
    'activity minutes below zero',
    day('activity'),
    { [metric('activityTime/activityMinutes')]: -1 },
    'activity-minutes-required',
  ],
  [
    'activity minutes infinite',
    day('activity'),
    { [metric('activityTime/activityMinutes')]: Number.POSITIVE_INFINITY },
    'activity-minutes-required',
  ],
  ['activity time missing', day('activity'), { [metric('activityTime')]: undefined }, 'activity-minutes-required'],
  ['a goal below zero', day('activity'), { [metric('activityTime/activityMinutesGoal')]: -30 }],
  ['a goal that is a text', day('activity'), { [metric('activityTime/activityMinutesGoal')]: '4 h' }, 'metrics-number'],
  ['no facts at all for rest', lastNight(), { '/metrics': {} }],
  ['no facts at all for a week of activity', week('activity'), { '/metrics': {} }],
  [
    'facts null',
    week('rest'),
    {
      [metric('nightRest')]: null,
      [metric('nightlyRestDurations')]: null,
      [metric('dailyDayRestMinutes')]: null,
      [metric('dayRest')]: null,
    },
  ],
  ['a negative count', day('bark'), { [metric('barkEventCount')]: -3 }, 'metrics-number'],
  ['an array one too short', week('bark'), { [metric('dailyBarkDurations')]: [] }, 'series-window-length'],
  [
    'eight days in a week',
    week('activity'),
    { [metric('steps/dailySteps')]: [1, 2, 3, 4, 5, 6, 7, 8] },
    'series-window-length',
  ],
  [
    'elements null',
    week('bark'),
    { [metric('dailyBarkDurations')]: Array(7).fill(null), [metric('averageDailyBarkDurationSeconds')]: null },
  ],
  [
    'an element without date',
    week('bark'),
    { [metric('dailyBarkDurations/2/date')]: undefined },
    'series-element-date',
  ],
  ['an element that is a number', week('bark'), { [metric('dailyBarkDurations/2')]: 410 }, 'series-element'],
  ['a date twice', week('hr'), { [metric('dailyNightRestHr/4/date')]: '2026-10-15' }, 'series-element-date'],
  [
    'one night called by its evening',
    week('rest'),
    { [metric('nightlyRestDurations/4/nightDate')]: '2026-10-15' },
    'series-element-date',
  ],
  [
    'a zero for tomorrow',
    thisWeek('activity'),
    { [metric('activityTime/dailyActivityMinutes/3')]: 0 },
    'series-future-value',
  ],
  [
    'a night to come',
    thisWeek('rest'),
    { [metric('nightlyRestDurations/3/deepRestMinutes')]: 400 },
    'series-future-value',
  ],
  ['no samples for tomorrow', thisWeek('hr'), { [metric('dailyAllDayRestHr/3/sampleCount')]: 0 }],
  ['samples for tomorrow', thisWeek('hr'), { [metric('dailyAllDayRestHr/3/sampleCount')]: 4 }, 'series-future-value'],
  [
    'today by the date of asOf as written',
    thisWeek('activity', { timezone: 'America/Los_Angeles' }),
    { [context('asOf')]: '2026-10-15T09:00:00+08:00', [metric('activityTime/dailyActivityMinutes/3')]: 12 },
    '?context-as-of-local-date',
  ],
  ['a vital without samples', week('rr'), { [metric('dailyNightRestRr/1/sampleCount')]: 0 }, 'vital-empty-sample'],
  [
    'an element that is an object for day rest',
    week('rest'),
    { [metric('dailyDayRestMinutes')]: Array(7).fill({ minutes: null }), [metric('dayRest/averageMinutes')]: null },
  ],
  [
    'day rest as an empty array',
    week('rest'),
    { [metric('dailyDayRestMinutes')]: [], [metric('dayRest/averageMinutes')]: 0 },
  ],
  ['the old names of heart rate in hrv', week('hrv'), { [metric('dailyNightRestHr')]: 'ignored' }],
  ['aggregation method null', week('hr'), { [metric('aggregationMethod')]: null }, '?vital-aggregation-method-missing'],
  ['aggregation method on a day', day('hr'), { [metric('aggregationMethod')]: 'mean' }],
  ['measurement mode in a week', week('bark'), { [metric('measurementMode')]: 'measured' }],
  ['the night of vitals of any shape', day('hr'), { [metric('night')]: { startAt: 'yesterday' } }],
  ['hourly rest of empty points', lastNight(), { [metric('day')]: { hourlyRestMinutes: Array(24).fill({}) } }],
  ['hourly rest of 25 hours', lastNight(), { [metric('day/hourlyRestMinutes')]: Array(25).fill(3) }],
  [
    'bark counts that differ',
    week('bark'),
    { [metric('barkEventCount')]: 1, [metric('averageDailyBarkEventCount')]: 90 },
  ],
  [
    'wakes and night activity of any average',
    week('rest'),
    { [metric('interruptions/averageCount')]: 99, [metric('nightActivity/averageMinutes')]: 999 },
  ],
  ['window samples of any number', week('hr'), { [metric('nightRestHrAverage/sampleCount')]: 0 }],
  [
    'an average of no sample as 0',
    day('rr'),
    { [metric('nightRestRrAverage')]: { value: 0, sampleCount: 0 } },
    '?vital-average-empty',
  ],
  [
    'averages of no sample as 0',
    week('hrv', { asOf: '2026-10-12T12:00', rating: null }),
    {
      [metric('nightRestRmssdAverage')]: { value: 0, sampleCount: 0 },
      [metric('allDayRestRmssdAverage')]: { value: 0, sampleCount: 0 },
    },
    '?vital-average-empty ?vital-average-empty',
  ],
  ['an average of no sample as null', day('hr'), { [metric('allDayRestHrAverage')]: { value: null, sampleCount: 0 } }],
  ['as many valid nights as before today', thisWeek('hr'), { '/period/validNights': 2 }],
  [
    'fewer valid nights than nights with samples',
    week('hr'),
    { '/period/validNights': 5 },
    '?vital-valid-nights-differ',
  ],
  ['valid nights null', week('hr'), { '/period/validNights': null }],
]

/** Facts under a name that the page does not know, and the member that is meant. */
const misnamed: readonly (readonly [
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
  path: string,
  meant: string,
])[] = [
  [
    day('hrv'),
    { [metric('nightRestRmssdAverage')]: undefined, [metric('nightRestHrvAverage')]: { value: 48 } },
    metric('nightRestHrvAverage'),
    'nightRestRmssdAverage',
  ],
  [
    lastNight(),
    { [metric('night/nightRest')]: undefined, [metric('night/rest')]: { minutes: 480 } },
    metric('night/rest'),
    'nightRest',
  ],
  [lastNight(), { '/metrics': { nightRest: { minutes: 480 } } }, metric('nightRest'), 'night'],
  [
    week('hr'),
    {
      [metric('dailyAllDayRestHr')]: ['12', '13', '14', '15', '16', '17', '18'].map((date) => ({
        date: `2026-10-${date}`,
        value: 75,
        sampleCount: 88,
      })),
    },
    metric('dailyAllDayRestHr/0/value'),
    'allDayRestHrAverage',
  ],
  [
    week('activity'),
    { [metric('activityTime')]: { activityMinutes: 210 } },
    metric('activityTime/activityMinutes'),
    'averageDailyActivityMinutes',
  ],
  [
    week('bark'),
    { [metric('dailyBarkDurations/2')]: { date: '2026-10-14', durationSeconds: 410 } },
    metric('dailyBarkDurations/2/durationSeconds'),
    'barkDurationSeconds',
  ],
  [week('rest'), { [metric('nightRest')]: { minutes: 470 } }, metric('nightRest/minutes'), 'averageMinutes'],
  [
    day('activity', { rating: null }),
    { '/metric': 'bark', '/suppliedJudgment': null, [metric('measurementMode')]: 'estimated' },
    metric('activityTime'),
    'barkDurationSeconds',
  ],
]
for (const [options, changes, path, meant] of misnamed) {
  validation(`warns of ${path} in ${options.metric} by ${options.viewWindow}`, () => {
    const { warnings } = validate(changePayload(buildPayload(options), changes))
    const found = warnings.filter(({ rule }) => rule === 'envelope-unknown-member')
    assert.equal(
      found.map((warning) => [warning.path, warning.expected]),
      [[path, meant]],
    )
  })
}

validation('says which pages know a member by its name', () => {
  const { warnings } = validate(
    changePayload(buildPayload(week('activity')), { [metric('activityTime')]: { activityMinutes: 210 } }),
  )
  assert.equal(
    warnings.map(({ message }) => message),
    [
      'metrics.activityTime.activityMinutes is of activity by day and ignored, and averageDailyActivityMinutes is missing here.',
    ],
  )
})

const harmless: readonly (readonly [
  what: string,
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
])[] = [
  [
    'placeholders without numbers',
    day('hr'),
    {
      '/metrics': {
        nightRestHrBaseline: { status: 'unavailable', lower: null },
        nightRestHr: { value: null, sampleCount: 0 },
        dailyNightRest: [],
        hourlyRestHr: Array.from({ length: 24 }, (_, hour) => ({ at: String(hour), value: null })),
      },
    },
  ],
  [
    'another measure of barking',
    day('bark'),
    { '/metrics': { measurementMode: 'estimated', maxBarkDurationSeconds: 9 } },
  ],
  ['other facts where nothing was recorded', day('hr'), { '/metrics': { wearing: { minutes: 574 }, steps: 12 } }],
  [
    'a null main number',
    week('activity'),
    { [metric('activityTime')]: { averageDailyActivityMinutes: null, activityMinutes: 9, dailyActivityMinutes: null } },
  ],
  ['a baseline without a night', day('hr'), { '/metrics': { nightRestHrBaseline: { lower: 62, upper: 84 } } }],
]
for (const [what, options, changes] of harmless) {
  validation(`ignores ${what} (${options.metric}, ${options.viewWindow})`, () => {
    assert.equal(validate(changePayload(buildPayload(options), changes)), { errors: [], warnings: [] })
  })
}

const week7 = (...values: readonly (number | null)[]) => [...values, ...Array(7 - values.length).fill(null)]
const activityWeek = (average: unknown, ...values: readonly (number | null)[]) => ({
  [metric('activityTime')]: { averageDailyActivityMinutes: average, dailyActivityMinutes: week7(...values) },
})
const stepsWeek = (average: unknown, ...values: readonly (number | null)[]) => ({
  [metric('steps')]: { averageDailySteps: average, dailySteps: week7(...values) },
})
const dates = ['12', '13', '14', '15', '16', '17', '18'].map((date) => `2026-10-${date}`)
const hrNights = (average: unknown, nights: readonly (readonly [number | null, number])[]) => ({
  [metric('nightRestHrAverage/value')]: average,
  [metric('dailyNightRestHr')]: dates.map((date, index) => ({
    date,
    nightRestHrAverage: nights[index]?.[0] ?? null,
    sampleCount: nights[index]?.[1] ?? 0,
  })),
  '/period/validNights': null,
})
const restNights = (
  average: unknown,
  valid: number | null,
  nights: readonly (readonly [deep: number, light: number])[],
) => ({
  [metric('nightRest/averageMinutes')]: average,
  [metric('nightlyRestDurations')]: dates.map((nightDate, index) => ({
    nightDate,
    deepRestMinutes: nights[index]?.[0] ?? null,
    lightMovementMinutes: nights[index]?.[1] ?? null,
  })),
  '/period/validNights': valid,
})

const averages: readonly Row[] = [
  ['the mean of two finished days', thisWeek('activity'), activityWeek(250, 200, 300, 90)],
  ['off by exactly 1', thisWeek('activity'), activityWeek(251, 200, 300, 90)],
  ['off by exactly 1 below', thisWeek('activity'), activityWeek(249, 200, 300, 90)],
  ['off by 1 with floating noise', thisWeek('activity'), activityWeek(251.1, 200.1, 300.1, 90)],
  ['off by 1.01', thisWeek('activity'), activityWeek(251.01, 200, 300, 90), 'activity-average-agrees'],
  ['a half', thisWeek('activity'), activityWeek(250.5, 200, 301, 90)],
  ['noise of a sum', thisWeek('activity'), activityWeek(0.1 + 0.2, 0.3, 0.3, 90)],
  ['a day without records', thisWeek('activity'), activityWeek(300, null, 300, 90)],
  ['today counted as finished', thisWeek('activity'), activityWeek(196.7, 200, 300, 90), 'activity-average-agrees'],
  [
    'an average without its days',
    thisWeek('activity'),
    { [metric('activityTime')]: { averageDailyActivityMinutes: 250 } },
  ],
  ['days without their average', thisWeek('activity'), activityWeek(null, 200, 300, 90)],
  [
    'a number over no finished day',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(90, 90), ...stepsWeek(null) },
    'activity-average-without-days',
  ],
  [
    'a zero over no finished day',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(0, 90), ...stepsWeek(null) },
    'activity-average-without-days',
  ],
  [
    'a number over days without records',
    thisWeek('activity'),
    activityWeek(200, null, null, 90),
    'activity-average-without-days',
  ],
  ['steps with today', thisWeek('activity'), stepsWeek(5000, 6000, 7000, 2000)],
  ['steps without today', thisWeek('activity'), stepsWeek(6500, 6000, 7000, 2000)],
  ['steps of neither', thisWeek('activity'), stepsWeek(6000, 6000, 7000, 2000), 'steps-average-agrees'],
  [
    'steps of today alone',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(null, 90), ...stepsWeek(2000, 2000) },
  ],
  [
    'a zero of steps over no day',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(null, 90), ...stepsWeek(0) },
  ],
  [
    'steps over no day',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(null, 90), ...stepsWeek(5000, 2000) },
    '?average-without-days',
  ],
  [
    'steps over no day, array not sent',
    week('activity', { asOf: '2026-10-12T12:00' }),
    { ...activityWeek(null, 90), [metric('steps')]: { averageDailySteps: 5000 } },
    '?average-without-days',
  ],
  [
    'day rest with today',
    thisWeek('rest'),
    { [metric('dailyDayRestMinutes')]: week7(200, 300, 100), [metric('dayRest/averageMinutes')]: 200 },
    'day-rest-average-agrees',
  ],
  [
    'a night of 3 samples',
    week('hr'),
    hrNights(60, [
      [60, 4],
      [90, 3],
      [60, 40],
    ]),
  ],
  [
    'a night of 3 samples counted',
    week('hr'),
    hrNights(70, [
      [60, 4],
      [90, 3],
      [60, 40],
    ]),
    'vital-night-average-agrees',
  ],
  [
    'within 2 %',
    week('hr'),
    hrNights(102, [
      [100, 4],
      [100, 4],
    ]),
  ],
  [
    'beyond 2 %',
    week('hr'),
    hrNights(102.1, [
      [100, 4],
      [100, 4],
    ]),
    'vital-night-average-agrees',
  ],
  [
    'within 1 of a small number',
    week('hr'),
    hrNights(21, [
      [20, 4],
      [20, 4],
    ]),
  ],
  [
    'nights without that of today',
    thisWeek('hr'),
    hrNights(60, [
      [60, 9],
      [60, 9],
      [90, 9],
    ]),
  ],
  [
    'nights with that of today',
    thisWeek('hr'),
    hrNights(70, [
      [60, 9],
      [60, 9],
      [90, 9],
    ]),
  ],
  [
    'nights of neither',
    thisWeek('hr'),
    hrNights(80, [
      [60, 9],
      [60, 9],
      [90, 9],
    ]),
    'vital-night-average-agrees',
  ],
  ['no night with enough samples', week('hr'), hrNights(70, [[60, 3]]), '?average-without-days'],
  ['a zero over no night', week('hr'), hrNights(0, [])],
  [
    'a valid night fewer, which one is not said',
    week('hr'),
    {
      ...hrNights(60, [
        [60, 9],
        [60, 9],
        [90, 9],
      ]),
      '/period/validNights': 2,
    },
    '?vital-valid-nights-differ',
  ],
  [
    'beyond any choice of valid nights',
    week('hr'),
    {
      ...hrNights(85, [
        [60, 9],
        [60, 9],
        [90, 9],
      ]),
      '/period/validNights': 2,
    },
    'vital-night-average-agrees ?vital-valid-nights-differ',
  ],
  ['all-day with today', thisWeek('hr'), { [metric('allDayRestHrAverage/value')]: 77.8 }],
  [
    'deep rest and light movement',
    week('rest'),
    restNights(450, 2, [
      [400, 40],
      [420, 40],
    ]),
  ],
  [
    'deep rest alone',
    week('rest'),
    restNights(410, 2, [
      [400, 40],
      [420, 40],
    ]),
  ],
  [
    'neither of both',
    week('rest'),
    restNights(430, 2, [
      [400, 40],
      [420, 40],
    ]),
    'night-rest-average-agrees',
  ],
  [
    'the better of two nights',
    week('rest'),
    restNights(460, 1, [
      [400, 40],
      [420, 40],
    ]),
  ],
  [
    'beyond the better of two nights',
    week('rest'),
    restNights(462, 1, [
      [400, 40],
      [420, 40],
    ]),
    'night-rest-average-agrees',
  ],
  ['rest over no night', week('rest'), restNights(450, null, []), '?average-without-days'],
  ['bark with today', thisWeek('bark'), { [metric('averageDailyBarkDurationSeconds')]: 502 }],
  [
    'bark of neither mean',
    thisWeek('bark'),
    { [metric('averageDailyBarkDurationSeconds')]: 505 },
    'bark-average-agrees',
  ],
  // The date of asOf has two readings: in the pet's time zone, and in the offset it is written with.
  ...(['2026-10-15T06:30:00+08:00', '2026-10-14T22:30:00Z'] as const).flatMap((asOf): readonly Row[] => [
    [
      `nights without that of today, valid nights null, asOf ${asOf}`,
      week('hr', { asOf }),
      hrNights(67.33, [
        [60, 9],
        [62, 9],
        [80, 9],
        [90, 9],
      ]),
    ],
    [
      `nights without that of today, valid nights with it, asOf ${asOf}`,
      week('hr', { asOf }),
      {
        ...hrNights(67.33, [
          [60, 9],
          [62, 9],
          [80, 9],
          [90, 9],
        ]),
        '/period/validNights': 4,
      },
    ],
    [
      `valid nights without that of today, asOf ${asOf}`,
      week('hr', { asOf }),
      {
        ...hrNights(73, [
          [60, 9],
          [62, 9],
          [80, 9],
          [90, 9],
        ]),
        '/period/validNights': 3,
      },
    ],
    [
      `rest without the night of today, asOf ${asOf}`,
      week('rest', { asOf }),
      restNights(440, null, [
        [400, 40],
        [400, 40],
        [400, 40],
        [200, 20],
      ]),
    ],
    [
      `nights of no reading, asOf ${asOf}`,
      week('hr', { asOf }),
      hrNights(64, [
        [60, 9],
        [62, 9],
        [80, 9],
        [90, 9],
      ]),
      'vital-night-average-agrees',
    ],
  ]),
  ...(['2026-10-12T21:00:00-04:00', '2026-10-13T01:00:00Z'] as const).flatMap((asOf): readonly Row[] => {
    const monday = (name: PayloadOptions['metric']) => week(name, { asOf, timezone: 'America/New_York', rating: null })
    return [
      [`a zero of bark on Monday, asOf ${asOf}`, monday('bark'), { [metric('averageDailyBarkDurationSeconds')]: 0 }],
      [`a zero of steps on Monday, asOf ${asOf}`, monday('activity'), { [metric('steps/averageDailySteps')]: 0 }],
      [`a zero of day rest on Monday, asOf ${asOf}`, monday('rest'), { [metric('dayRest/averageMinutes')]: 0 }],
      [`a zero of all-day hr on Monday, asOf ${asOf}`, monday('hr'), { [metric('allDayRestHrAverage/value')]: 0 }],
      [
        `day rest on Monday, asOf ${asOf}`,
        monday('rest'),
        { [metric('dayRest/averageMinutes')]: 100 },
        '?average-without-days',
      ],
    ]
  }),
  [
    'activity of the finished day by the date as written',
    week('activity', { asOf: '2026-10-13T01:00:00Z', timezone: 'America/New_York', rating: null }),
    activityWeek(205, 205),
  ],
  [
    'activity that no finished day by either date explains',
    week('activity', { asOf: '2026-10-13T01:00:00Z', timezone: 'America/New_York', rating: null }),
    activityWeek(300, 205),
    'activity-average-agrees',
  ],
  [
    'a zero over no night but that of today',
    week('hr', { asOf: '2026-10-12T12:00' }),
    { ...hrNights(0, [[68, 9]]), '/period/validNights': 0 },
  ],
  ['an average built before midnight', week('activity', { asOf: '2026-10-14T00:05' }), activityWeek(200, 200, 300)],
  [
    'nights as they were before midnight',
    week('hr', { asOf: '2026-10-14T00:05' }),
    hrNights(60, [
      [60, 9],
      [90, 9],
    ]),
  ],
  [
    'an average built eleven minutes before',
    week('activity', { asOf: '2026-10-14T00:11' }),
    activityWeek(200, 200, 300),
    'activity-average-agrees',
  ],
  [
    'an average of the days before the latest report',
    thisWeek('activity'),
    { ...activityWeek(200, 200, 300), [context('observedThrough')]: '2026-10-13T20:00:00+08:00' },
  ],
  [
    'an average of the days before a report of another week',
    thisWeek('rest'),
    {
      [metric('dailyDayRestMinutes')]: week7(200, 300, 100),
      [metric('dayRest/averageMinutes')]: 300,
      [context('observedThrough')]: '2026-10-01T20:00:00+08:00',
    },
    'day-rest-average-agrees',
  ],
  ...([null, undefined] as const).flatMap((sampleCount): readonly Row[] => [
    ...([68, 60] as const).map(
      (average): Row => [
        `${average} with a night of ${sampleCount} samples`,
        week('hr'),
        {
          ...hrNights(average, [
            [60, 9],
            [76, 9],
            [60, 9],
          ]),
          [metric('dailyNightRestHr/1/sampleCount')]: sampleCount,
          [metric('dailyNightRestHr/2')]: null,
        },
      ],
    ),
    [
      `64 with a night of ${sampleCount} samples`,
      week('hr'),
      {
        ...hrNights(64, [
          [60, 9],
          [76, 9],
        ]),
        [metric('dailyNightRestHr/1/sampleCount')]: sampleCount,
      },
      'vital-night-average-agrees',
    ],
    [
      `some of the nights of ${sampleCount} samples`,
      week('hr'),
      {
        ...hrNights(66, [
          [60, 9],
          [72, 9],
          [90, 9],
        ]),
        [metric('dailyNightRestHr/1/sampleCount')]: sampleCount,
        [metric('dailyNightRestHr/2/sampleCount')]: sampleCount,
      },
    ],
  ]),
  [
    'one or two valid nights where one has no sample count',
    week('hr'),
    {
      ...hrNights(60, [
        [60, 9],
        [60, 9],
      ]),
      [metric('dailyNightRestHr/1/sampleCount')]: null,
      '/period/validNights': 2,
    },
  ],
  ...([460, 470, 400, 407] as const).map(
    (average): Row => [
      `an average of ${average} with a night without light movement`,
      week('rest'),
      {
        ...restNights(average, null, [
          [400, 70],
          [414, 46],
          [400, 70],
        ]),
        [metric('nightlyRestDurations/1/lightMovementMinutes')]: null,
        [metric('nightlyRestDurations/2')]: null,
      },
      average === 460 ? 'night-rest-average-agrees' : '',
    ],
  ),
  ...(
    [
      ['asOf on 30 February', { [context('asOf')]: '2026-02-30T12:00:00+08:00' }, 'context-as-of'],
      ['no time zone', { '/period/timezone': undefined }, 'period-timezone'],
      ['no context', { '/insightContext': undefined }, 'context-required'],
    ] as const
  ).map(
    ([what, changes, broken]): Row => [
      `${what} with nights without that of today`,
      thisWeek('hr'),
      {
        ...hrNights(60, [
          [60, 9],
          [60, 9],
          [90, 9],
        ]),
        ...changes,
      },
      broken,
    ],
  ),
  ...(
    [
      [32, 'period-nights-within-window'],
      [-1, 'period-nights-within-window'],
      [2.5, 'period-nights-integer'],
      [undefined, 'period-nights-required'],
    ] as const
  ).map(
    ([validNights, broken]): Row => [
      `validNights ${validNights} with the better of two nights`,
      week('hr'),
      {
        ...hrNights(60, [
          [60, 9],
          [60, 9],
          [90, 9],
        ]),
        '/period/validNights': validNights,
      },
      broken,
    ],
  ),
  [
    'a whole-day value without samples, with its average',
    week('hr'),
    { [metric('dailyAllDayRestHr/2/sampleCount')]: 0, [metric('dailyAllDayRestHr/2/allDayRestHrAverage')]: 300 },
    'vital-empty-sample',
  ],
  [
    'a night to come, with its average',
    thisWeek('hr'),
    { [metric('dailyNightRestHr/5/nightRestHrAverage')]: 300, [metric('dailyNightRestHr/5/sampleCount')]: 9 },
    'series-future-value',
  ],
  [
    'a night to come in its average',
    thisWeek('hr'),
    {
      ...hrNights(100, [
        [60, 9],
        [60, 9],
        [60, 9],
        [180, 9],
        [180, 9],
      ]),
      [metric('dailyNightRestHr/4')]: null,
    },
    'series-future-value',
  ],
  ['a day to come in its average', thisWeek('activity'), activityWeek(300, 200, 300, 90, 400), 'series-future-value'],
]

const nights: readonly Row[] = [
  ['the night of a day', lastNight(), {}],
  ['a night of 9 hours', lastNight({ timezone: 'America/New_York', date: '2026-03-08' }), {}],
  ['a night of 11 hours', lastNight({ timezone: 'America/New_York', date: '2026-11-01' }), {}],
  ['a night of nine and a half hours', lastNight({ timezone: 'Australia/Lord_Howe', date: '2026-10-04' }), {}],
  ['a night on the line', lastNight({ timezone: 'Pacific/Kiritimati' }), {}],
  ['a night in Kathmandu', lastNight({ timezone: 'Asia/Kathmandu' }), {}],
  [
    'a night written in UTC',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-13T14:00:00Z', [metric('night/endAt')]: '2026-10-14T00:00:00.000Z' },
  ],
  [
    'a night without offsets',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-13T22:00:00', [metric('night/endAt')]: '2026-10-14T08:00' },
  ],
  ['a night with no times', lastNight(), { [metric('night/startAt')]: null, [metric('night/endAt')]: undefined }],
  ['an hour early', lastNight(), { [metric('night/endAt')]: '2026-10-14T07:00:00+08:00' }, '?night-time-shifted'],
  [
    'written in the zone of a journey',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-13T22:00:00+02:00', [metric('night/endAt')]: '2026-10-14T08:00:00+02:00' },
    '?night-time-shifted ?night-time-shifted',
  ],
  ['14 hours off', lastNight(), { [metric('night/endAt')]: '2026-10-14T22:00:00+08:00' }, '?night-time-shifted'],
  ['14 hours and a minute off', lastNight(), { [metric('night/endAt')]: '2026-10-14T22:01:00+08:00' }, 'night-time'],
  [
    'the night after',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-14T22:00:00+08:00', [metric('night/endAt')]: '2026-10-15T08:00:00+08:00' },
    'night-time night-time',
  ],
  ['a year with a letter', lastNight(), { [metric('night/startAt')]: 'x026-10-13T22:00:00+08:00' }, 'night-time'],
  ['an end before the start', lastNight(), { [metric('night/endAt')]: '2026-10-13T21:00:00+08:00' }, 'night-time'],
  ['a start after the end', lastNight(), { [metric('night/startAt')]: '2026-10-14T09:00:00+08:00' }, 'night-time'],
  ['a start at the end', lastNight(), { [metric('night/startAt')]: '2026-10-14T08:00:00+08:00' }, 'night-time'],
  [
    'a night as numbers',
    lastNight(),
    {
      [metric('night/startAt')]: Date.parse('2026-10-13T22:00:00+08:00'),
      [metric('night/endAt')]: Date.parse('2026-10-14T08:00:00+08:00'),
    },
    '?night-time-number ?night-time-number',
  ],
  [
    'a start as a number, an hour early',
    lastNight(),
    { [metric('night/startAt')]: Date.parse('2026-10-13T21:00:00+08:00') },
    '?night-time-number ?night-time-shifted',
  ],
  [
    'an end as a number, a day late',
    lastNight(),
    { [metric('night/endAt')]: Date.parse('2026-10-15T08:00:00+08:00') },
    'night-time',
  ],
  ['a start that is half a millisecond', lastNight(), { [metric('night/startAt')]: 1791900000000.5 }, 'night-time'],
  ['a start beyond all dates', lastNight(), { [metric('night/startAt')]: 9e15 }, 'night-time'],
  ['a start that is not a date-time', lastNight(), { [metric('night/startAt')]: '22:00' }, 'night-time'],
  ['a start that is a number', lastNight(), { [metric('night/startAt')]: 22 }, 'night-time'],
  ['a start on 31 September', lastNight(), { [metric('night/startAt')]: '2026-09-31T22:00:00+08:00' }, 'night-time'],
]

const amounts: readonly Row[] = [
  ['a whole day of activity', day('activity'), { [metric('activityTime/activityMinutes')]: 1440 }],
  ['activity in seconds', day('activity'), { [metric('activityTime/activityMinutes')]: 12_600 }, '?metrics-beyond-day'],
  [
    'a goal in seconds',
    day('activity'),
    { [metric('activityTime/activityMinutesGoal')]: 14_400 },
    '?metrics-beyond-day',
  ],
  [
    'days in seconds',
    week('activity'),
    activityWeek(9100, 9000, 9100, 9200),
    '?metrics-beyond-day ?metrics-beyond-day',
  ],
  ['barking in milliseconds', day('bark'), { [metric('barkDurationSeconds')]: 999_999 }, '?metrics-beyond-day'],
  ['a whole day of barking', day('bark'), { [metric('barkDurationSeconds')]: 86_400 }],
  ['a night of 11 hours', lastNight(), { [metric('night/nightRest/minutes')]: 660 }],
  ['a night in seconds', lastNight(), { [metric('night/nightRest/minutes')]: 30_720 }, '?metrics-beyond-night'],
  ['wearing in seconds', lastNight(), { [metric('night/wearingMinutes')]: 34_440 }, '?metrics-beyond-night'],
  [
    'a longer night that was sent so',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-13T20:00:00+08:00', [metric('night/nightRest/minutes')]: 700 },
    '?night-time-shifted',
  ],
  [
    'nights in seconds',
    week('rest'),
    restNights(27_000, 2, [
      [24_000, 2400],
      [25_200, 2400],
    ]),
    '?metrics-beyond-night ?metrics-beyond-night',
  ],
  [
    'a range of hours',
    lastNight(),
    { [comparison('usualLower')]: 7, [comparison('usualUpper')]: 9 },
    '?comparison-range-unit',
  ],
  ['a range of little activity', day('activity'), { [comparison('usualLower')]: 7, [comparison('usualUpper')]: 9 }],
  ['a range of 0', lastNight(), { [comparison('usualLower')]: 0, [comparison('usualUpper')]: 0 }],
  [
    'a range in seconds',
    day('activity'),
    { [comparison('usualLower')]: 10_800, [comparison('usualUpper')]: 18_000 },
    '?comparison-range-unit',
  ],
]

for (const rows of [amounts, envelope, period, contexts, judgments, modes, facts, averages, nights]) {
  for (const [name, options, changes, broken = ''] of rows) {
    const rules = broken.split(' ').filter((rule) => rule !== '')
    const verb = rules.some((rule) => !rule.startsWith('?')) ? 'refuses' : rules.length > 0 ? 'warns of' : 'accepts'
    validation(`${verb} ${name} (${options.metric}, ${options.viewWindow})`, () => {
      const { errors, warnings } = validate(changePayload(buildPayload(options), changes))
      const found = [...errors.map(({ rule }) => rule), ...warnings.map(({ rule }) => `?${rule}`)]
      assert.equal(found.sort(), rules.sort(), JSON.stringify([...errors, ...warnings], null, 1))
    })
  }
}

for (const [name, value] of Object.entries({
  null: null,
  'an array': [],
  'a text': 'x',
  'a number': 1,
  nothing: undefined,
})) {
  validation(`refuses ${name} as a payload`, () => {
    assert.equal(
      validate(value).errors.map(({ rule, path }) => [rule, path]),
      [['payload-object', '']],
    )
  })
}

const zones = ['Asia/Shanghai', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Kiritimati', 'America/New_York']
/** DST begins or ends in one or another of the zones; months of 28 to 31 days. */
const days = [
  '2026-10-14',
  '2026-03-08',
  '2026-11-01',
  '2026-10-04',
  '2026-04-05',
  '2026-02-11',
  '2024-02-29',
  '2026-12-31',
]
for (const { metric, viewWindow } of combinations) {
  validation(
    `accepts ${metric} by ${viewWindow} in every zone and month, rated or not, with placeholders or without`,
    () => {
      for (const timezone of zones) {
        for (const date of days) {
          for (const asOf of [undefined, viewWindow === 'day' ? undefined : `${date}T00:00`]) {
            for (const rating of [undefined, null]) {
              const payload = buildPayload({
                metric,
                viewWindow,
                timezone,
                date,
                ...(asOf && { asOf }),
                ...(rating === null && { rating }),
              })
              for (const sent of [payload, addPlaceholders(payload)]) {
                assert.equal(validate(sent), { errors: [], warnings: [] }, `${timezone} ${date} ${asOf}`)
              }
            }
          }
        }
      }
    },
  )
}

validation('takes nights called by the evening before, in all entries', () => {
  for (const asOf of ['2026-10-19T10:30', '2026-10-14T12:00', '2026-10-14T23:00']) {
    const payload = buildPayload(week('rest', { asOf }))
    const evenings = Object.fromEntries(
      ['11', '12', '13', '14', '15', '16', '17'].map((date, index) => [
        metric(`nightlyRestDurations/${index}/nightDate`),
        `2026-10-${date}`,
      ]),
    )
    assert.equal(validate(changePayload(payload, evenings)), { errors: [], warnings: [] }, asOf)
  }
})

validation('says what is wrong in words that can be acted on', () => {
  const payload = buildPayload(week('activity', { asOf: '2026-10-18T12:00' }))
  const { errors } = validate(changePayload(payload, activityWeek(412, 398, 399, 398, 399, 398, 399)))
  assert.equal(errors, [
    {
      path: '/metrics/activityTime/averageDailyActivityMinutes',
      rule: 'activity-average-agrees',
      message:
        'averageDailyActivityMinutes is 412, but the 6 finished days average 398.5; within 1 of that was expected.',
      expected: '398.5',
      actual: '412',
    },
  ])
})

const sayings: readonly (readonly [
  what: string,
  options: PayloadOptions,
  changes: Readonly<Record<string, unknown>>,
  path: string,
  message: string,
])[] = [
  [
    'the date of asOf in the zone of the pet',
    day('hr', { asOf: '2026-10-14T12:00' }),
    { [context('asOf')]: '2026-10-13T23:05:00-09:00' },
    context('mode'),
    'insightContext.mode is "selected_window", which is for a past day, but the day is 2026-10-14 and asOf is 2026-10-13T23:05:00-09:00, which is 2026-10-14 in Asia/Shanghai: today is "today_so_far".',
  ],
  [
    'one night in the singular',
    week('hr'),
    hrNights(70, [[54.66, 4]]),
    metric('nightRestHrAverage/value'),
    'nightRestHrAverage.value is 70, but the 1 night with at least 4 samples averages 54.66; within 1.09 of that was expected.',
  ],
  [
    'the nights that may or may not count',
    week('hr'),
    {
      ...hrNights(300, [
        [60, 9],
        [64, 9],
      ]),
      [metric('dailyNightRestHr/0/sampleCount')]: null,
    },
    metric('nightRestHrAverage/value'),
    'nightRestHrAverage.value is 300, but the 2 nights with at least 4 samples, or no number of samples, average 62; within 1.24 of that was expected.',
  ],
  [
    'the finished day of the reading that has one',
    week('activity', { asOf: '2026-10-13T01:00:00Z', timezone: 'America/New_York', rating: null }),
    activityWeek(300, 205),
    metric('activityTime/averageDailyActivityMinutes'),
    'averageDailyActivityMinutes is 300, but the 1 finished day averages 205; within 1 of that was expected.',
  ],
  [
    'all days to come that have values',
    thisWeek('activity'),
    { [metric('steps/dailySteps')]: [6010, 6221, 3120, 0, 0, null, 0] },
    metric('steps/dailySteps/3'),
    'metrics.steps.dailySteps[3] is 0, but 2026-10-15 is after the date of asOf, 2026-10-14: days to come are null. The same goes for 2 more entries: 4 and 6.',
  ],
  [
    'all dates that are off',
    week('bark'),
    {
      [metric('dailyBarkDurations/2/date')]: '2026-10-15',
      [metric('dailyBarkDurations/3/date')]: '2026-10-16',
      [metric('dailyBarkDurations/4/date')]: '2026-10-17',
    },
    metric('dailyBarkDurations/2/date'),
    'metrics.dailyBarkDurations[2].date is "2026-10-15", but entry 2 of an array from 2026-10-12 is 2026-10-14. The same goes for 2 more entries: 3 to 4.',
  ],
  [
    'the week that a week from Sunday mostly covers',
    week('activity', { date: '2026-03-11' }),
    { '/period/startDate': '2026-03-08', '/period/endDate': '2026-03-14' },
    '/period/startDate',
    'period is 2026-03-08, a Sunday, to 2026-03-14, a Saturday, but a week runs from Monday to the Sunday after it: 2026-03-09 to 2026-03-15 was expected.',
  ],
  [
    'the week of one that begins on Wednesday',
    week('activity', { date: '2026-03-11' }),
    { '/period/startDate': '2026-03-11', '/period/endDate': '2026-03-15' },
    '/period/startDate',
    'period is 2026-03-11, a Wednesday, to 2026-03-15, a Sunday, but a week runs from Monday to the Sunday after it: 2026-03-09 to 2026-03-15 was expected.',
  ],
  [
    'the month that the dates mostly cover',
    month('bark', { date: '2026-09-01' }),
    { '/period/startDate': '2026-08-31', '/period/endDate': '2026-09-29' },
    '/period/startDate',
    'period is 2026-08-31, a Monday, to 2026-09-29, a Tuesday, but a month runs from its first to its last day: 2026-09-01 to 2026-09-30 was expected.',
  ],
  [
    'a day of two dates',
    day('activity'),
    { '/period/startDate': '2026-10-13' },
    '/period/endDate',
    'period is 2026-10-13 to 2026-10-14, but a day window starts and ends on the same day: both dates are 2026-10-13, or both 2026-10-14.',
  ],
  [
    'a week that is sent as a day',
    day('activity', { date: '2026-10-18' }),
    { '/period/startDate': '2026-10-12' },
    '/period/endDate',
    'period is 2026-10-12 to 2026-10-18, but a day window starts and ends on the same day: both dates are 2026-10-12, or both 2026-10-18, or viewWindow is "week".',
  ],
  [
    'how many rated days there are without a rating',
    week('hr', { rating: null, count: 3 }),
    {},
    judgment('judgedDays'),
    'suppliedJudgment.judgedDays is 3, but there is no rating; it must be 0.',
  ],
  [
    'how long an array is that is too long',
    week('activity'),
    { [metric('steps')]: { dailySteps: [1, 2, 3, 4, 5, 6, 7, 8] } },
    metric('steps/dailySteps'),
    'metrics.steps.dailySteps has 8 entries, but the window has 7 days.',
  ],
  [
    'which object a block is',
    lastNight(),
    { [metric('night/nightRest')]: 480 },
    metric('night/nightRest'),
    'metrics.night.nightRest is 480, but must be an object with minutes, or null.',
  ],
  [
    'which object is missing',
    day('hr'),
    { '/period': undefined },
    '/period',
    'period is missing; it must be an object with startDate, endDate, timezone and isCompleted.',
  ],
  [
    'which of many members a block has',
    lastNight(),
    { [metric('night')]: 480 },
    metric('night'),
    'metrics.night is 480, but must be an object with members such as startAt and endAt, or null.',
  ],
  [
    'what kind of number a time of a snapshot is',
    lastNight(),
    { [context('sourceSnapshot/asOf')]: '2026-10-14' },
    context('sourceSnapshot/asOf'),
    'insightContext.sourceSnapshot.asOf is "2026-10-14", but must be a whole number such as milliseconds since 1970.',
  ],
  [
    'a wrong date of the first night',
    week('rest'),
    { [metric('nightlyRestDurations/0/nightDate')]: '2026-10-11' },
    metric('nightlyRestDurations/0/nightDate'),
    'metrics.nightlyRestDurations[0].nightDate is "2026-10-11", but entry 0 of an array from 2026-10-12 is 2026-10-12.',
  ],
  [
    'a start after the end at the start',
    lastNight(),
    { [metric('night/startAt')]: '2026-10-14T09:00:00+08:00' },
    metric('night/startAt'),
    'night.startAt is "2026-10-14T09:00:00+08:00", which is not before night.endAt: 22:00 of the day before 2026-10-14 in Asia/Shanghai was expected.',
  ],
  [
    'an end before the start at the end',
    lastNight(),
    { [metric('night/endAt')]: '2026-10-13T21:00:00+08:00' },
    metric('night/endAt'),
    'night.endAt is "2026-10-13T21:00:00+08:00", which is not after night.startAt: 08:00 of the day 2026-10-14 in Asia/Shanghai was expected.',
  ],
]
for (const [what, options, changes, path, message] of sayings) {
  validation(`says ${what}`, () => {
    const { errors } = validate(changePayload(buildPayload(options), changes))
    assert.equal(
      errors.map((error) => [error.path, error.message]),
      [[path, message]],
    )
  })
}

validation('lists violations in the order of the payload', () => {
  const payload = changePayload(buildPayload(week('hr')), {
    '/metrics/dailyNightRestHr/3/sampleCount': -1,
    '/metrics/dailyNightRestHr/1/date': '2026-10-19',
    '/suppliedJudgment/rating': 'fine',
    '/schemaVersion': 'v3',
    '/insightContext/factVersion': undefined,
    '/insightContext/mode': 'today',
  })
  assert.equal(
    validate(payload).errors.map(({ path }) => path),
    [
      '/schemaVersion',
      '/insightContext/mode',
      '/insightContext/factVersion',
      '/suppliedJudgment/rating',
      '/metrics/dailyNightRestHr/1/date',
      '/metrics/dailyNightRestHr/3/sampleCount',
    ],
  )
})

validation('does not repeat who the pet and its owner are', () => {
  const secret = 'Mochi-von-und-zu-'.repeat(20)
  const { errors } = validate(changePayload(buildPayload(day('hr')), { '/userId': secret, '/petId': secret }))
  assert.is(errors.length, 2)
  assert.not.match(JSON.stringify(errors), 'Mochi')
})

const nearNames: readonly [pointer: string, instead: string, PayloadOptions][] = [
  ['/Locale', '/locale', day('hr')],
  ['/period/elapsed_nights', '/period/elapsedNights', day('hr')],
  ['/insightContext/comparison/usualUper', '/insightContext/comparison/usualUpper', day('bark')],
  ['/metrics/activityTime/activityMinuteGoal', '/metrics/activityTime/activityMinutesGoal', day('activity')],
  ['/metrics/night/nightRest/minute', '/metrics/night/nightRest/minutes', lastNight()],
  ['/metrics/dailyNightRestRr', '/metrics/dailyNightRestHr', week('hr')],
]
for (const [pointer, instead, options] of nearNames) {
  validation(`warns of ${pointer} where ${instead} is missing, and only then`, () => {
    const misnamed = changePayload(buildPayload(options), { [instead]: undefined, [pointer]: null })
    const found = validate(misnamed).warnings.filter(({ rule }) => rule === 'envelope-unknown-member')
    assert.equal(
      found.map(({ path }) => path),
      [pointer],
    )
    const both = changePayload(buildPayload(options), { [pointer]: null, [instead]: null })
    assert.equal(
      validate(both).warnings.filter(({ rule }) => rule === 'envelope-unknown-member'),
      [],
    )
  })
}

validation('knows the length of every month', () => {
  for (let monthOfYear = 1; monthOfYear <= 12; monthOfYear++) {
    const date = `2026-${String(monthOfYear).padStart(2, '0')}-15`
    const payload = buildPayload(month('bark', { date }))
    assert.is(payload.period.endDate.slice(8), String(daysInMonth(2026, monthOfYear)))
    assert.equal(validate(payload).errors, [])
  }
})

validation.run()
