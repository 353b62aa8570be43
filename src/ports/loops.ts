/**
 * Makes an animated WebP that repeats for ever of a clip as a model delivers it. Throws the reason of `signal`, and an Error
 * with a sentence for the log where none can be made: the clip is then delivered without.
 */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>
