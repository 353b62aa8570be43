/**
 * Converts a model's clip to an animated WebP that loops forever. Rejects with the reason of `signal`, or with an Error whose
 * message is for the log if the conversion fails; the clip is then delivered without a WebP.
 */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>
