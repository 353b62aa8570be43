import type { PayloadFrame } from './frame.js'

/** A rating and the days that it counts; `counted` and `attention` are days or nights. */
export interface Rating {
  /** Null before the first rating. */
  readonly rating: string | null
  /** Default: that of the rating. */
  readonly direction?: -1 | 0 | 1 | null | undefined
  readonly deteriorating?: boolean | undefined
  readonly counted: number
  readonly attention: number | null
}

const ruleVersions = {
  activity: 'activity-judgment-v1',
  rest: 'sleep-rating-c2-v1',
  hr: 'vital-judgment-c1-v1',
  hrv: 'vital-judgment-c1-v1',
  rr: 'vital-judgment-c1-v1',
  bark: 'bark-judgment-v1',
} as const

const directions: Readonly<Record<string, -1 | 0 | 1>> = {
  low: -1,
  high: 1,
  Poor: -1,
  Fair: -1,
  active: 1,
  frequent: 1,
}

/** Returns `suppliedJudgment`. Source: health detail contract, 2.3. */
export function createJudgment({ metric }: Pick<PayloadFrame, 'metric'>, rating: Rating): Record<string, unknown> {
  const isRated = rating.rating !== null
  const usual = rating.rating === null ? null : (directions[rating.rating] ?? 0)
  return {
    ruleVersion: ruleVersions[metric],
    rating: rating.rating,
    direction: rating.direction === undefined ? usual : rating.direction,
    baselineSource: isRated ? 'personal' : null,
    ...(rating.deteriorating !== undefined && { deteriorating: rating.deteriorating }),
    ...(metric === 'rest'
      ? { ratedNights: rating.counted, lowRestDays: rating.attention }
      : { judgedDays: rating.counted, unusualDays: rating.attention }),
  }
}
