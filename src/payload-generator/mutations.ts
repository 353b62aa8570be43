import { formatDate } from '../insight/calendar.js'
import type { Changes } from '../insight/change-payload.js'
import { findAt, isJsonObject } from '../insight/json-object.js'
import type { ValidReading } from '../insight/reading.js'

/** Lists changes to a payload that may break a rule; the first that breaks it alone is taken. */
export type Mutation = (reading: ValidReading) => readonly Changes[]

/** Sets a member to values that its rule refuses; undefined removes it. Applies where its parent is an object. */
const set =
  (path: string, ...values: readonly unknown[]): Mutation =>
  ({ payload }) =>
    isJsonObject(findAt(payload, path.slice(0, path.lastIndexOf('/')))) || path.indexOf('/', 1) < 0
      ? values.map((value) => ({ [path]: value }))
      : []

/** The same for a member that is there. */
const replace =
  (path: string, ...values: readonly unknown[]): Mutation =>
  (reading) =>
    findAt(reading.payload, path) === undefined ? [] : set(path, ...values)(reading)

const either =
  (...mutations: readonly Mutation[]): Mutation =>
  (reading) =>
    mutations.flatMap((mutate) => mutate(reading))

const inContext = (name: string) => `/insightContext/${name}`
const inComparison = (name: string) => `/insightContext/comparison/${name}`
const inSnapshot = (name: string) => `/insightContext/sourceSnapshot/${name}`
const inJudgment = (name: string) => `/suppliedJudgment/${name}`
const countNames = ({ metric }: ValidReading) =>
  metric === 'rest' ? (['ratedNights', 'lowRestDays'] as const) : (['judgedDays', 'unusualDays'] as const)
const countOf = ({ judgment }: ValidReading, name: string) => Number(judgment[name] ?? 0)

const setMode =
  (...modes: readonly string[]): Mutation =>
  ({ context }) =>
    modes.map((mode) => ({
      [inContext('mode')]: mode,
      ...(mode === 'today_so_far' && { [inContext('observedThrough')]: context.asOf }),
    }))

/** Sees the payload at noon, some days before its window begins. */
const seeBefore: Mutation = ({ payload, start }) =>
  [1, 2, 9].map((days) => {
    const asOf = `${formatDate(start - days)}T12:00:00Z`
    const hasSnapshot = findAt(payload, inSnapshot('asOf')) !== undefined
    return { [inContext('asOf')]: asOf, ...(hasSnapshot && { [inSnapshot('asOf')]: Date.parse(asOf) }) }
  })

const setDates = (shifts: readonly (readonly [start: number, end: number])[]): Mutation => {
  return ({ start, end }) =>
    shifts.map(([first, last]) => ({
      ...(first !== 0 && { '/period/startDate': formatDate(start + first) }),
      ...(last !== 0 && { '/period/endDate': formatDate(end + last) }),
    }))
}

/** Sets an average far from the mean of its days. */
const misstate =
  (path: string): Mutation =>
  ({ payload }) => {
    const value = findAt(payload, path)
    return typeof value === 'number'
      ? [{ [path]: Math.round(value * 0.7) }, { [path]: Math.round(value * 1.3) + 3 }]
      : []
  }

/** The numbers of the facts that are not those of a day, by JSON Pointer. */
function listNumbers(value: unknown, path: string): readonly string[] {
  if (typeof value === 'number') return path.endsWith('/activityMinutes') ? [] : [path]
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) => listNumbers(member, `${path}/${name}`))
}

const listBlocks = ({ facts }: ValidReading) =>
  Object.entries(facts)
    .filter(([name, value]) => isJsonObject(value) && name !== 'day' && name !== 'activityTime')
    .map(([name]) => `/metrics/${name}`)

/** Changes a daily array as a whole. */
const changeSeries =
  (change: (elements: readonly unknown[]) => readonly unknown[]): Mutation =>
  ({ payload, series }) =>
    series.flatMap(({ place: { path } }) => {
      const elements = findAt(payload, path)
      return Array.isArray(elements) ? change(elements).map((changed) => ({ [path]: changed })) : []
    })

/** Changes an element of a daily array, or a member of it. */
const changeElement =
  (
    change: (reading: ValidReading, series: ValidReading['series'][number]) => readonly (readonly [string, unknown])[],
  ): Mutation =>
  (reading) =>
    reading.series.flatMap((one) =>
      change(reading, one).map(([below, value]) => ({ [`${one.place.path}/${below}`]: value })),
    )

/**
 * The mutations by the rule that they break, apart from `payload-json` and `payload-object`, which are changes of the text.
 * The test of this table holds that it has every rule of severity error.
 */
export const mutations: Readonly<Record<string, Mutation>> = {
  'envelope-schema-version': set('/schemaVersion', 'health-detail-v2', 3, undefined),
  'envelope-user-id': set('/userId', 20_418, 'u'.repeat(129), undefined),
  'envelope-pet-id': set('/petId', null, 'p'.repeat(129), 7731),
  'envelope-metric': set('/metric', 'heart-rate', null, 'HR'),
  'envelope-view-window': set('/viewWindow', 'year', 'Week', undefined),
  'envelope-locale': set('/locale', 'en', 'es-MX', 'zh_CN'),
  'envelope-pet-profile': set('/petProfile', 'Mochi', null, undefined),
  'envelope-pet-name': set('/petProfile/name', '', 7, undefined),
  'envelope-pet-species': set('/petProfile/species', 'rabbit', 'Dog', undefined),
  'metrics-object': set('/metrics', [540], null, 'none'),
  'envelope-previous-period': set('/previousPeriod', { startDate: '2026-10-05' }, [], 'none'),
  'period-object': set('/period', '2026-10-12/2026-10-18', null, []),
  'period-date': either(
    set('/period/startDate', '2026-02-30', '26.10.2026', 20_261_026),
    set('/period/endDate', '2026-13-01', '2026-1-4'),
  ),
  'period-timezone': set('/period/timezone', 'GMT+8', '+01:00', 'Europe/Berlinn', undefined),
  'period-is-completed': set('/period/isCompleted', 'true', 1, undefined),
  'period-day-is-one-day': setDates([
    [0, 1],
    [0, 6],
    [-1, 0],
  ]),
  'period-week-monday-to-sunday': setDates([
    [0, -1],
    [1, 1],
    [-1, -1],
    [0, 7],
  ]),
  'period-month-is-natural-month': setDates([
    [0, -1],
    [1, 0],
    [0, 1],
  ]),
  'period-not-in-future': seeBefore,
  'period-completed-before-today': replace('/period/isCompleted', true),
  'period-nights-required': either(
    replace('/period/elapsedNights', undefined),
    replace('/period/validNights', undefined),
  ),
  'period-nights-integer': either(replace('/period/elapsedNights', '7', 6.5), replace('/period/validNights', '6', [])),
  'period-nights-within-window': ({ period, days = 0 }) =>
    period.elapsedNights === undefined
      ? []
      : [
          { '/period/elapsedNights': days + 1 },
          { '/period/validNights': Number(period.elapsedNights) + 1 },
          { '/period/elapsedNights': -1 },
        ],
  'context-mode': set(inContext('mode'), 'recent_complete_days', 'today', undefined),
  'mode-fits-window': setMode('today_so_far', 'last_night'),
  'mode-last-night-rest-only': setMode('last_night'),
  'mode-today-is-today': setMode('last_night', 'today_so_far'),
  'mode-vitals-today-so-far': setMode('selected_window'),
  'context-required': set('/insightContext', null, undefined, []),
  'context-as-of': (reading) =>
    set(
      inContext('asOf'),
      String(reading.context.asOf).slice(0, 19),
      reading.asOf.instantMs,
      '2027-02-30T10:00:00Z',
    )(reading),
  'context-observed-through-required': replace(inContext('observedThrough'), null, undefined),
  'context-observed-through': set(inContext('observedThrough'), 1_791_965_100_000, 'yesterday', '2026-09-31T10:00:00Z'),
  'context-fact-version': set(inContext('factVersion'), 7, null, undefined),
  'context-source-snapshot': replace(inContext('sourceSnapshot'), null, undefined, 'snapshot-1'),
  'context-source-snapshot-complete': either(
    replace(inSnapshot('snapshotState'), 'draft', undefined),
    replace(inSnapshot('sourceCompleteness'), 'partial'),
    replace(inSnapshot('computedAt'), '2026-10-14T08:00:00Z'),
    replace(inSnapshot('sourceWatermarks/step'), undefined),
  ),
  'context-baseline-progress': either(
    set(inContext('baselineProgress'), 5, 'half'),
    replace(inContext('baselineProgress/validDays'), '5'),
  ),
  'comparison-object': set(inContext('comparison'), 7, []),
  'comparison-number': either(
    replace(inComparison('changePercent'), '8 %', [8]),
    replace(inComparison('usualUpper'), '300'),
  ),
  'comparison-count': set(inComparison('consecutiveUnusualDays'), 1.5, '2'),
  'comparison-range-pair': either(
    replace(inComparison('usualLower'), null, undefined),
    replace(inComparison('usualUpper'), null),
  ),
  'comparison-rest-factors': set(inComparison('restRatingFactors'), 'duration', [1]),
  'comparison-evaluation-basis': set(inComparison('pageEvaluationBasis'), 'Personal', 1),
  'judgment-object': set('/suppliedJudgment', 'normal', []),
  'judgment-rule-version': set(inJudgment('ruleVersion'), 'judgment-v0', undefined),
  'judgment-keys-present': either(
    set(inJudgment('direction'), undefined),
    set(inJudgment('baselineSource'), undefined),
    set(inJudgment('rating'), undefined),
  ),
  'judgment-rating': set(inJudgment('rating'), 'great', 5),
  'judgment-direction': set(inJudgment('direction'), 'low', 2),
  'judgment-baseline-source': set(inJudgment('baselineSource'), 1, []),
  'judgment-deteriorating': set(inJudgment('deteriorating'), 'no', 0),
  'judgment-rated-count': (reading) => set(inJudgment(countNames(reading)[0]), -1, 1.5, '3')(reading),
  'judgment-attention-count': (reading) => set(inJudgment(countNames(reading)[1]), -1, '1')(reading),
  'judgment-no-rating-counts': (reading) => set(inJudgment(countNames(reading)[0]), 3, 1)(reading),
  'judgment-count-exceeds-window': (reading) =>
    set(inJudgment(countNames(reading)[0]), (reading.days ?? 0) + 1, (reading.days ?? 0) + 30)(reading),
  'judgment-attention-exceeds-rated': (reading) => {
    const [rated, attention] = countNames(reading)
    return set(inJudgment(attention), countOf(reading, rated) + 1)(reading)
  },
  'metrics-block': (reading) => listBlocks(reading).flatMap((path) => [{ [path]: 68 }, { [path]: [] }]),
  'metrics-number': ({ facts }) =>
    listNumbers(facts, '/metrics').flatMap((path) => [{ [path]: '540' }, { [path]: -1 }, { [path]: true }]),
  'activity-minutes-required': replace('/metrics/activityTime/activityMinutes', undefined, null, '210', -1),
  'series-array': changeSeries(() => [{}, 7]),
  'series-window-length': changeSeries((elements) => [
    elements.toSpliced(2, 1),
    elements.toSpliced(3, 0, elements[3]),
    elements.slice(0, -1),
    [],
  ]),
  'series-element': changeElement((_, { place }) =>
    place.date === undefined
      ? [
          ['2', '6221'],
          ['3', -1],
        ]
      : [
          ['2', 410],
          ['3', []],
        ],
  ),
  'series-element-date': changeElement((_, { place, dates }) =>
    place.date === undefined
      ? []
      : [
          [`3/${place.date}`, dates[2]],
          [`1/${place.date}`, undefined],
          [`4/${place.date}`, 'Friday'],
        ],
  ),
  'series-future-value': changeElement(({ start, asOf }, { place: { numbers }, length }) => {
    const index = asOf.latest - start + 1
    return index >= length ? [] : [[[index, ...numbers.slice(0, 1)].join('/'), 12]]
  }),
  'activity-average-agrees': misstate('/metrics/activityTime/averageDailyActivityMinutes'),
  'activity-average-without-days': ({ payload, asOf, start, end }) => {
    const [average, today] = ['averageDailyActivityMinutes', `dailyActivityMinutes/${asOf.inZone - start}`].map(
      (name) => `/metrics/activityTime/${name}`,
    )
    if (average === undefined || today === undefined || asOf.inZone > end) return []
    return findAt(payload, average) === null ? [{ [average]: 96, [today]: 96 }] : []
  },
  'steps-average-agrees': misstate('/metrics/steps/averageDailySteps'),
  'night-rest-average-agrees': misstate('/metrics/nightRest/averageMinutes'),
  'day-rest-average-agrees': misstate('/metrics/dayRest/averageMinutes'),
  'vital-night-average-agrees': either(
    ...['Hr', 'Rmssd', 'Rr'].map((infix) => misstate(`/metrics/nightRest${infix}Average/value`)),
  ),
  'vital-all-day-average-agrees': either(
    ...['Hr', 'Rmssd', 'Rr'].map((infix) => misstate(`/metrics/allDayRest${infix}Average/value`)),
  ),
  'bark-average-agrees': misstate('/metrics/averageDailyBarkDurationSeconds'),
  'night-time': ({ start, payload }) =>
    findAt(payload, '/metrics/night/startAt') === undefined
      ? []
      : [
          { '/metrics/night/startAt': `${formatDate(start - 3)}T22:00:00Z` },
          { '/metrics/night/endAt': `${formatDate(start + 2)}T08:00:00Z` },
          { '/metrics/night/endAt': '08:00' },
        ],
  'night-is-completed': replace('/metrics/night/isCompleted', 1, 'true'),
  'vital-empty-sample': changeElement((_, { place: { numbers }, values }) => {
    const index = values[0]?.findIndex((value) => value !== null) ?? -1
    return numbers[1] === 'sampleCount' && index >= 0 ? [[`${index}/sampleCount`, 0]] : []
  }),
  'vital-aggregation-method': replace('/metrics/aggregationMethod', 'mean', 1),
  'bark-measurement-mode': replace('/metrics/measurementMode', 'measured', true),
}
