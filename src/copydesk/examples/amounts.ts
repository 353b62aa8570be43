import { type Changes, changePayload } from '../../insight/change-payload.js'
import type { Side } from '../../insight/clause-words.js'
import type { HealthDetailPayload, PayloadView } from '../../insight/schema.js'
import { neededDays } from '../../insight/situation.js'

/** Returns the side of the range that the rating of a day means; `within` without a rating. */
function readSide({ suppliedJudgment }: HealthDetailPayload): Side {
  const { direction, rating } = suppliedJudgment ?? {}
  if (rating === 'low' || (rating === 'fluctuating' && direction === -1)) return 'below'
  if (rating === 'high' || (rating === 'fluctuating' && direction === 1)) return 'above'
  return rating === 'active' || rating === 'frequent' ? 'above' : 'within'
}

const path = (member: string) => `/insightContext/comparison/${member}`

/** The bounds of a range as factors of a number that lies below, within or above it. */
const rangeFactors: Readonly<Record<Side, readonly [lower: number, upper: number]>> = {
  below: [1.5, 2],
  within: [0.75, 1.25],
  above: [0.5, 0.75],
}

/** Sets the minutes of activity. Moves the range and the goal, if any, so that rating and scenario still fit. */
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

/** Sets the activity to 0. A range that the rating would contradict is moved or removed. */
export function setIdle(payload: HealthDetailPayload): HealthDetailPayload {
  const side = readSide(payload)
  const { usualLower } = payload.insightContext.comparison ?? {}
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': 0,
    ...(side === 'within' && typeof usualLower === 'number' && { [path('usualLower')]: 0 }),
    ...(side === 'above' && { [path('usualLower')]: undefined, [path('usualUpper')]: undefined }),
  })
}

/** Sets the days or nights that are rated to the fewest that allow a conclusion. */
export function setFewRated(payload: HealthDetailPayload): HealthDetailPayload {
  const { metric, suppliedJudgment, viewWindow } = payload
  if (suppliedJudgment == null || suppliedJudgment.rating === null) return payload
  const rated = metric === 'rest' ? 'ratedNights' : 'judgedDays'
  return changePayload(payload, { [`/suppliedJudgment/${rated}`]: neededDays[viewWindow] })
}

/** Views the metrics of any page as one type. */
const readMetrics = ({ metrics }: HealthDetailPayload) => metrics as unknown as PayloadView['metrics']

/** Moves a goal so that a reached goal stays reached. */
function moveGoal(metrics: PayloadView['metrics'], minutes: number): Changes {
  const { activityMinutes, activityMinutesGoal: goal } = metrics.activityTime ?? {}
  if (typeof goal !== 'number' || goal <= 0 || typeof activityMinutes !== 'number') return {}
  return { '/metrics/activityTime/activityMinutesGoal': activityMinutes < goal ? minutes * 2 : minutes }
}

/** Sets the usual range of activity, and minutes on the side that the rating means. */
export function setActivityRange(payload: HealthDetailPayload, lower: number, upper: number): HealthDetailPayload {
  const minutes = { below: lower * 0.75, within: (lower + upper) / 2, above: upper * 1.25 }[readSide(payload)]
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': minutes,
    [path('usualLower')]: lower,
    [path('usualUpper')]: upper,
  })
}

/** Sets a daily activity goal; it is reached if the former one was. */
export function setGoal(payload: HealthDetailPayload, goal: number): HealthDetailPayload {
  const { activityMinutes, activityMinutesGoal: former } = readMetrics(payload).activityTime ?? {}
  const isBelow = typeof former === 'number' && typeof activityMinutes === 'number' && activityMinutes < former
  return changePayload(payload, {
    '/metrics/activityTime/activityMinutes': isBelow ? goal - 10 : goal + 10,
    '/metrics/activityTime/activityMinutesGoal': goal,
  })
}

/** Sets seconds and count of barking, and moves the limit, if any. Removes a limit that would be under a minute. */
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

/** Sets the usual limit of barking, and a duration on the side that the rating means. */
export function setBarkLimit(payload: HealthDetailPayload, seconds: number): HealthDetailPayload {
  return changePayload(payload, {
    '/metrics/barkDurationSeconds': readSide(payload) === 'above' ? seconds * 1.25 : seconds * 0.75,
    [path('usualUpper')]: seconds,
  })
}

/**
 * Sets how often the pet woke. Removes `interruptions` from the reasons of the rating: a pet that hardly woke did not
 * sleep worse for it.
 */
export function setWakes(payload: HealthDetailPayload, count: number): HealthDetailPayload {
  const { restRatingFactors: factors } = payload.insightContext.comparison ?? {}
  return changePayload(payload, {
    '/metrics/night/interruptions/count': count,
    ...(Array.isArray(factors) && { [path('restRatingFactors')]: factors.filter((one) => one !== 'interruptions') }),
  })
}

/** Compares with breed or general values: without a personal range, and without a rating based on one. */
export function setBasis(payload: HealthDetailPayload, basis: 'breed' | 'general'): HealthDetailPayload {
  return changePayload(payload, {
    [path('pageEvaluationBasis')]: basis,
    [path('usualLower')]: undefined,
    [path('usualUpper')]: undefined,
    ...(payload.suppliedJudgment != null && { '/suppliedJudgment/baselineSource': null }),
  })
}

/** Sets the time to 01:05 and lowers the amounts to what fits into the time until then. */
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
