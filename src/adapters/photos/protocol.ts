import type { Photo } from '../../ports/photos.js'
import type { PhotoKind } from './kind.js'

/** What the process that reads photos is asked, one at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array
  readonly kind: PhotoKind
  /** Least length of the shorter side, pixels. */
  readonly minSide: number
  /** Where it is from: a model's picture may have any shape, be transparent, and lack what no eye misses. */
  readonly source: 'caller' | 'model'
}

/** The photo, or the rest of a sentence that begins with the field: what is wrong with it and what would do. */
export type ReadAnswer = Photo | Refusal

export interface Refusal {
  readonly refusal: string
  /** Whether the process that read it took too long or ended: most often, but not surely, that is the file's doing. */
  readonly isLost?: true
}

/** What the process says once, when it is able to read. */
export const ready = 'ready'
