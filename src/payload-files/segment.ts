import type { Location } from '../text/json-location.js'

/** Some whole lines of NDJSON, or the text of one payload. It starts at `start` in its file. */
export interface Segment {
  readonly bytes: Buffer
  readonly lines: boolean
  readonly start: Location
  /** Set if an array lacks a payload or does not end: describes the syntax error. The segment has no bytes. */
  readonly syntaxError?: string
}

/** A payload or line that is too long to check. `problem` is a sentence. */
export interface SkippedSegment {
  readonly problem: string
}

/** The longest payload or NDJSON line that is read. */
export const payloadLimitBytes = 16 << 20
