/** One picture of a film, 3 bytes a pixel (RGB), row after row. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** What a loop shows: the size of a WebP grows with each of these. */
export const framesPerSecond = 12
/** Pixels of the longer side. */
export const longSide = 480
/** Of a longer film, the beginning is taken. */
export const secondsAtMost = 10

/** Why a clip cannot be made into a loop, in a sentence for the log. */
export class UnusableClip extends Error {
  override readonly name = 'UnusableClip'
}
