import sharp from 'sharp'
import { drawPose, type Pose, stillPhase } from './draw-pose.js'
import type { Look } from './look.js'

const side = 1024

/** Draws the still of a pose as a PNG file. */
export function drawPicture(look: Look, pose: Pose): Promise<Uint8Array> {
  return encodePicture(drawPose(look, pose, stillPhase[pose], side))
}

/** PNG is lossless, so that a model that gets the picture as its reference sees what was drawn, and faster than WebP. */
export async function encodePicture(svg: string): Promise<Uint8Array> {
  // A copy, since a thread cannot hand over the memory of sharp's buffers.
  return new Uint8Array(await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer())
}
