/**
 * Converts a model's clip to an animated WebP that loops forever. Rejects with the reason of `signal`; `BrokenClip`;
 * `unavailable` if the conversion may succeed later, because its processes were killed; or an Error if this machine cannot
 * convert the clip, or too many clips wait: it is then delivered without a WebP. Messages are for the log.
 */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>

/** Thrown for a clip that no player can show. The message is a sentence about the clip: `It has no video.` */
export class BrokenClip extends Error {
  override readonly name = 'BrokenClip'
}

/** True if `error` is a BrokenClip. Compares the name, because each bundle holds its own copy of the class. */
export function isBrokenClip(error: unknown): error is BrokenClip {
  return error instanceof Error && error.name === 'BrokenClip'
}
