import { drawClip } from './clip.js'
import { type Pose, poses } from './draw-pose.js'
import { readLook } from './look.js'
import type { Kind, Made, Work } from './order.js'
import { drawPicture } from './picture.js'

/** Thrown for what cannot be drawn. `cause` is what the decoder of a photo said. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
}

/**
 * Does what a thread is asked for; the same work gives the same bytes everywhere, always.
 * Throws Undrawable, or the reason of `signal` soon after it is aborted.
 */
export async function perform(
  { kind, asked }: Work,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<Made[Kind]> {
  if (kind === 'look') {
    return readLook(asked.photo, asked.species).catch((cause: unknown) => {
      throw new Undrawable('The photo cannot be decoded. Use another one.', { cause })
    })
  }
  const pose = requirePose(asked.pose)
  return kind === 'picture'
    ? drawPicture(asked.look, pose, asked.backdrop)
    : drawClip(asked.look, pose, signal, onProgress)
}

function requirePose(name: string): Pose {
  const pose = poses.find((known) => known === name)
  if (pose === undefined) throw new Undrawable(`The stub provider draws only ${poses.join(', ')}.`)
  return pose
}
