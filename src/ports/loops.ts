/** A looping clip in the formats that could be made of it. */
export interface Loop {
  readonly mp4: Uint8Array
  /** Null if it could not be made: the clip is delivered without. */
  readonly webp: Uint8Array | null
  /** Whole seconds, at least 1. */
  readonly durationSeconds: number
}

/** Makes the loop of a clip as a model delivers it. Throws the reason of `signal`, and whatever is wrong with the clip. */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal) => Promise<Loop>
