/** A clip as an animated WebP that repeats for ever. */
export interface Loop {
  readonly webp: Uint8Array
  /** Of the whole clip: whole seconds, at least 1. */
  readonly durationSeconds: number
}

/**
 * Makes the loop of a clip as a model delivers it. Throws the reason of `signal`, and an Error with a sentence for the log
 * where no loop can be made: the clip is then delivered without.
 */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal) => Promise<Loop>
