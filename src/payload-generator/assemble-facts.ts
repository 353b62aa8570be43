import { formatDate } from '../insight/calendar.js'
import { isVital, type VitalMetric, vitalNames } from '../insight/vitals.js'
import { type PayloadFrame, writeLocalTime } from './frame.js'
import type { NightRecord, Records, Sampled } from './records.js'

/** Returns the member `metrics` of a payload. Source: health detail contract, 2.4. */
export function assembleFacts(frame: PayloadFrame, records: Records): Record<string, unknown> {
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
  const known = values.slice(0, count).filter(isNumber)
  return known.length === 0 ? null : round(known.reduce((sum, value) => sum + value, 0) / known.length)
}

const isNumber = (value: number | null): value is number => value !== null

/** Rounds to one decimal. */
export const round = (value: number) => Math.round(value * 10) / 10
