import type { Backdrop } from '../../../ports/backdrop.js'
import { drawPose, type Pose, stillPhase } from './draw-pose.js'
import type { Look } from './look.js'

/** Draws a pet in a scene as an SVG document of `size` by `size` pixels: for now where its pose is drawn anyway. */
export function drawScene(look: Look, pose: Pose, _backdrop: Backdrop, size = 1024): string {
  return drawPose(look, pose, stillPhase[pose], size)
}
