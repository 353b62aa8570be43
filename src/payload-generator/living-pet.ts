import { localDateTime, toInstant, weekdayOf } from '../insight/calendar.js'
import { nightHours } from '../insight/night-times.js'
import type { Metric } from '../insight/types.js'
import type { VitalMetric } from '../insight/vitals.js'
import { round } from './assemble.js'
import { between, type Draw } from './draw.js'
import type { PayloadFrame, Records } from './frame.js'
import type { DayKind } from './story.js'

export type LivingPet = ReturnType<typeof createLivingPet>

interface Habit {
  readonly least: number
  readonly most: number
  /** The usual range as shares of the base. */
  readonly lower: number
  readonly upper: number
  /** The share by which Saturday and Sunday differ from other days. */
  readonly weekend: number
  readonly noise: number
  readonly digits: 0 | 1
}

/** Minutes (activity, rest), beats and breaths per minute (hr, rr), milliseconds (hrv), seconds (bark). */
const habits: Readonly<Record<Metric, Habit>> = {
  activity: { least: 150, most: 280, lower: 0.75, upper: 1.3, weekend: 0.14, noise: 0.12, digits: 0 },
  rest: { least: 440, most: 500, lower: 0.89, upper: 1.09, weekend: 0.02, noise: 0.05, digits: 0 },
  hr: { least: 62, most: 88, lower: 0.88, upper: 1.13, weekend: 0, noise: 0.06, digits: 1 },
  hrv: { least: 42, most: 78, lower: 0.78, upper: 1.24, weekend: 0.02, noise: 0.1, digits: 1 },
  rr: { least: 15, most: 24, lower: 0.84, upper: 1.18, weekend: 0, noise: 0.07, digits: 1 },
  bark: { least: 240, most: 700, lower: 0, upper: 1.6, weekend: -0.15, noise: 0.25, digits: 0 },
}
/** Cats are quieter, rest more and have a faster heart. */
const ofCats: Readonly<Partial<Record<Metric, number>>> = { activity: 0.6, hr: 1.7, rr: 1.3, bark: 0.3 }
/** Days from one height of a slow trend to the next. */
const trendDays = 47

/**
 * Creates a pet of a seed: it has habits, a slow trend, other weekends and restless days, and the days of a story. Nights are
 * as long as the clocks make them. Records of today end at the time of `asOf`.
 */
export function createLivingPet(
  { metric, timezone, asOfMs, today, mode }: PayloadFrame,
  { species, kindOf, goal, isSlight }: PetNature,
  draw: Draw,
) {
  const habit = habits[metric]
  const base =
    (habit.least + draw('base', metric) * (habit.most - habit.least)) * (species === 'cat' ? (ofCats[metric] ?? 1) : 1)
  /** The usual range of the pet; bark has no lower bound. */
  const range = {
    lower: toDigits(base * habit.lower, habit.digits),
    upper: toDigits(base * habit.upper, habit.digits),
  }
  const partOfToday = localDateTime(asOfMs, timezone).minuteOfDay / 1440
  /** The share of a day that is over when the payload is made. */
  const passed = (day: number) => (day < today ? 1 : day === today ? partOfToday : 0)

  const usualAmount = (day: number) => {
    const trend = 0.04 * Math.sin((2 * Math.PI * day) / trendDays + 6 * draw('phase', metric))
    const weekend = weekdayOf(day) > 5 ? habit.weekend : 0
    const noise = (draw('noise', metric, day) - 0.5) * habit.noise
    const [lower, upper] = [range.lower + (base - range.lower) * 0.1, range.upper - (range.upper - base) * 0.1]
    return Math.min(upper, Math.max(lower, base * (1 + trend + weekend + noise)))
  }
  /** Returns the main amount of a day: minutes, seconds, or a vital's average of the night. */
  const amountOf = (day: number): number | undefined => {
    const kind = kindOf(day)
    if (kind === 'missing') return undefined
    const [extent, far] = [draw('extent', metric, day), isSlight(day) ? 0.03 : 0.12]
    const amount =
      kind === 'low'
        ? range.lower * (1 - far - extent * 0.15)
        : kind === 'high'
          ? range.upper * (1 + far + extent * 0.15)
          : usualAmount(day)
    return toDigits(amount, habit.digits)
  }

  const nightMinutes = (day: number) => {
    const at = (number: number, minute: number) => toInstant(number * 86_400_000 + minute * 60_000, timezone)
    const start = at(day - 1, nightHours.start)
    const end = Math.min(
      at(day, nightHours.end),
      mode === 'today_so_far' && day === today ? asOfMs : Number.POSITIVE_INFINITY,
    )
    return Math.max(0, Math.round((end - start) / 60_000))
  }
  const night = (day: number) => {
    const amount = amountOf(day)
    if (amount === undefined) return undefined
    const length = nightMinutes(day)
    const wakes = kindOf(day) === 'low' ? between(draw('wakes', day), 3, 6) : between(draw('wakes', day), 0, 3)
    const rest = Math.min(length - 5, Math.round((amount * length) / 600))
    const light = Math.round(rest * (0.1 + draw('light', day) * 0.08))
    const activity = Math.min(length - rest, wakes * 4 + between(draw('restless', day), 4, 18))
    const longestRest = Math.round(rest / (1 + wakes * (0.5 + draw('block', day) * 0.4)))
    const worn = Math.min(length, rest + activity + between(draw('worn', day), 0, 20))
    return { deep: rest - light, light, wakes, activity, longestRest, worn }
  }
  const dayRestMinutes = (day: number) =>
    kindOf(day) === 'missing' ? undefined : Math.round((230 + draw('nap', day) * 60) * passed(day))
  const records: Records = {
    activity: (day) => {
      const amount = amountOf(day)
      if (amount === undefined) return undefined
      const minutes = Math.round(amount * passed(day))
      return { minutes, steps: Math.round(minutes * (27 + draw('pace', day) * 4)) }
    },
    goalMinutes: goal === 'none' ? undefined : chooseGoal(goal, Math.round((amountOf(today) ?? 0) * passed(today))),
    night,
    hourlyRest: (day) => (kindOf(day) === 'missing' ? undefined : spreadRest(draw, day, Math.floor(24 * passed(day)))),
    dayRestMinutes,
    vital: (name: VitalMetric, day) => {
      const value = amountOf(day)
      if (value === undefined) return undefined
      const awake = name === 'hrv' ? 0.9 : 1.09
      return {
        night: { value, sampleCount: between(draw('samples', day), 24, 46) },
        allDay: {
          value: round(value * (awake + (draw('awake', day) - 0.5) * 0.03)),
          sampleCount: Math.max(1, Math.round(between(draw('all', day), 70, 110) * Math.max(0.4, passed(day)))),
        },
      }
    },
    bark: (day) => {
      const amount = amountOf(day)
      if (amount === undefined) return undefined
      const seconds = Math.round(amount * passed(day))
      const events = seconds === 0 ? 0 : Math.max(1, Math.round(seconds / (22 + draw('bout', day) * 26)))
      return {
        seconds,
        events,
        longestSeconds: Math.min(seconds, Math.round((seconds / Math.max(1, events)) * (1.4 + draw('long', day)))),
      }
    },
  }
  return { records, range, amountOf }
}

export interface PetNature {
  readonly species: 'dog' | 'cat'
  readonly kindOf: (day: number) => DayKind
  readonly goal: 'none' | 'below' | 'met'
  /** True if an unusual day is near the usual range. */
  readonly isSlight: (day: number) => boolean
}

const toDigits = (value: number, digits: 0 | 1) => (digits === 0 ? Math.round(value) : round(value))

/** A goal in quarters of an hour, above or below what the pet has done. */
function chooseGoal(goal: 'below' | 'met', minutes: number): number {
  return goal === 'below' ? (Math.floor(minutes / 15) + 2) * 15 : Math.max(15, Math.floor((minutes * 0.8) / 15) * 15)
}

/** Minutes of rest in each hour that is over, most of them at night. */
function spreadRest(draw: Draw, day: number, hours: number): readonly number[] {
  return Array.from({ length: 24 }, (_, hour) => {
    if (hour >= hours) return 0
    return hour < 8 || hour >= 22 ? between(draw('rest', day, hour), 40, 60) : between(draw('rest', day, hour), 5, 35)
  })
}
