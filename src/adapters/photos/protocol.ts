import type { Photo } from '../../ports/photos.js'
import type { PhotoKind } from './kind.js'

/** A request to the process that reads photos, one at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array
  readonly kind: PhotoKind
  /** Minimum length of the shorter side, in pixels. */
  readonly minSide: number
  /** The origin: a model's picture may have any shape, be transparent, and have damage that is not visible. */
  readonly source: 'caller' | 'model'
  /** The longer side of the copy, in pixels; that of a stored photo if absent. */
  readonly keptSide?: number
}

export interface LimitedRequest extends ReadRequest {
  /** The process ends if it takes more processor time, in milliseconds. */
  readonly cpuMsAtMost: number
}

/** The photo, or a refusal: the rest of a sentence that begins with the field, with the defect and its fix. */
export type ReadAnswer = Photo | PhotoRefusal

export interface PhotoRefusal {
  readonly refusal: string
  /**
   * Set if two processes failed. `ended`: both ended on their own, usually, but not certainly, because of the file. `late`:
   * at least one was too late, usually because the machine is busy.
   */
  readonly lost?: 'ended' | 'late'
}

/** The process sends this once, when it is ready. */
export const ready = 'ready'
