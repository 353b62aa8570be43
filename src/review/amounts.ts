import type { PayloadView } from '../insight/payload-view.js'
import type { HealthDetailPayload } from '../insight/schema.js'
import { type Changes, changePayload } from './variation.js'

type Side = 'below' | 'within' | 'above'

/** Where the rating of a day says that its number lies; within for a day that is not rated. */
function readSide({ suppliedJudgment }: HealthDetailPayload): Side {
  const { direction, rating } = suppliedJudgment ?? {}
  if (rating === 'low' || (rating === 'fluctuating' && direction === -1)) return 'below'
  if (rating === 'high' || (rating === 'fluctuating' && direction === 1)) return 'above'
  return rating === 'active' || rating === 'frequent' ? 'above' : 'within'
}

const path = (member: string) => `/insightContext/comparison/${member}`

/** A range as factors of the number that it is to lie around, below or above. */
const rangeFactors: Readonly<Record<Side, readonly [lower: number, upper: number]>> = {
  below: [1.5, 2],
  within: [0.75, 1.25],
  above: [0.5, 0.75],
}

/** Minutes of activity; range and goal, where they are sent, move along, so that rating and scenario still fit. */
export function setActivity(payload: HealthDetailPayload, minutes: number): HealthDetailPayload {
  const { usualLower } = payload.insightContext.comparison ?? {}
  const [lower, upper] = rangeFactors[readSide(payload)]
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': minutes,
    ...(typeof usualLower === 'number' && {
      [path('usualLower')]: minutes * lower,
      [path('usualUpper')]: minutes * upper,
    }),
    ...moveGoal(readMetrics(payload), minutes),
  })
}

/** The facts of all pages as one type. */
const readMetrics = ({ metrics }: HealthDetailPayload) => metrics as unknown as PayloadView['metrics']

/** A goal that is reached stays so. */
function moveGoal(metrics: PayloadView['metrics'], minutes: number): Changes {
  const { activityMinutes, activityMinutesGoal: goal } = metrics.activityTime ?? {}
  if (typeof goal !== 'number' || goal <= 0 || typeof activityMinutes !== 'number') return {}
  return { '/metrics/activityTime/activityMinutesGoal': activityMinutes < goal ? minutes * 2 : minutes }
}

/** A usual range of activity with a number on the side of it that the rating names. */
export function setActivityRange(payload: HealthDetailPayload, lower: number, upper: number): HealthDetailPayload {
  const minutes = { below: lower * 0.75, within: (lower + upper) / 2, above: upper * 1.25 }[readSide(payload)]
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': minutes,
    [path('usualLower')]: lower,
    [path('usualUpper')]: upper,
  })
}

/** A daily goal of activity that is reached where it was reached. */
export function setGoal(payload: HealthDetailPayload, goal: number): HealthDetailPayload {
  const { activityMinutes, activityMinutesGoal: former } = readMetrics(payload).activityTime ?? {}
  const isBelow = typeof former === 'number' && typeof activityMinutes === 'number' && activityMinutes < former
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': isBelow ? goal - 10 : goal + 10,
    '/metrics/activityTime/activityMinutesGoal': goal,
  })
}

/** Seconds of barking, and how often; the limit, where one is sent, moves along. Of seconds alone no limit is below. */
export function setBarking(payload: HealthDetailPayload, seconds: number, count: number): HealthDetailPayload {
  const { usualUpper } = payload.insightContext.comparison ?? {}
  const side = readSide(payload)
  const limit = side === 'above' ? seconds / 2 : seconds * 1.5
  return changePayload(payload, {
    '/metrics/barkDurationSeconds': seconds,
    '/metrics/barkEventCount': count,
    ...(typeof usualUpper === 'number' && { [path('usualUpper')]: side === 'above' && limit < 60 ? undefined : limit }),
  })
}

/** A usual limit of barking with a duration on the side of it that the rating names. */
export function setBarkLimit(payload: HealthDetailPayload, seconds: number): HealthDetailPayload {
  return changePayload(payload, {
    '/metrics/barkDurationSeconds': readSide(payload) === 'above' ? seconds * 1.25 : seconds * 0.75,
    [path('usualUpper')]: seconds,
  })
}

/** How often it woke; a pet that hardly woke did not sleep worse for it. */
export function setWakes(payload: HealthDetailPayload, count: number): HealthDetailPayload {
  const { restRatingFactors: factors } = payload.insightContext.comparison ?? {}
  return changePayload(payload, {
    '/metrics/night/interruptions/count': count,
    ...(Array.isArray(factors) && { [path('restRatingFactors')]: factors.filter((one) => one !== 'interruptions') }),
  })
}

/** Held against the values of its breed or general ones: without a personal range, and without a rating by one. */
export function setBasis(payload: HealthDetailPayload, basis: 'breed' | 'general'): HealthDetailPayload {
  return changePayload(payload, {
    [path('pageEvaluationBasis')]: basis,
    [path('usualLower')]: undefined,
    [path('usualUpper')]: undefined,
    ...(payload.suppliedJudgment != null && { '/suppliedJudgment/baselineSource': null }),
  })
}

/** Five past one in the night, with no more than fits into the time until then. */
export function setEarly(payload: HealthDetailPayload): HealthDetailPayload {
  const { asOf, observedThrough } = payload.insightContext
  const offset = /(Z|[+-][\d:]+)$/.exec(observedThrough ?? asOf)?.[0] ?? 'Z'
  const early = changePayload(payload, {
    '/insightContext/observedThrough': `${payload.period.startDate}T01:05:00${offset}`,
  })
  const { activityTime, barkDurationSeconds, night } = readMetrics(early)
  if (activityTime != null) return setActivity(early, 20)
  if (barkDurationSeconds)
    return changePayload(early, { '/metrics/barkDurationSeconds': 120, '/metrics/barkEventCount': 3 })
  if (typeof night?.nightRest?.minutes !== 'number') return early
  return changePayload(early, { '/metrics/night/nightRest/minutes': 145, '/metrics/night/wearingMinutes': 180 })
}
