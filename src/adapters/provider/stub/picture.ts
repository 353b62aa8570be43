import sharp from 'sharp'
import { drawPose, type Pose, stillPhase } from './draw-pose.js'
import { type DrawnScene, drawScene } from './draw-scene.js'
import type { Look } from './look.js'

const side = 1024

/** Draws the still of a pose, in the scene of a backdrop where one is given, as a PNG file. */
export function drawPicture(look: Look, pose: Pose, backdrop?: DrawnScene['backdrop']): Promise<Uint8Array> {
  const drawing =
    backdrop === undefined ? drawPose(look, pose, stillPhase[pose], side) : drawScene(look, { pose, backdrop }, side)
  return encodePicture(drawing)
}

/** PNG is lossless, so that a model that gets the picture as its reference sees what was drawn, and faster than WebP. */
export async function encodePicture(svg: string): Promise<Uint8Array> {
  const { data } = await sharp(Buffer.from(svg)).removeAlpha().png().toUint8Array()
  return data
}
