import sharp from 'sharp'
import { drawPose } from './draw-pose.js'
import { type DrawnScene, drawScene } from './draw-scene.js'
import type { Look } from './look.js'
import { type Pose, stillPhase } from './pet/poses/poses.js'

const side = 1024

/** Draws the still picture of a pose as a PNG file, in a scene if a backdrop is given. */
export function drawPicture(look: Look, pose: Pose, backdrop?: DrawnScene['backdrop']): Promise<Uint8Array> {
  const drawing =
    backdrop === undefined ? drawPose(look, pose, stillPhase[pose], side) : drawScene(look, { pose, backdrop }, side)
  return encodePicture(drawing)
}

/** PNG is lossless, so that a model that gets the picture as a reference sees it unchanged, and faster than WebP. */
export function encodePicture(svg: string): Promise<Uint8Array> {
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer()
}
