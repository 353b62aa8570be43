import { suite } from 'uvu'
import {
  day,
  inContext,
  inJudgment,
  inMetrics,
  lastNight,
  type MessageRow,
  type RuleRow,
  testMessages,
  testRows,
} from './rules/rows.js'

const structure = suite('structure')

const rows: readonly RuleRow[] = [
  [
    'optional members null',
    day('activity'),
    {
      [inContext('comparison')]: null,
      [inContext('observedThrough')]: null,
      [inContext('baselineProgress')]: null,
      [inJudgment('deteriorating')]: null,
      [inJudgment('unusualDays')]: null,
      [inJudgment('judgedDays')]: null,
      '/metrics/steps': null,
    },
  ],
]
testRows(structure, rows)

const messages: readonly MessageRow[] = [
  [
    'which object a block is',
    lastNight(),
    { [inMetrics('night/nightRest')]: 480 },
    inMetrics('night/nightRest'),
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
    { [inMetrics('night')]: 480 },
    inMetrics('night'),
    'metrics.night is 480, but must be an object with members such as startAt and endAt, or null.',
  ],
  [
    'what kind of number a time of a snapshot is',
    lastNight(),
    { [inContext('sourceSnapshot/asOf')]: '2026-10-14' },
    inContext('sourceSnapshot/asOf'),
    'insightContext.sourceSnapshot.asOf is "2026-10-14", but must be a whole number such as milliseconds since 1970.',
  ],
]
testMessages(structure, messages)

structure.run()
