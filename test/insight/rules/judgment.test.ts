import { suite } from 'uvu'
import { day, lastNight, type MessageRow, month, type RuleRow, testMessages, testRows, thisWeek, week } from './rows.js'

const judgment = suite('judgment rules')

const [missing, unrated, beyond] = [
  'judgment-keys-present',
  'judgment-no-rating-counts',
  'judgment-count-exceeds-window',
]
const rows: readonly RuleRow[] = [
  ['no judgment for activity', week('activity', { judgment: null }), {}],
  ['a null judgment for bark', day('bark'), { '/suppliedJudgment': null }],
  ['no judgment for rest', lastNight(), { '/suppliedJudgment': undefined }, 'judgment-object'],
  ['a null judgment for rr', week('rr'), { '/suppliedJudgment': null }, 'judgment-object'],
  ['a judgment that is a string, for bark', day('bark'), { '/suppliedJudgment': 'calm' }, 'judgment-object'],
  ['the rule version missing', day('bark'), { ruleVersion: undefined }, 'judgment-rule-version'],
  ['rating missing', day('hr'), { rating: undefined }, 'judgment-keys-present'],
  [
    'three keys missing',
    day('bark'),
    { rating: undefined, direction: undefined, baselineSource: undefined },
    `${missing} ${missing} ${missing}`,
  ],
  ['rating balanced', day('hr', { rating: 'balanced' }), {}],
  ['rating balanced for activity', day('activity'), { rating: 'balanced' }, 'judgment-rating'],
  ['rating good', lastNight(), { rating: 'good' }, 'judgment-rating'],
  ['direction against the rating', day('hr', { rating: 'low', direction: 1 }), {}],
  ['direction 2', day('hr'), { direction: 2 }, 'judgment-direction'],
  ['baselineSource null', day('hr'), { baselineSource: null }],
  ['baselineSource general', day('hr'), { baselineSource: 'general' }, '?judgment-baseline-source-unknown'],
  ['deteriorating false', day('hr', { deteriorating: false }), {}],
  ['deteriorating 0', day('hr'), { deteriorating: 0 }, 'judgment-deteriorating'],
  ['rated nights missing', week('rest'), { ratedNights: undefined }, 'judgment-rated-count'],
  ['judged days null for hr', week('hr'), { judgedDays: null }, 'judgment-rated-count'],
  ['judged days null for activity', week('activity'), { judgedDays: null }],
  ['judged days below zero', week('activity'), { judgedDays: -1 }, 'judgment-rated-count'],
  ['attention days missing', week('hr'), { unusualDays: undefined }],
  ['half an attention day', week('hr'), { unusualDays: 1.5 }, 'judgment-attention-count'],
  ['no rating, attention 0', week('hr', { rating: null, attentionDays: 0 }), {}],
  ['no rating, attention 1', week('hr', { rating: null, attentionDays: 1 }), {}, 'judgment-no-rating-counts'],
  ['no rating, two counts', week('rest', { rating: null, count: 8, attentionDays: 9 }), {}, `${unrated} ${unrated}`],
  ['no rating of bark', week('bark', { rating: null, attentionDays: 1 }), {}, '?judgment-no-rating-counts-optional'],
  ['as many rated days as days', week('bark', { count: 7, attentionDays: 7 }), {}],
  ['one rated day too many', week('bark', { count: 8 }), {}, 'judgment-count-exceeds-window'],
  ['thirty-one rated nights in thirty', month('rest', { date: '2026-09-01', count: 31 }), {}, beyond],
  ['attention above rated', week('activity', { count: 3, attentionDays: 4 }), {}, 'judgment-attention-exceeds-rated'],
  ['attention days without rated days', week('activity', { attentionDays: 2 }), { judgedDays: undefined }],
  ['eight attention days', week('activity', { attentionDays: 8 }), { judgedDays: undefined }, beyond],
  ['today rated, too', thisWeek('hr', { count: 3 }), {}],
  ['tomorrow rated, too', thisWeek('hr', { count: 4 }), {}, '?judgment-count-after-today'],
  ['two rated days on a day', day('bark', { count: 2 }), {}, '?judgment-day-count'],
]
testRows(judgment, rows, '/suppliedJudgment')

const messages: readonly MessageRow[] = [
  [
    'how many rated days there are without a rating',
    week('hr', { rating: null, count: 3 }),
    {},
    'suppliedJudgment.judgedDays is 3, but there is no rating; it must be 0.',
    'judgedDays',
  ],
]
testMessages(judgment, messages, '/suppliedJudgment')

judgment.run()
