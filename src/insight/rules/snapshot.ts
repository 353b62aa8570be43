import { countWords } from '../describe-value.js'
import { numberOf, objectOf } from '../json-object.js'
import type { Reading } from '../reading.js'
import type { CheckedRule, ViolationDetails } from './rule.js'

/** Rules of the times of `insightContext.sourceSnapshot`: its structure is checked by the schema. */
export const snapshotRules: readonly CheckedRule[] = [
  {
    id: 'context-snapshot-seconds',
    severity: 'warning',
    section: '2.2',
    sentence: 'The times of sourceSnapshot are milliseconds since 1970, not seconds.',
    good: { insightContext: { sourceSnapshot: { asOf: 1791963900000 } } },
    bad: { insightContext: { sourceSnapshot: { asOf: 1791963900 } } },
    metrics: ['rest'],
    check: checkSeconds,
  },
  {
    id: 'context-snapshot-as-of-differs',
    severity: 'warning',
    section: '2.2',
    sentence: 'sourceSnapshot.asOf is the time of insightContext.asOf, give or take a minute.',
    good: { insightContext: { asOf: '2026-10-14T16:05:00+08:00', sourceSnapshot: { asOf: 1791965100000 } } },
    bad: { insightContext: { asOf: '2026-10-14T16:05:00+08:00', sourceSnapshot: { asOf: 1791936300000 } } },
    metrics: ['rest'],
    check: checkAsOf,
  },
]

/** From 2001 to 2100 in seconds: in milliseconds these are days of January and February 1970. */
const [firstSeconds, lastSeconds] = [1_000_000_000, 4_102_444_800]
const toleranceMs = 60_000
const sources = ['posture', 'wear', 'step'] as const

/** @NOTE contract: the unit of the integer timestamps is not shown; milliseconds are the unit of JSON timestamps. */
function isInSeconds(value: number | undefined): value is number {
  return value !== undefined && value >= firstSeconds && value <= lastSeconds
}

/** Finds the times in seconds, as one finding: when one is, most are. */
function checkSeconds({ context }: Reading): ViolationDetails | undefined {
  const snapshot = objectOf(context, 'sourceSnapshot')
  const watermarks = objectOf(snapshot, 'sourceWatermarks')
  let first: readonly [name: string, value: number] | undefined
  let others = 0
  const look = (members: typeof snapshot, names: readonly string[], above: string) => {
    for (const name of names) {
      const value = numberOf(members, name)
      if (!isInSeconds(value)) continue
      if (first === undefined) first = [`${above}${name}`, value]
      else others++
    }
  }
  look(snapshot, ['asOf', 'computedAt'], '')
  for (const source of sources) {
    look(objectOf(watermarks, source), ['observedThrough', 'completeThrough'], `sourceWatermarks/${source}/`)
  }
  if (first === undefined) return undefined
  const [name, value] = first
  const more =
    others === 0 ? '' : ` The same goes for ${countWords(others, 'more time', 'more times')} of the snapshot.`
  return {
    path: `/insightContext/sourceSnapshot/${name}`,
    message: `insightContext.sourceSnapshot.${name.replaceAll('/', '.')} is ${value}, a time of 1970 in milliseconds; it is ${value * 1000} if this is in seconds.${more}`,
    expected: 'milliseconds since 1970',
    actual: String(value),
  }
}

/** @NOTE contract: the relation of the two is not shown; the snapshot of a page is that of its view time. */
function checkAsOf({ context, asOf }: Reading): ViolationDetails | undefined {
  const value = numberOf(objectOf(context, 'sourceSnapshot'), 'asOf')
  if (value === undefined || asOf === undefined || isInSeconds(value)) return undefined
  const differenceMs = value - asOf.instantMs
  if (Math.abs(differenceMs) <= toleranceMs) return undefined
  return {
    path: '/insightContext/sourceSnapshot/asOf',
    message: `insightContext.sourceSnapshot.asOf is ${value}, ${describeSpan(Math.abs(differenceMs))} ${differenceMs < 0 ? 'before' : 'after'} insightContext.asOf.`,
    expected: String(asOf.instantMs),
    actual: String(value),
  }
}

function describeSpan(spanMs: number): string {
  const minutes = Math.round(spanMs / 60_000)
  if (minutes < 120) return countWords(minutes, 'minute')
  return minutes < 48 * 60
    ? countWords(Math.round(minutes / 60), 'hour')
    : countWords(Math.round(minutes / 1440), 'day')
}
