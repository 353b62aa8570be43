import { formatDate } from '../insight/calendar.js'
import type { HealthDetailPayload } from '../insight/schema.js'
import type { Locale } from '../insight/types.js'
import { isVital, minNightSamples } from '../insight/vitals.js'
import { assembleFacts } from './assemble-facts.js'
import type { PayloadFrame } from './frame.js'
import type { Records } from './records.js'

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
