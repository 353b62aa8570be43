import type { VitalMetric } from '../vitals.js'
import { activityAverage, allDayAverages, barkAverage, dayRestAverage, stepsAverage } from './average-places.js'
import { checkActivityWithoutDays, checkAverage, checkDaysWithoutValue } from './day-averages.js'
import { checkNightRest, checkNightsWithoutValue, checkVitalNights } from './night-averages.js'
import { type CheckedRule, periodWindows, vitalMetrics } from './rule.js'

/** Rules of averages: they agree with the daily facts they come with. */
export const averageRules: readonly CheckedRule[] = [
  {
    id: 'activity-average-agrees',
    severity: 'error',
    section: '4',
    sentence: 'averageDailyActivityMinutes is the mean of the finished days that have records, give or take 1 minute.',
    good: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 205,
          dailyActivityMinutes: [200, 210, null, null, null, null, null],
        },
      },
    },
    bad: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 412,
          dailyActivityMinutes: [200, 210, null, null, null, null, null],
        },
      },
    },
    metrics: ['activity'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, activityAverage),
  },
  {
    id: 'activity-average-without-days',
    severity: 'error',
    section: '2.4',
    sentence: 'averageDailyActivityMinutes is null while no finished day has records.',
    good: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: null,
          dailyActivityMinutes: [96, null, null, null, null, null, null],
        },
      },
    },
    bad: {
      metrics: {
        activityTime: {
          averageDailyActivityMinutes: 96,
          dailyActivityMinutes: [96, null, null, null, null, null, null],
        },
      },
    },
    metrics: ['activity'],
    windows: periodWindows,
    check: checkActivityWithoutDays,
  },
  {
    id: 'steps-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'averageDailySteps is the mean of the days that have records, with or without today, give or take 1 step.',
    good: { metrics: { steps: { averageDailySteps: 6050, dailySteps: [6000, 6100, null, null, null, null, null] } } },
    bad: { metrics: { steps: { averageDailySteps: 7000, dailySteps: [6000, 6100, null, null, null, null, null] } } },
    metrics: ['activity'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, stepsAverage),
  },
  {
    id: 'night-rest-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'nightRest.averageMinutes is the mean over the nights of deep rest, or of deep rest and light movement, give or take 1 minute.',
    good: {
      metrics: {
        nightRest: { averageMinutes: 470 },
        nightlyRestDurations: [{ nightDate: '2026-10-12', lightMovementMinutes: 60, deepRestMinutes: 410 }],
      },
    },
    bad: {
      metrics: {
        nightRest: { averageMinutes: 300 },
        nightlyRestDurations: [{ nightDate: '2026-10-12', lightMovementMinutes: 60, deepRestMinutes: 410 }],
      },
    },
    metrics: ['rest'],
    windows: periodWindows,
    check: checkNightRest,
  },
  {
    id: 'day-rest-average-agrees',
    severity: 'error',
    section: '4',
    sentence: 'dayRest.averageMinutes is the mean of the finished days that have records, give or take 1 minute.',
    good: {
      metrics: { dayRest: { averageMinutes: 255 }, dailyDayRestMinutes: [250, 260, null, null, null, null, null] },
    },
    bad: {
      metrics: { dayRest: { averageMinutes: 300 }, dailyDayRestMinutes: [250, 260, null, null, null, null, null] },
    },
    metrics: ['rest'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, dayRestAverage),
  },
  {
    id: 'vital-night-average-agrees',
    severity: 'error',
    section: '8',
    sentence: 'The night average of a vital is the mean of the nights with at least 4 samples, give or take 1 or 2 %.',
    good: {
      metrics: {
        nightRestHrAverage: { value: 68 },
        dailyNightRestHr: [
          { date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 },
          { date: '2026-10-13', nightRestHrAverage: 90, sampleCount: 3 },
        ],
      },
    },
    bad: {
      metrics: {
        nightRestHrAverage: { value: 79 },
        dailyNightRestHr: [
          { date: '2026-10-12', nightRestHrAverage: 68, sampleCount: 36 },
          { date: '2026-10-13', nightRestHrAverage: 90, sampleCount: 3 },
        ],
      },
    },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: checkVitalNights,
  },
  {
    id: 'vital-all-day-average-agrees',
    severity: 'error',
    section: '2.4',
    sentence:
      'The all-day average of a vital is the mean of the days that have one, with or without today, give or take 1.',
    good: {
      metrics: {
        allDayRestHrAverage: { value: 75 },
        dailyAllDayRestHr: [{ date: '2026-10-12', allDayRestHrAverage: 75, sampleCount: 88 }],
      },
    },
    bad: {
      metrics: {
        allDayRestHrAverage: { value: 84 },
        dailyAllDayRestHr: [{ date: '2026-10-12', allDayRestHrAverage: 75, sampleCount: 88 }],
      },
    },
    metrics: vitalMetrics,
    windows: periodWindows,
    check: (reading) => checkAverage(reading, allDayAverages[reading.metric as VitalMetric]),
  },
  {
    id: 'bark-average-agrees',
    severity: 'error',
    section: '4',
    sentence:
      'averageDailyBarkDurationSeconds is the mean of the days that have records, with or without today, give or take 1 second.',
    good: {
      metrics: {
        averageDailyBarkDurationSeconds: 450,
        dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 450 }],
      },
    },
    bad: {
      metrics: {
        averageDailyBarkDurationSeconds: 900,
        dailyBarkDurations: [{ date: '2026-10-12', barkDurationSeconds: 450 }],
      },
    },
    metrics: ['bark'],
    windows: periodWindows,
    check: (reading) => checkAverage(reading, barkAverage),
  },
  {
    id: 'average-without-days',
    severity: 'warning',
    section: '2.4',
    sentence: 'An average is null while there is no finished day or night to make it from.',
    good: { metrics: { averageDailyBarkDurationSeconds: null } },
    bad: { metrics: { averageDailyBarkDurationSeconds: 450 } },
    windows: periodWindows,
    check: (reading) => {
      const nights = checkNightsWithoutValue(reading)
      const days = checkDaysWithoutValue(reading)
      return nights === undefined ? days : [nights, ...(days === undefined ? [] : [days])]
    },
  },
]
