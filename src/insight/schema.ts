/**
 * The structure of a payload, written once: the validators, the published JSON Schema, the rules that need no more than
 * it, and the types of payloads all come from here. Imported at build time only (types apart): commands load what is
 * generated.
 *
 * Every node that can fail names its rule in `$comment`; `expected` is how a message words what the node asks for,
 * where the words made from its keywords would not do. What no structure can say (dates that agree, sums) is in
 * `rules/`, as are the rules that check both: their nodes have the ID alone.
 */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { listWords } from '../text/spelling.js'
import { locales, metrics, type Rule, viewWindows } from './types.js'
import { type MetricWindow, type VitalInfix, vitalMembers } from './vitals.js'

/**
 * A rule that the structure checks: of one member, with a good and a bad value of it, or of several. In its sentence,
 * `{member}` and `{expected}` are the name of its node and what it asks for; without a sentence, the rule reads
 * "{member} is {expected}." Its section is that of its node, where it is not given.
 */
export type StructuralRule = Pick<Rule, 'id'> &
  Partial<Pick<Rule, 'section' | 'sentence'>> &
  ({ readonly values: readonly [good: unknown, bad: unknown] } | Pick<Rule, 'good' | 'bad'>)

/** Names the rule of a node, and says what the member is, its unit and its place in the contract. */
const about = (rule: string | StructuralRule, sentence: string, section: string, expected?: string) => ({
  description: `${sentence} Health detail contract, ${section}.`,
  $comment: typeof rule === 'string' ? rule : { section, ...rule },
  ...(expected === undefined ? {} : { expected }),
})
type About = ReturnType<typeof about>

/** null for an optional member is the same as leaving it out. */
const nullable = <Value>(type: string, keywords: object) =>
  Type.Optional(Type.Unsafe<Value | null>({ type: [type, 'null'], ...keywords }))
const nullableObject = <Properties extends TProperties>(properties: Properties, note: About) =>
  Type.Optional(
    Type.Unsafe<Static<ReturnType<typeof Type.Object<Properties>>> | null>({
      ...Type.Object(properties),
      type: ['object', 'null'],
      ...note,
    }),
  )
const nullableArray = <Element>(items: TSchema, keywords: object) =>
  nullable<Element[]>('array', { items, ...keywords })
const oneOf = <Value extends string>(values: readonly Value[], note: About) =>
  Type.Unsafe<Value>({ enum: values, ...note })
const oneOfOrNull = <Value extends string | number>(values: readonly Value[], note: About) =>
  Type.Unsafe<Value | null>({ enum: [...values, null], ...note })
/** A member whose content nothing depends on: any value is accepted. */
const anything = (sentence: string, section: string) =>
  Type.Optional(Type.Unknown({ description: `${sentence} Not checked. Health detail contract, ${section}.` }))

const numberRule: StructuralRule = {
  id: 'metrics-number',
  sentence:
    'Durations, counts and averages are numbers of 0 or more; left out or null when there is no trusted source.',
  good: { metrics: { barkDurationSeconds: 540 } },
  bad: { metrics: { barkDurationSeconds: '540' } },
}
const blockRule: StructuralRule = {
  id: 'metrics-block',
  sentence:
    'The blocks inside metrics, such as activityTime or night, are objects; left out or null when there are no records.',
  good: { metrics: { steps: { steps: 6240 } } },
  bad: { metrics: { steps: 6240 } },
}
const arrayRule: StructuralRule = {
  id: 'series-array',
  sentence: 'Daily facts are arrays.',
  good: { metrics: { activityTime: { dailyActivityMinutes: [210, 198, 240, 187, 205, 231, 222] } } },
  bad: { metrics: { activityTime: { dailyActivityMinutes: { '2026-10-12': 210 } } } },
}
const elementRule: StructuralRule = {
  id: 'series-element',
  sentence:
    'The entries of a daily array are of its kind, a number of 0 or more or an object with its date; null for days to come.',
  good: { metrics: { steps: { dailySteps: [6010, null] } } },
  bad: { metrics: { steps: { dailySteps: [6010, '6221'] } } },
}

/** A number of the facts: never negative, null or left out when there is no trusted source. */
const amount = (sentence: string, unit: string) =>
  nullable<number>('number', { minimum: 0, ...about(numberRule, `${sentence} Unit: ${unit}.`, '2.4') })
const block = <Properties extends TProperties>(properties: Properties, sentence: string) =>
  nullableObject(properties, about(blockRule, sentence, '2.4'))
/** One number or null for each day of the window. */
const daily = (sentence: string, unit: string) =>
  nullableArray<number | null>(
    {
      type: ['number', 'null'],
      minimum: 0,
      ...about(elementRule, `One day; null for a day to come or without records. Unit: ${unit}.`, '2.4'),
    },
    about(arrayRule, `${sentence} One entry for each day of the window. Unit: ${unit}.`, '2.4'),
  )
/** One object with its date, or null, for each day of the window. */
const dated = <Properties extends TProperties>(properties: Properties, sentence: string) =>
  nullableArray<Static<ReturnType<typeof Type.Object<Properties>>> | null>(
    {
      ...Type.Object(properties),
      type: ['object', 'null'],
      ...about(elementRule, 'One day with its date; null, or with null values, for a day to come.', '2.4'),
    },
    about(arrayRule, `${sentence} One entry for each day of the window.`, '2.4'),
  )
const elementDate = (sentence: string) =>
  Type.String(about('series-element-date', sentence, '2.4', 'the date of its day, written YYYY-MM-DD'))

// Envelope

const date = (sentence: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    ...about('period-date', sentence, '2.1', 'an existing date written YYYY-MM-DD'),
  })
const callerId = (rule: StructuralRule, sentence: string) =>
  Type.String({ maxLength: 128, ...about(rule, sentence, '2.1') })
const nightsRule: StructuralRule = {
  id: 'period-nights-integer',
  sentence: 'elapsedNights and validNights are integers or null.',
  good: { period: { elapsedNights: 7, validNights: 6 } },
  bad: { period: { elapsedNights: '7', validNights: 6.5 } },
}
const nights = (sentence: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    ...about(nightsRule, `${sentence} Required for rest and vitals in week and month.`, '2.1'),
  })

const period = Type.Object(
  {
    startDate: date("First day of the window, in the pet's time zone."),
    endDate: date('Last day of the window; the same as startDate for a day.'),
    timezone: Type.String(
      about(
        'period-timezone',
        'IANA time zone name of the pet.',
        '2.1',
        'an IANA time zone name such as "Asia/Shanghai"',
      ),
    ),
    isCompleted: Type.Boolean(
      about(
        { id: 'period-is-completed', values: [true, 'true'] },
        'True if the window has ended; false for a window that contains today.',
        '2.1',
      ),
    ),
    elapsedNights: Type.Optional(nights('Nights elapsed.')),
    validNights: Type.Optional(nights('Nights with qualifying records.')),
  },
  about(
    {
      id: 'period-object',
      values: [
        { startDate: '2026-10-12', endDate: '2026-10-18', timezone: 'Asia/Shanghai', isCompleted: true },
        '2026-10-12/2026-10-18',
      ],
    },
    'The calendar window.',
    '2.1',
  ),
)

const comparisonRule: StructuralRule = {
  id: 'comparison-object',
  sentence: '{member}, when sent, is an object.',
  good: { insightContext: { comparison: { changePercent: 8.4 } } },
  bad: { insightContext: { comparison: [8.4] } },
}
const comparisonNumberRule: StructuralRule = {
  id: 'comparison-number',
  sentence: 'usualLower, usualUpper and changePercent are numbers or null.',
  good: { insightContext: { comparison: { changePercent: -22.4 } } },
  bad: { insightContext: { comparison: { changePercent: '-22.4%' } } },
}
const comparisonCountRule: StructuralRule = {
  id: 'comparison-count',
  sentence: 'consecutiveUnusualDays, unusualLowDays and unusualHighDays are integers or null.',
  good: { insightContext: { comparison: { consecutiveUnusualDays: 2 } } },
  bad: { insightContext: { comparison: { consecutiveUnusualDays: 2.5 } } },
}
const restFactorsRule: StructuralRule = {
  id: 'comparison-rest-factors',
  sentence: 'restRatingFactors is an array of strings, or null.',
  values: [['duration'], 'duration'],
}
const comparisonNumber = (sentence: string) =>
  nullable<number>('number', about(comparisonNumberRule, sentence, '2.2.1'))
const comparisonCount = (sentence: string) => nullable<number>('integer', about(comparisonCountRule, sentence, '2.2.1'))

const comparison = nullableObject(
  {
    usualLower: anything('Lower end of the usual range, in the unit of the main fact; not for bark.', '2.2.1'),
    usualUpper: comparisonNumber('Upper end of the usual range, in the unit of the main fact; bark: seconds.'),
    changePercent: comparisonNumber('Change against the window before, as in the page header. Unit: percent.'),
    consecutiveUnusualDays: comparisonCount('Unusual days in a row, up to the chosen day; mentioned from 2.'),
    unusualLowDays: comparisonCount('Activity: attention days that are low.'),
    unusualHighDays: comparisonCount('Activity: attention days that are high.'),
    restRatingFactors: nullableArray<string>(
      { type: 'string', ...about(restFactorsRule, 'A deduction factor such as `duration`.', '2.2.1') },
      about(restFactorsRule, 'Main deduction factors of a Fair or Poor night.', '2.2.1'),
    ),
    pageEvaluationBasis: Type.Optional(
      oneOfOrNull(
        ['personal', 'breed', 'general'],
        about(
          {
            id: 'comparison-evaluation-basis',
            sentence: 'pageEvaluationBasis is {expected}.',
            values: ['personal', 'species'],
          },
          "The basis of the page's evaluation.",
          '2.2.1',
        ),
      ),
    ),
  },
  about(comparisonRule, 'Read-only comparison as the page shows it; shapes the text only.', '2.2.1'),
)

const progressRule: StructuralRule = {
  id: 'context-baseline-progress',
  sentence:
    'insightContext.baselineProgress, when sent, is an object whose validDays and requiredDays are numbers or null.',
  good: { insightContext: { baselineProgress: { validDays: 5, requiredDays: 14 } } },
  bad: { insightContext: { baselineProgress: { validDays: '5', requiredDays: 14 } } },
}
const progressNumber = (sentence: string) => nullable<number>('number', about(progressRule, sentence, '2.2'))
const dateTimePattern = '^\\d{4}-\\d{2}-\\d{2}[Tt ]\\d{2}:\\d{2}(:\\d{2}([.,]\\d+)?)?'
const offsetPattern = '([Zz]|[+-]\\d{2}(:?\\d{2})?)'

const insightContext = Type.Object(
  {
    mode: oneOf(
      ['today_so_far', 'last_night', 'selected_window'],
      about(
        {
          id: 'context-mode',
          sentence: '{member} is {expected}; "recent_complete_days" is no longer accepted.',
          values: ['selected_window', 'recent_complete_days'],
        },
        'Which window the text speaks about, seen from asOf.',
        '2.2',
      ),
    ),
    asOf: Type.String({
      pattern: `${dateTimePattern}${offsetPattern}$`,
      ...about(
        'context-as-of',
        'View time, ISO 8601 with offset.',
        '2.2',
        'an ISO 8601 date-time with its offset, such as "2026-10-14T16:05:00+08:00"',
      ),
    }),
    observedThrough: nullable<string>('string', {
      pattern: `${dateTimePattern}${offsetPattern}?$`,
      ...about(
        'context-observed-through',
        'Latest report time, ISO 8601; required for `today_so_far`.',
        '2.2',
        'an ISO 8601 date-time with its offset, such as "2026-10-14T16:05:00+08:00"',
      ),
    }),
    factVersion: Type.String(
      about(
        { id: 'context-fact-version', values: ['facts-5f0c2d91', 7] },
        'Fingerprint of the facts, made by the caller.',
        '2.2',
      ),
    ),
    sourceSnapshot: anything('Snapshot that a rest rating is based on; see rest.', '2.2'),
    baselineProgress: nullableObject(
      {
        validDays: progressNumber('Days that count so far.'),
        requiredDays: progressNumber('Days needed for a personal range.'),
      },
      about(progressRule, 'Progress towards the personal range; used in day view.', '2.2'),
    ),
    comparison,
  },
  about(
    {
      id: 'context-required',
      section: '4',
      sentence: '{member} is an object; requests without it are of the old format.',
      good: {
        insightContext: { mode: 'selected_window', asOf: '2026-10-15T10:30:00+08:00', factVersion: 'facts-5f0c2d91' },
      },
      bad: { metric: 'hr', viewWindow: 'week' },
    },
    'Ranges and changes that the page shows next to the facts.',
    '2.2',
  ),
)

/** The members that every payload has. */
const envelope = {
  schemaVersion: Type.Literal(
    'health-detail-v3',
    about(
      { id: 'envelope-schema-version', values: ['health-detail-v3', 'health-detail-v2'] },
      'Version of this format.',
      '2.1',
    ),
  ),
  userId: callerId({ id: 'envelope-user-id', values: ['user-20418', 20418] }, "The caller's user ID."),
  petId: callerId({ id: 'envelope-pet-id', values: ['pet-7731', null] }, 'Pet ID.'),
  metric: oneOf(metrics, about({ id: 'envelope-metric', values: ['hrv', 'heart-rate'] }, 'The measurement.', '2.1')),
  viewWindow: oneOf(
    viewWindows,
    about(
      { id: 'envelope-view-window', values: ['week', 'year'] },
      'Length of the window; weeks start on Monday, months are calendar months.',
      '2.1',
    ),
  ),
  locale: Type.Optional(
    oneOfOrNull(
      locales,
      about(
        {
          id: 'envelope-locale',
          sentence: `{member} is ${listWords(
            locales.map((locale) => `"${locale}"`),
            'or',
          )}; left out or null it is "en-US".`,
          values: ['es', 'es-MX'],
        },
        'Language of the text; en-US when left out.',
        '2.1',
      ),
    ),
  ),
  petProfile: Type.Object(
    {
      name: Type.String({
        minLength: 1,
        ...about(
          {
            id: 'envelope-pet-name',
            sentence: '{member} is {expected}: every sentence uses it.',
            values: ['Mochi', ''],
          },
          "The pet's name, used in the text.",
          '2.1',
        ),
      }),
      species: oneOf(
        ['dog', 'cat'],
        about({ id: 'envelope-pet-species', values: ['cat', 'rabbit'] }, 'Species of the pet.', '2.1'),
      ),
    },
    about({ id: 'envelope-pet-profile', values: [{ name: 'Mochi', species: 'dog' }, 'Mochi'] }, 'The pet.', '2.1'),
  ),
  period,
  insightContext,
  metrics: Type.Object(
    {},
    about(
      { id: 'metrics-object', sentence: '{member} is an object.', values: [{ barkDurationSeconds: 540 }, [540]] },
      'The facts; their members depend on metric and viewWindow.',
      '2.1',
      'an object with the facts of metric and viewWindow',
    ),
  ),
  previousPeriod: Type.Optional(
    Type.Null(
      about(
        {
          id: 'envelope-previous-period',
          section: '4',
          sentence: '{member} is left out or null; the comparison with it is no longer made here.',
          values: [null, { startDate: '2026-10-05' }],
        },
        'Old placeholder.',
        '2.1',
        'null or left out',
      ),
    ),
  ),
}

// Members that depend on the metric

interface JudgmentKind<Rating extends string, Version extends string> {
  readonly ruleVersion: Version
  readonly ratings: readonly Rating[]
}

const unrated = { rating: null, direction: null, baselineSource: null }
const rated = { rating: 'normal', direction: 0, baselineSource: 'personal' }
const present = {
  missing: {
    id: 'judgment-keys-present',
    section: '2.3',
    sentence: 'suppliedJudgment has the members rating, direction and baselineSource; their values may be null.',
    good: { suppliedJudgment: unrated },
    bad: { suppliedJudgment: { rating: null } },
  },
}
const ratedCountRule: StructuralRule = {
  id: 'judgment-rated-count',
  sentence:
    'ratedNights (rest) or judgedDays (others) is an integer of 0 or more; only activity and bark may leave it out.',
  good: { metric: 'hr', suppliedJudgment: { ...rated, judgedDays: 6 } },
  bad: { metric: 'hr', suppliedJudgment: rated },
}
const attentionCountRule: StructuralRule = {
  id: 'judgment-attention-count',
  sentence: 'lowRestDays (rest) or unusualDays (others) is an integer of 0 or more, or null.',
  good: { suppliedJudgment: { unusualDays: 1 } },
  bad: { suppliedJudgment: { unusualDays: -1 } },
}
const count = (rule: StructuralRule, sentence: string) => ({ minimum: 0, ...about(rule, sentence, '2.3') })
const attentionCount = (sentence: string) =>
  nullable<number>('integer', count(attentionCountRule, `${sentence} Null without a rating.`))

const judgmentMembers = <Rating extends string, Version extends string>(kind: JudgmentKind<Rating, Version>) => ({
  ruleVersion: Type.Unsafe<Version>({
    const: kind.ruleVersion,
    ...about(
      {
        id: 'judgment-rule-version',
        sentence: '{member} is that of the metric.',
        good: { metric: 'rest', suppliedJudgment: { ruleVersion: 'sleep-rating-c2-v1' } },
        bad: { metric: 'rest', suppliedJudgment: { ruleVersion: 'vital-judgment-c1-v1' } },
      },
      "Version of the server's rating rules.",
      '2.3',
    ),
  }),
  rating: oneOfOrNull(kind.ratings, {
    ...about(
      {
        id: 'judgment-rating',
        sentence: '{member} is one of the ratings of the metric, or null.',
        good: { metric: 'rest', suppliedJudgment: { rating: 'Fair' } },
        bad: { metric: 'rest', suppliedJudgment: { rating: 'normal' } },
      },
      "The server's rating, taken as given; null if there is no rating yet.",
      '2.3',
    ),
    ...present,
  }),
  direction: oneOfOrNull([-1, 0, 1], {
    ...about({ id: 'judgment-direction', values: [-1, 'low'] }, '-1 low, 0 in range, 1 high.', '2.3'),
    ...present,
  }),
  baselineSource: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...about(
      { id: 'judgment-baseline-source', values: ['personal', 1] },
      'Where the range comes from; `personal`.',
      '2.3',
    ),
    ...present,
  }),
  deteriorating: nullable<boolean>(
    'boolean',
    about(
      { id: 'judgment-deteriorating', sentence: '{member}, when sent, is a boolean.', values: [false, 'no'] },
      'True if the direction counts as worse; false: no advice.',
      '2.3',
    ),
  ),
})

const judgmentNote = about(
  {
    id: 'judgment-object',
    section: '4',
    sentence:
      'Rest, hr, hrv and rr carry suppliedJudgment, an object also when there is no rating yet; for activity and bark it may be left out or null.',
    good: { metric: 'hr', suppliedJudgment: { ...unrated, judgedDays: 0 } },
    bad: { metric: 'hr', suppliedJudgment: null },
  },
  'Server-side rating against the personal range.',
  '2.3',
)
const unusualDays = attentionCount('Days at attention level in the worsening direction.')

const restJudgment = Type.Object(
  {
    ...judgmentMembers({ ruleVersion: 'sleep-rating-c2-v1', ratings: ['Good', 'Fair', 'Poor'] }),
    ratedNights: Type.Integer(count(ratedCountRule, 'Nights with a rating; 0 without one.')),
    lowRestDays: attentionCount('Nights at attention level in the worsening direction.'),
  },
  judgmentNote,
)
const vitalJudgment = Type.Object(
  {
    ...judgmentMembers({
      ruleVersion: 'vital-judgment-c1-v1',
      ratings: ['normal', 'balanced', 'fluctuating', 'low', 'high'],
    }),
    judgedDays: Type.Integer(count(ratedCountRule, 'Days with a rating; 0 without one.')),
    unusualDays,
  },
  judgmentNote,
)
const optionalDays = nullable<number>(
  'integer',
  count(ratedCountRule, 'Days with a rating; left out is the same as 0.'),
)
const activityJudgment = nullableObject(
  {
    ...judgmentMembers({
      ruleVersion: 'activity-judgment-v1',
      ratings: ['normal', 'fluctuating', 'low', 'high'],
    }),
    judgedDays: optionalDays,
    unusualDays,
  },
  judgmentNote,
)
const barkJudgment = nullableObject(
  {
    ...judgmentMembers({ ruleVersion: 'bark-judgment-v1', ratings: ['calm', 'active', 'frequent'] }),
    judgedDays: optionalDays,
    unusualDays,
  },
  judgmentNote,
)

const exampleWatermark = { cursor: null, observedThrough: 1791963480000, completeThrough: 1791963480000 }
const exampleSnapshot = {
  snapshotState: 'versioned',
  snapshotId: 'snapshot-20261014-01',
  asOf: 1791963900000,
  computedAt: 1791963840000,
  sourceCompleteness: 'complete',
  sourceWatermarks: { posture: exampleWatermark, wear: exampleWatermark, step: exampleWatermark },
  aggregateVersion: 'rest-aggregate-v4',
}
const snapshotRule: StructuralRule = {
  id: 'context-source-snapshot-complete',
  sentence:
    'The snapshot of a rated rest payload is "versioned" and "complete", with its ID, times, watermarks and version.',
  good: { suppliedJudgment: { rating: 'Good' }, insightContext: { sourceSnapshot: exampleSnapshot } },
  bad: {
    suppliedJudgment: { rating: 'Good' },
    insightContext: { sourceSnapshot: { ...exampleSnapshot, sourceCompleteness: 'partial' } },
  },
}
const snapshotNote = (sentence: string, expected?: string) => about(snapshotRule, sentence, '2.2', expected)
const timestamp = (sentence: string) =>
  Type.Integer(snapshotNote(`${sentence} An integer timestamp.`, 'an integer such as milliseconds since 1970'))
const watermark = (source: string) =>
  Type.Object(
    {
      cursor: Type.Optional(Type.Unknown({ description: 'Position in the source, of any type.' })),
      observedThrough: timestamp('Latest record seen.'),
      completeThrough: timestamp('Complete up to here.'),
    },
    snapshotNote(`How far the ${source} records reach.`),
  )
const completeSnapshot = Type.Object(
  {
    snapshotState: Type.Literal('versioned', snapshotNote('State of the snapshot.')),
    snapshotId: Type.String(snapshotNote('ID of the snapshot.')),
    asOf: timestamp('Time the snapshot speaks about.'),
    computedAt: timestamp('Time the snapshot was made.'),
    sourceCompleteness: Type.Literal('complete', snapshotNote('Completeness of the sources.')),
    sourceWatermarks: Type.Object(
      { posture: watermark('posture'), wear: watermark('wear'), step: watermark('step') },
      snapshotNote('How far each source reaches.'),
    ),
    aggregateVersion: Type.String(snapshotNote('Version of the aggregation.')),
  },
  about('context-source-snapshot', 'Complete, versioned snapshot; needed for a rating.', '2.2'),
)

const rangeContext = Type.Object({
  comparison: nullableObject(
    { usualLower: comparisonNumber('Lower end of the usual range, in the unit of the main fact.') },
    about(comparisonRule, 'Read-only comparison as the page shows it.', '2.2.1'),
  ),
})
const restContext = Type.Object({
  ...rangeContext.properties,
  sourceSnapshot: Type.Object(
    {},
    about(
      {
        id: 'context-source-snapshot',
        sentence: 'Rest carries {member}, an object.',
        good: { metric: 'rest', insightContext: { sourceSnapshot: { snapshotState: 'versioned' } } },
        bad: { metric: 'rest', insightContext: { sourceSnapshot: null } },
      },
      'Snapshot that the rest facts are based on; complete when there is a rating.',
      '2.2',
      'an object with the snapshot that the facts are based on, complete when there is a rating',
    ),
  ),
})

const activity = Type.Object({ insightContext: rangeContext, suppliedJudgment: activityJudgment })
const rest = Type.Object({ insightContext: restContext, suppliedJudgment: restJudgment })
const vital = Type.Object({ insightContext: rangeContext, suppliedJudgment: vitalJudgment })
const bark = Type.Object({ suppliedJudgment: barkJudgment })

/** A supplied rest rating needs a complete, versioned snapshot. */
const ratedRestNeedsSnapshot = {
  if: {
    type: 'object',
    properties: {
      suppliedJudgment: {
        type: 'object',
        properties: { rating: { enum: ['Good', 'Fair', 'Poor'] } },
        required: ['rating'],
      },
    },
    required: ['suppliedJudgment'],
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { type: 'object', properties: { insightContext: Type.Object({ sourceSnapshot: completeSnapshot }) } },
}

// Members that depend on the metric and the window

const activityMinutesRule: StructuralRule = {
  id: 'activity-minutes-required',
  sentence: 'The activity of a day has metrics.activityTime.activityMinutes, a number of 0 or more.',
  good: { metric: 'activity', viewWindow: 'day', metrics: { activityTime: { activityMinutes: 210 } } },
  bad: { metric: 'activity', viewWindow: 'day', metrics: { activityTime: {} } },
}
const activityDay = Type.Object({
  activityTime: Type.Object(
    {
      activityMinutes: Type.Number({
        minimum: 0,
        ...about(activityMinutesRule, 'Time active on the day. Unit: minutes.', '2.4'),
      }),
      activityMinutesGoal: nullable<number>(
        'number',
        about(numberRule, "The day's goal, when one is set. Unit: minutes.", '2.4'),
      ),
    },
    about(activityMinutesRule, 'Time active.', '2.4', 'an object with activityMinutes'),
  ),
  steps: block({ steps: amount('Steps of the day.', 'steps') }, 'Steps.'),
})
const activityPeriod = Type.Object({
  activityTime: block(
    {
      averageDailyActivityMinutes: amount('Average of the finished days; null when there is no average.', 'minutes'),
      dailyActivityMinutes: daily('Time active each day.', 'minutes'),
    },
    'Time active.',
  ),
  steps: block(
    {
      averageDailySteps: amount('Average steps a day.', 'steps'),
      dailySteps: daily('Steps each day.', 'steps'),
    },
    'Steps.',
  ),
})

/** As far as dates written with four digits of the year reach. */
const lastInstantMs = 253_402_300_799_999
const nightTime = (sentence: string) =>
  Type.Optional(
    Type.Unsafe<string | number | null>({
      anyOf: [{ type: ['string', 'null'] }, { type: 'integer', minimum: 0, maximum: lastInstantMs }],
      ...about(
        'night-time',
        `${sentence} An ISO 8601 date-time; a number is read as milliseconds since 1970.`,
        '2.4',
        'an ISO 8601 date-time with its offset, such as "2026-10-14T22:00:00+08:00", or null',
      ),
    }),
  )
const restDay = Type.Object({
  night: block(
    {
      startAt: nightTime('Start of the night: 22:00 of the day before.'),
      endAt: nightTime('End of the night: 08:00 of the day.'),
      isCompleted: nullable<boolean>(
        'boolean',
        about(
          { id: 'night-is-completed', sentence: 'night.isCompleted, when sent, is a boolean.', values: [true, 1] },
          'True if the night is over.',
          '2.4',
        ),
      ),
      nightRest: block({ minutes: amount('Rest in the night.', 'minutes') }, 'Rest in the night.'),
      interruptions: block({ count: amount('Times the pet woke.', 'times') }, 'Wakes in the night.'),
      nightActivity: block({ minutes: amount('Activity in the night.', 'minutes') }, 'Activity in the night.'),
      longestRestBlockMinutes: amount('Longest rest without a break.', 'minutes'),
      wearingMinutes: amount('Time the device was worn in the night.', 'minutes'),
    },
    'The night before the day.',
  ),
  day: Type.Optional(
    Type.Unsafe<{ readonly hourlyRestMinutes?: unknown } | null>({
      description: 'Daytime rest: `hourlyRestMinutes`. Not checked and not used. Health detail contract, 2.4.',
    }),
  ),
})
const restPeriod = Type.Object({
  nightRest: block({ averageMinutes: amount('Average rest a night.', 'minutes') }, 'Rest in the nights.'),
  interruptions: block({ averageCount: amount('Average wakes a night.', 'times') }, 'Wakes in the nights.'),
  nightActivity: block({ averageMinutes: amount('Average activity a night.', 'minutes') }, 'Activity in the nights.'),
  nightlyRestDurations: dated(
    {
      nightDate: elementDate('Date of the night: of the morning it ends on, or in all entries of the evening before.'),
      lightMovementMinutes: amount('Light movement in the night.', 'minutes'),
      deepRestMinutes: amount('Deep rest in the night.', 'minutes'),
    },
    'Rest in each night.',
  ),
  dailyDayRestMinutes: nullableArray<unknown>(
    {
      anyOf: [
        { type: ['number', 'null'], minimum: 0 },
        { type: 'object', description: 'An old placeholder.' },
      ],
      ...about(elementRule, 'One day; null for a day to come. Unit: minutes.', '2.4', 'a number of 0 or more, or null'),
    },
    about(arrayRule, 'Daytime rest of each day. One entry for each day of the window. Unit: minutes.', '2.4'),
  ),
  dayRest: block({ averageMinutes: amount('Average daytime rest of the finished days.', 'minutes') }, 'Daytime rest.'),
})

const measured = (sentence: string, unit: string) =>
  block(
    { value: amount(sentence, unit), sampleCount: amount('Number of samples for the value.', 'samples') },
    `${sentence} With its number of samples.`,
  )
const samples = amount('Samples of the day; the average is null when it is 0.', 'samples')
const vitalUnits = { Hr: 'beats per minute', Rmssd: 'milliseconds', Rr: 'breaths per minute' } as const

function vitalDay<Infix extends VitalInfix>(infix: Infix) {
  const names = vitalMembers(infix)
  const unit = vitalUnits[infix]
  const properties = {
    [names.nightAverage]: measured('Average of the night at rest.', unit),
    [names.allDayAverage]: measured('Average of the whole day at rest.', unit),
  } as Record<typeof names.nightAverage | typeof names.allDayAverage, ReturnType<typeof measured>>
  return Type.Object({ night: anything('The night.', '2.4'), ...properties })
}

function vitalPeriod<Infix extends VitalInfix>(infix: Infix) {
  const names = vitalMembers(infix)
  const unit = vitalUnits[infix]
  const elements = <Name extends string>(average: Name, sentence: string) =>
    dated(
      {
        date: elementDate('Date of the day.'),
        ...({ [average]: amount(sentence, unit) } as Record<Name, ReturnType<typeof amount>>),
        sampleCount: samples,
      },
      sentence,
    )
  const nights = elements(names.nightAverage, 'Average of each night at rest.')
  const days = elements(names.allDayAverage, 'Average of each whole day at rest.')
  const properties = {
    [names.nightAverage]: measured('Average of the nights with at least 4 samples.', unit),
    [names.allDayAverage]: measured('Average of the finished days.', unit),
    [names.dailyNights]: nights,
    [names.dailyDays]: days,
  } as Record<typeof names.nightAverage | typeof names.allDayAverage, ReturnType<typeof measured>> &
    Record<typeof names.dailyNights, typeof nights> &
    Record<typeof names.dailyDays, typeof days>
  return Type.Object({
    aggregationMethod: Type.Optional(
      oneOfOrNull(
        ['daily_median_mean_v1'],
        about(
          {
            id: 'vital-aggregation-method',
            sentence: 'aggregationMethod, when sent, is "daily_median_mean_v1".',
            values: ['daily_median_mean_v1', 'mean'],
          },
          'How the averages are made.',
          '2.4',
        ),
      ),
    ),
    ...properties,
  })
}

const barkDay = Type.Object({
  measurementMode: Type.Optional(
    oneOfOrNull(
      ['estimated'],
      about(
        {
          id: 'bark-measurement-mode',
          sentence: 'measurementMode, when sent, is "estimated".',
          values: ['estimated', 'measured'],
        },
        'How barking is measured.',
        '2.4',
      ),
    ),
  ),
  barkDurationSeconds: amount('Barking on the day.', 'seconds'),
  barkEventCount: amount('Times the pet barked.', 'times'),
  longestBarkEventDurationSeconds: amount('Longest single bark event.', 'seconds'),
})
const barkPeriod = Type.Object({
  averageDailyBarkDurationSeconds: amount('Average barking a day.', 'seconds'),
  barkEventCount: amount('Times the pet barked.', 'times'),
  averageDailyBarkEventCount: amount('Average times a day.', 'times'),
  dailyBarkDurations: dated(
    { date: elementDate('Date of the day.'), barkDurationSeconds: amount('Barking on the day.', 'seconds') },
    'Barking each day.',
  ),
})

const nightsRequired = {
  missing: {
    id: 'period-nights-required',
    section: '4',
    sentence: 'Rest and vitals in week and month carry elapsedNights and validNights; null is enough.',
    good: { period: { elapsedNights: 7, validNights: null } },
    bad: { period: { elapsedNights: 7 } },
  },
}
const periodWithNights = Type.Object({
  elapsedNights: Type.Unsafe<number | null>({ ...nights('Nights elapsed.'), ...nightsRequired }),
  validNights: Type.Unsafe<number | null>({ ...nights('Nights with qualifying records.'), ...nightsRequired }),
})
const facts = <Facts extends TSchema>(metrics: Facts) => Type.Object({ metrics })
const nightFacts = <Facts extends TSchema>(metrics: Facts) => Type.Object({ period: periodWithNights, metrics })

/** The members that every payload has. */
export const envelopeSchema = Type.Object(envelope)

/** The members that a metric adds to the envelope: judgment and context. */
export const metricSchemas = { activity, rest: { ...rest, ...ratedRestNeedsSnapshot }, vital, bark }

/** The members that a metric and a window add: the facts, and the counts of nights. */
export const windowSchemas = {
  'activity-day': facts(activityDay),
  'activity-period': facts(activityPeriod),
  'rest-day': facts(restDay),
  'rest-period': nightFacts(restPeriod),
  'hr-day': facts(vitalDay('Hr')),
  'hr-period': nightFacts(vitalPeriod('Hr')),
  'hrv-day': facts(vitalDay('Rmssd')),
  'hrv-period': nightFacts(vitalPeriod('Rmssd')),
  'rr-day': facts(vitalDay('Rr')),
  'rr-period': nightFacts(vitalPeriod('Rr')),
  'bark-day': facts(barkDay),
  'bark-period': facts(barkPeriod),
}

type MetricOf<Name> = Name extends `${infer Metric}-${string}` ? Metric : never
type PayloadOf<Name extends MetricWindow> = Omit<Static<typeof envelopeSchema>, 'metric' | 'viewWindow' | 'metrics'> & {
  metric: MetricOf<Name>
  viewWindow: Name extends `${string}-day` ? 'day' : 'week' | 'month'
} & Static<MetricOf<Name> extends keyof typeof metricSchemas ? (typeof metricSchemas)[MetricOf<Name>] : typeof vital> &
  Static<(typeof windowSchemas)[Name]>

/**
 * A valid request body of `POST /v1/health-detail-insights/generate`, told apart by `metric` and `viewWindow`.
 * Optional members may also be null. Source: health detail contract, 2.1 to 2.4.
 */
export type HealthDetailPayload = { [Name in MetricWindow]: PayloadOf<Name> }[MetricWindow]

/**
 * A valid payload as its reader sees it: one object with the members of all metrics and windows, at every level. A member
 * that not every payload has is optional. Source: health detail contract, 2.1 to 2.4.
 */
export type PayloadView = Merged<HealthDetailPayload>

type Merged<Value> = [Extract<Value, object>] extends [never] | [readonly unknown[]]
  ? Value
  : MergedObject<Extract<Value, object>> | Exclude<Value, object>
type MergedObject<Value, Names extends PropertyKey = Value extends unknown ? keyof Value : never> = {
  readonly [Name in Names as undefined extends ValueOf<Value, Name> ? never : Name]: Merged<ValueOf<Value, Name>>
} & {
  readonly [Name in Names as undefined extends ValueOf<Value, Name> ? Name : never]?: Merged<ValueOf<Value, Name>>
}
/** A member that may hold anything is not read: its values are those of the payloads that say which it has. */
type ValueOf<Value, Name> = Value extends unknown
  ? Name extends keyof Value
    ? unknown extends Value[Name]
      ? undefined
      : Value[Name]
    : undefined
  : never
