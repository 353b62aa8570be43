import { drawClip } from './clip.js'
import { readLook } from './look.js'
import { type Pose, poses } from './pet/poses/poses.js'
import { drawPicture } from './picture.js'
import type { DrawingKind, DrawingOutput, DrawingRequest } from './protocol.js'

/** Thrown if the input cannot be drawn. `cause` is the error of the photo's decoder. */
export class Undrawable extends Error {
  override readonly name = 'Undrawable'
}

/**
 * Draws what a process receives; the same input gives the same bytes on every machine.
 * Throws Undrawable, or the reason of `signal` soon after it is aborted.
 */
export async function runDrawing(
  { kind, input }: DrawingRequest,
  signal: AbortSignal,
  onProgress: (fraction: number) => void,
): Promise<DrawingOutput[DrawingKind]> {
  if (kind === 'look') {
    return readLook(input.photo, input.species).catch((cause: unknown) => {
      throw new Undrawable('The photo cannot be decoded. Use another one.', { cause })
    })
  }
  const pose = requirePose(input.pose)
  return kind === 'picture'
    ? drawPicture(input.look, pose, input.backdrop)
    : drawClip(input.look, pose, signal, onProgress)
}

function requirePose(name: string): Pose {
  const pose = poses.find((known) => known === name)
  if (pose === undefined) throw new Undrawable(`The stub provider draws only ${poses.join(', ')}.`)
  return pose
}
