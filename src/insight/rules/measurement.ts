import { describeValue } from '../describe-value.js'
import { isJsonObject, numberOf, objectOf } from '../json-object.js'
import type { Reading } from '../reading.js'
import { findSeries } from '../series.js'
import { minNightSamples, type VitalMetric, vitalNames } from '../vitals.js'
import { exact, sayMistake } from './likely-mistakes.js'
import type { Value } from './mean.js'
import { findValidNights, listNightCounts } from './night-averages.js'
import { type CheckedRule, periodWindows, type ViolationDetails, vitalMetrics } from './rule.js'
import { checkSamples, hasMisplacedValue } from './series.js'
import { structural } from './structural.js'

/** Rules of how the facts were measured: samples of vitals, modes of measurement. */
export const measurementRules: readonly CheckedRule[] = [
  {
    id: 'vital-empty-sample',
    severity: 'error',
    section: '2.4',
    sentence: 'A day of a vital with a sampleCount of 0 has the average null.',
    good: { metrics: { dailyNightRestHr: [{ date: '2026-10-12', nightRestHrAverage: null, sampleCount: 0 }] } },
    bad: { metrics: { dailyNightRestHr: [{ date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 0 }] } },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: ({ series }) => {
      const findings = series.map(checkSamples).filter((finding) => finding !== undefined)
      return findings.length === 0 ? undefined : findings
    },
  },
  {
    id: 'vital-average-empty',
    severity: 'warning',
    section: '2.4',
    sentence: 'An average of a vital with a sampleCount of 0 is null, not 0; 0 is read as null.',
    good: { metrics: { nightRestHrAverage: { value: null, sampleCount: 0 } } },
    bad: { metrics: { nightRestHrAverage: { value: 0, sampleCount: 0 } } },
    metrics: vitalMetrics,
    check: checkEmptyAverages,
  },
  {
    id: 'vital-valid-nights-differ',
    severity: 'warning',
    section: '2.1',
    sentence: 'period.validNights is the number of nights with at least 4 samples.',
    good: {
      period: { validNights: 1 },
      metrics: { dailyNightRestHr: [{ date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 }] },
    },
    bad: {
      period: { validNights: 2 },
      metrics: { dailyNightRestHr: [{ date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 }] },
    },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: checkValidNights,
  },
  ...structural('vital-aggregation-method'),
  {
    id: 'vital-aggregation-method-missing',
    severity: 'warning',
    section: '2.4',
    sentence: 'Vitals of a week or month carry aggregationMethod.',
    good: { metrics: { aggregationMethod: 'daily_median_mean_v1' } },
    bad: { metrics: {} },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: (reading) => checkPresent(reading, 'aggregationMethod', '"daily_median_mean_v1"'),
  },
  ...structural('bark-measurement-mode'),
  {
    id: 'bark-measurement-mode-missing',
    severity: 'warning',
    section: '2.4',
    sentence: 'The bark facts of a day carry measurementMode.',
    good: { metrics: { measurementMode: 'estimated' } },
    bad: { metrics: {} },
    metrics: ['bark'],
    windows: ['day'],
    check: (reading) => checkPresent(reading, 'measurementMode', '"estimated"'),
  },
]

function checkPresent(
  { payload, facts, invalidPaths }: Reading,
  name: string,
  expected: string,
): ViolationDetails | undefined {
  const path = `/metrics/${name}`
  if (typeof facts[name] === 'string' || invalidPaths.has(path) || !isJsonObject(payload.metrics)) return undefined
  return {
    path,
    message: `metrics.${name} is missing; it is ${expected}.`,
    expected,
    actual: describeValue(facts[name]),
  }
}

function checkEmptyAverages({ metric, facts }: Reading): readonly ViolationDetails[] | undefined {
  const { nightAverage, allDayAverage } = vitalNames[metric as VitalMetric]
  const empty = [nightAverage, allDayAverage].filter((name) => {
    const average = objectOf(facts, name)
    return numberOf(average, 'value') === 0 && numberOf(average, 'sampleCount') === 0
  })
  if (empty.length === 0) return undefined
  return empty.map((name) => ({
    path: `/metrics/${name}/value`,
    message: `metrics.${name}.value is 0, but its sampleCount is 0: without samples it is null.`,
    expected: 'null',
    actual: '0',
  }))
}

/** "Qualifying" may mean more than the number of samples, and today's night may or may not count. */
function checkValidNights(reading: Reading): ViolationDetails | undefined {
  const { metric, series, start, days, asOf } = reading
  const valid = findValidNights(reading)
  if (valid === undefined || valid === null || start === undefined || asOf === undefined) return undefined
  if (start > asOf.latest) return undefined
  const nights = findSeries(series, vitalNames[metric as VitalMetric].dailyNights, days)
  if (nights === undefined) return undefined
  const [averages = [], samples = []] = nights.values
  const countNights = (count: number) => countEnough(averages, samples, count)
  const [least, most] = countNights(samples.length)
  if (valid >= least && valid <= most) return undefined
  const counts = listNightCounts(reading, nights).map(countNights)
  if (counts.some(([fewest, largest]) => valid >= fewest && valid <= largest)) return undefined
  if (hasMisplacedValue(nights, reading)) return undefined
  const numberOfNights = (isCounted: (number: number) => boolean) =>
    samples.filter((number) => number !== null && isCounted(number)).length
  const over = Math.min(samples.length, asOf.inZone - start + 1)
  const mistake = sayMistake(
    valid,
    undefined,
    [
      ['any sample', 'The number of nights with any sample is', numberOfNights((number) => number > 0)],
      [
        'more samples',
        `The number of nights with more than ${minNightSamples} samples is`,
        numberOfNights((number) => number > minNightSamples),
      ],
      ['all nights', 'The number of all nights so far is', over],
      [
        'whole window',
        'The number of nights of the whole window is',
        over < samples.length ? samples.length : Number.NaN,
      ],
    ],
    exact,
  )
  return {
    path: '/period/validNights',
    message: `period.validNights is ${valid}, but ${least} of the nights sent have at least ${minNightSamples} samples.${mistake}`,
    expected: String(least),
    actual: String(valid),
  }
}

/** Counts the first nights with enough samples, without and with those whose number of samples was not sent. */
function countEnough(averages: readonly Value[], samples: readonly Value[], count: number): readonly [number, number] {
  let enough = 0
  let unknown = 0
  for (let index = 0; index < count && index < samples.length; index++) {
    if ((samples[index] ?? 0) >= minNightSamples) enough++
    else if (samples[index] === null && averages[index] !== null) unknown++
  }
  return [enough, enough + unknown]
}
