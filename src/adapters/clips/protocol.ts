import type { LoopedClip } from '../../ports/clip-loops.js'

/** The only request to the process that makes a loop. */
export interface LoopRequest {
  readonly mp4: Uint8Array
  /** The absolute path of ffmpeg. Without it, only the structure of the file is checked, and its sound is removed. */
  readonly ffmpeg: string | undefined
  /** The width divided by the height that the clip is cropped to; absent to keep its own. */
  readonly aspect?: number | undefined
}

/** The loop, or the failure as a sentence for the log. */
export type LoopAnswer = LoopedClip | RejectedLoop | LostLoop

/** `broken` if no player can show the clip; `unsupported` if this machine cannot convert it. */
interface RejectedLoop {
  readonly failure: string
  readonly reason: 'broken' | 'unsupported'
  /** The clip without its sound, if it had any. */
  readonly mp4?: Uint8Array
}

/**
 * `killed` if the process or its decoder was killed from outside; `ended` if the process ended on its own, as it does at its
 * limits of memory and processor time.
 */
export interface LostLoop {
  readonly failure: string
  readonly reason: 'killed' | 'ended'
}

export type LoopFailure = (RejectedLoop | LostLoop)['reason']

/** The process sends this once, when it is ready. */
export const ready = 'ready'

export const noFfmpeg =
  'ffmpeg is not installed, so clips of real models have no WebP. Install it (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg), or name it in FFMPEG_PATH.'
