/** One picture of a video, 3 bytes per pixel (RGB), row by row. */
export interface Frame {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** The size of a WebP grows with each of these limits. */
export const framesPerSecond = 12
/** Only the beginning of a longer video is used. */
export const secondsAtMost = 10
/** In seconds: a model's clip is shorter, and a file that claims more is broken. */
export const lengthAtMost = 300

/** The defect of a clip that no player can show, as a sentence for the log. */
export class UnusableClip extends Error {
  override readonly name = 'UnusableClip'
}

/** The reason that a clip which others may play cannot be converted here, as a sentence for the log. */
export class UnsupportedClip extends Error {
  override readonly name = 'UnsupportedClip'
}

/** Thrown if the decoder was killed from outside, as the system does when memory is short. The message is for the log. */
export class KilledDecoder extends Error {
  override readonly name = 'KilledDecoder'
}
