/** A change that a clip needed. */
export type ClipChange = 'cropped' | 'muted'

export interface LoopedClip {
  /** Animated, loops forever. */
  readonly webp: Uint8Array
  /** Absent if the clip needed no change, or if this machine cannot make the change. */
  readonly mp4?: Uint8Array
  readonly changes: readonly ClipChange[]
}

/** The width of the picture that a clip begins with, divided by its height: a clip of another aspect is cropped to it. */
export interface StillShape {
  readonly aspect: number
}

/**
 * Converts a model's clip to an animated WebP that loops forever, crops it to the shape of its still, and removes its sound.
 * Rejects with the reason of `signal`; `BrokenClip`; `unavailable` if the conversion may succeed later, because its
 * processes were killed; or an Error if this machine cannot convert the clip, or too many clips wait: it is then delivered
 * without a WebP. That Error is an `UnloopedClip` if the sound could be removed. Messages are for the log.
 */
export type ToLoop = (mp4: Uint8Array, signal: AbortSignal, still?: StillShape) => Promise<LoopedClip>

/** Thrown for a clip that no player can show. The message is a sentence about the clip: `It has no video.` */
export class BrokenClip extends Error {
  override readonly name = 'BrokenClip'
}

/** True if `error` is a BrokenClip. Compares the name, because each bundle holds its own copy of the class. */
export function isBrokenClip(error: unknown): error is BrokenClip {
  return error instanceof Error && error.name === 'BrokenClip'
}

/** Thrown for a clip that this machine cannot convert, with its MP4 without sound. */
export class UnloopedClip extends Error {
  override readonly name = 'UnloopedClip'
  readonly mp4: Uint8Array

  constructor(message: string, mp4: Uint8Array) {
    super(message)
    this.mp4 = mp4
  }
}

/** Compares the name, as `isBrokenClip` does. */
export function isUnloopedClip(error: unknown): error is UnloopedClip {
  return error instanceof Error && error.name === 'UnloopedClip' && 'mp4' in error
}
