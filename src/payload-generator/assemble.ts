import { formatDate } from '../insight/calendar.js'
import { meanOf } from '../insight/rules/mean.js'
import type { HealthDetailPayload } from '../insight/schema.js'
import type { Locale } from '../insight/types.js'
import { isVital, minNightSamples, type VitalMetric, vitalNames } from '../insight/vitals.js'
import { type NightRecord, type PayloadFrame, type Records, type Sampled, writeLocalTime } from './frame.js'

export interface GeneratedPet {
  readonly userId: string
  readonly petId: string
  readonly name: string
  readonly species: 'dog' | 'cat'
}

export interface Parts {
  readonly pet: GeneratedPet
  readonly locale: Locale
  readonly factVersion: string
  readonly records: Records
  /** Time of the latest report, for `today_so_far`. Default: that of `asOf`. */
  readonly observedThrough?: string | undefined
  readonly baselineProgress?: { readonly validDays: number; readonly requiredDays: number } | undefined
  readonly comparison?: Readonly<Record<string, unknown>> | undefined
  readonly judgment?: Readonly<Record<string, unknown>> | undefined
}

/** Puts the payload of a window together: counts and averages are those of the records. Source: health detail contract, 2. */
export function assemblePayload(frame: PayloadFrame, parts: Parts): HealthDetailPayload {
  const { metric, viewWindow, mode } = frame
  const { pet, records, baselineProgress, comparison, judgment } = parts
  const hasNights = viewWindow !== 'day' && (metric === 'rest' || isVital(metric))
  const payload = {
    schemaVersion: 'health-detail-v3',
    userId: pet.userId,
    petId: pet.petId,
    metric,
    viewWindow,
    locale: parts.locale,
    petProfile: { name: pet.name, species: pet.species },
    period: {
      startDate: formatDate(frame.start),
      endDate: formatDate(frame.end),
      timezone: frame.timezone,
      isCompleted: frame.end < frame.today,
      ...(hasNights && { elapsedNights: frame.elapsed, validNights: countNights(frame, records) }),
    },
    insightContext: {
      mode,
      asOf: frame.asOf,
      ...(mode === 'today_so_far' && { observedThrough: parts.observedThrough ?? frame.asOf }),
      factVersion: parts.factVersion,
      ...(metric === 'rest' && { sourceSnapshot: createSnapshot(frame) }),
      ...(baselineProgress !== undefined && { baselineProgress }),
      ...(comparison !== undefined && { comparison }),
    },
    ...(judgment !== undefined && { suppliedJudgment: judgment }),
    metrics: assembleFacts(frame, records),
  }
  // `generatePayload` and the tests validate what is put together here.
  return payload as unknown as HealthDetailPayload
}

function countNights({ metric, start, elapsed }: PayloadFrame, records: Records): number {
  const hasRecord = (day: number) =>
    isVital(metric)
      ? (records.vital(metric, day)?.night.sampleCount ?? 0) >= minNightSamples
      : records.night(day) !== undefined
  return Array.from({ length: elapsed }, (_, index) => start + index).filter(hasRecord).length
}

function createSnapshot({ asOfMs, today }: PayloadFrame) {
  const through = asOfMs - 420_000
  const watermark = (cursor: string | number | null) => ({ cursor, observedThrough: through, completeThrough: through })
  return {
    snapshotState: 'versioned',
    snapshotId: `snapshot-${formatDate(today).replaceAll('-', '')}-01`,
    asOf: asOfMs,
    computedAt: asOfMs - 60_000,
    sourceCompleteness: 'complete',
    sourceWatermarks: { posture: watermark('posture:88213'), wear: watermark(41_207), step: watermark(null) },
    aggregateVersion: 'rest-aggregate-v4',
  }
}

/** Returns the member `metrics` of a payload. Source: health detail contract, 2.4. */
function assembleFacts(frame: PayloadFrame, records: Records): Record<string, unknown> {
  const { metric, viewWindow } = frame
  const isDay = viewWindow === 'day'
  if (isVital(metric)) return isDay ? vitalDay(frame, records, metric) : vitalPeriod(frame, records, metric)
  const assemble = {
    activity: isDay ? activityDay : activityPeriod,
    rest: isDay ? restDay : restPeriod,
    bark: isDay ? barkDay : barkPeriod,
  }
  return assemble[metric](frame, records)
}

function activityDay({ start }: PayloadFrame, { activity, goalMinutes }: Records) {
  const { minutes, steps } = activity(start) ?? { minutes: 0, steps: 0 }
  return {
    activityTime: {
      activityMinutes: minutes,
      ...(goalMinutes !== undefined && { activityMinutesGoal: goalMinutes }),
    },
    steps: { steps },
  }
}

function activityPeriod(frame: PayloadFrame, { activity }: Records) {
  const days = perDay(frame, activity)
  const [minutes, steps] = [days.map((day) => day?.minutes ?? null), days.map((day) => day?.steps ?? null)]
  return {
    activityTime: { averageDailyActivityMinutes: average(minutes, frame.finished), dailyActivityMinutes: minutes },
    steps: { averageDailySteps: average(steps, frame.finished), dailySteps: steps },
  }
}

function restDay({ start, timezone, mode }: PayloadFrame, { night, hourlyRest }: Records) {
  const record = night(start)
  const hours = hourlyRest(start)
  return {
    night: {
      startAt: writeLocalTime(formatDate(start - 1), '22:00', timezone),
      endAt: writeLocalTime(formatDate(start), '08:00', timezone),
      isCompleted: mode !== 'today_so_far',
      ...(record !== undefined && {
        nightRest: { minutes: restOf(record) },
        interruptions: { count: record.wakes },
        nightActivity: { minutes: record.activity },
        longestRestBlockMinutes: record.longestRest,
        wearingMinutes: record.worn,
      }),
    },
    ...(hours !== undefined && { day: { hourlyRestMinutes: hours } }),
  }
}

function restPeriod(frame: PayloadFrame, { night, dayRestMinutes }: Records) {
  const nights = perDay(frame, night)
  const daytime = perDay(frame, dayRestMinutes)
  const averageOf = (value: (record: NightRecord) => number) => average(nights.map(orNull(value)), frame.elapsed)
  return {
    nightRest: { averageMinutes: averageOf(restOf) },
    interruptions: { averageCount: averageOf(({ wakes }) => wakes) },
    nightActivity: { averageMinutes: averageOf(({ activity }) => activity) },
    nightlyRestDurations: nights.map((record, index) => ({
      nightDate: formatDate(frame.start + index),
      lightMovementMinutes: record?.light ?? null,
      deepRestMinutes: record?.deep ?? null,
    })),
    dailyDayRestMinutes: daytime,
    dayRest: { averageMinutes: average(daytime, frame.finished) },
  }
}

const restOf = ({ deep, light }: NightRecord) => deep + light
const noSamples = { value: null, sampleCount: 0 }

function vitalDay({ start }: PayloadFrame, { vital }: Records, metric: VitalMetric) {
  const names = vitalNames[metric]
  const record = vital(metric, start)
  return { [names.nightAverage]: record?.night ?? noSamples, [names.allDayAverage]: record?.allDay ?? noSamples }
}

function vitalPeriod(frame: PayloadFrame, { vital }: Records, metric: VitalMetric) {
  const names = vitalNames[metric]
  const days = perDay(frame, (day) => vital(metric, day))
  const nights = days.map((day) => day?.night ?? null)
  const allDays = days.map((day) => day?.allDay ?? null)
  const averageOf = (values: readonly (Sampled | null)[], count: number) => ({
    value: average(values.map(orNull(({ value }) => value)), count),
    sampleCount: values.reduce((sum, sampled) => sum + (sampled?.sampleCount ?? 0), 0),
  })
  const elements = (values: readonly (Sampled | null)[], name: string) =>
    values.map((sampled, index) => ({
      date: formatDate(frame.start + index),
      [name]: sampled?.value ?? null,
      sampleCount: sampled?.sampleCount ?? 0,
    }))
  return {
    aggregationMethod: 'daily_median_mean_v1',
    [names.nightAverage]: averageOf(nights, frame.elapsed),
    [names.allDayAverage]: averageOf(allDays, frame.finished),
    [names.dailyNights]: elements(nights, names.nightAverage),
    [names.dailyDays]: elements(allDays, names.allDayAverage),
  }
}

function barkDay({ start }: PayloadFrame, { bark }: Records) {
  const record = bark(start)
  return {
    measurementMode: 'estimated',
    ...(record !== undefined && {
      barkDurationSeconds: record.seconds,
      barkEventCount: record.events,
      longestBarkEventDurationSeconds: record.longestSeconds,
    }),
  }
}

function barkPeriod(frame: PayloadFrame, { bark }: Records) {
  const days = perDay(frame, bark)
  const seconds = days.map(orNull((day) => day.seconds))
  const events = days.map(orNull((day) => day.events))
  return {
    averageDailyBarkDurationSeconds: average(seconds, frame.finished),
    ...(events.some(isNumber) && { barkEventCount: events.filter(isNumber).reduce((sum, count) => sum + count, 0) }),
    averageDailyBarkEventCount: average(events, frame.finished),
    dailyBarkDurations: seconds.map((barkDurationSeconds, index) => ({
      date: formatDate(frame.start + index),
      barkDurationSeconds,
    })),
  }
}

/** One value for each day of the window, null without records and from tomorrow on. */
function perDay<Value>(
  { days, elapsed, start }: PayloadFrame,
  find: (day: number) => Value | undefined,
): (Value | null)[] {
  return Array.from({ length: days }, (_, index) => (index < elapsed ? (find(start + index) ?? null) : null))
}

const orNull =
  <Item>(value: (item: Item) => number) =>
  (item: Item | null) =>
    item === null ? null : value(item)

/** Mean of the first `count` days, to one decimal; null if no day has a value. */
function average(values: readonly (number | null)[], count: number): number | null {
  const mean = meanOf(values, count)
  return mean === undefined ? null : round(mean)
}

const isNumber = (value: number | null): value is number => value !== null

/** Rounds to one decimal. */
export const round = (value: number) => Math.round(value * 10) / 10
