import type { Photo } from '../../ports/photos.js'
import type { PhotoKind } from './kind.js'

/** What the process that reads photos is asked, one at a time. */
export interface ReadRequest {
  readonly bytes: Uint8Array
  readonly kind: PhotoKind
  /** Least length of the shorter side, pixels. */
  readonly minSide: number
}

/** The photo, or the rest of a sentence that begins with the field: what is wrong with it and what would do. */
export type ReadAnswer = Photo | { readonly refusal: string }

/** What the process says once, when it is able to read. */
export const ready = 'ready'
