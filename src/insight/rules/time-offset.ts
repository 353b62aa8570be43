import { hasOffsetAt, hasOffsetWithinYear } from '../calendar.js'
import { describeValue } from '../describe-value.js'
import { type JsonObject, textOf } from '../json-object.js'
import type { CheckedRule, ViolationDetails } from './rule.js'

/** The rule of offsets that clocks had before they changed, or will have. */
export const timeOffsetRules: readonly CheckedRule[] = [
  {
    id: 'context-offset-of-season',
    severity: 'warning',
    section: '2.2',
    sentence:
      'asOf and observedThrough are not written with an offset that period.timezone has only in another season; UTC and the offsets of other time zones are accepted.',
    good: {
      period: { timezone: 'Europe/London' },
      insightContext: { asOf: '2026-10-26T09:00:00+00:00' },
    },
    bad: {
      period: { timezone: 'Europe/London' },
      insightContext: { asOf: '2026-10-26T09:00:00+01:00' },
    },
    check: ({ asOf, observed, observedMs, context, timezone }) => {
      if (timezone === undefined) return undefined
      const first = checkOffset('asOf', context, timezone, asOf?.instantMs, asOf?.offsetMinutes)
      const second = checkOffset('observedThrough', context, timezone, observedMs, observed?.offsetMinutes)
      if (first === undefined) return second
      return second === undefined ? first : [first, second]
    },
  },
]

/**
 * @NOTE contract: not shown which offset asOf is written with. Any is accepted; one of the pet's own zone in another season
 * is an hour off in most cases. Offset 0 is UTC in the first place.
 */
function checkOffset(
  name: string,
  context: JsonObject,
  timezone: string,
  instantMs: number | undefined,
  offset: number | undefined,
): ViolationDetails | undefined {
  if (instantMs === undefined || offset === undefined || offset === 0) return undefined
  if (hasOffsetAt(instantMs, timezone, offset) || !hasOffsetWithinYear(instantMs, timezone, offset)) return undefined
  const actual = describeValue(textOf(context, name))
  return {
    path: `/insightContext/${name}`,
    message: `insightContext.${name} is ${actual}, but ${timezone} does not have this offset at that time, only in another season.`,
    expected: `the offset of ${timezone} at that time, or UTC`,
    actual,
  }
}
