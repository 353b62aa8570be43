/** The daily facts of the week from 12 October 2026, with their average, as changes to a payload. */
type Values = readonly (number | null)[]

export const week7 = (...values: Values) => [...values, ...Array(7 - values.length).fill(null)]

export const activityWeek = (average: unknown, ...values: Values) => ({
  '/metrics/activityTime': { averageDailyActivityMinutes: average, dailyActivityMinutes: week7(...values) },
})

const dates = ['12', '13', '14', '15', '16', '17', '18'].map((date) => `2026-10-${date}`)

export const hrNights = (
  average: unknown,
  ...nights: readonly (readonly [value: number | null, samples: number])[]
) => ({
  '/metrics/nightRestHrAverage/value': average,
  '/metrics/dailyNightRestHr': dates.map((date, index) => ({
    date,
    nightRestHrAverage: nights[index]?.[0] ?? null,
    sampleCount: nights[index]?.[1] ?? 0,
  })),
  '/period/validNights': null,
})

export const restNights = (
  average: unknown,
  valid: number | null,
  ...nights: readonly (readonly [deep: number, light: number])[]
) => ({
  '/metrics/nightRest/averageMinutes': average,
  '/metrics/nightlyRestDurations': dates.map((nightDate, index) => ({
    nightDate,
    deepRestMinutes: nights[index]?.[0] ?? null,
    lightMovementMinutes: nights[index]?.[1] ?? null,
  })),
  '/period/validNights': valid,
})

/** Names each night of a week of rest by the evening before. */
export const byEvenings = Object.fromEntries(
  ['11', '12', '13', '14', '15', '16', '17'].map((date, index) => [
    `/metrics/nightlyRestDurations/${index}/nightDate`,
    `2026-10-${date}`,
  ]),
)
