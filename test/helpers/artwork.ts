import { createHash } from 'node:crypto'
import { drawPose, poses } from '../../src/adapters/provider/stub/draw-pose.js'
import type { Look } from '../../src/adapters/provider/stub/look.js'

const moments = [0, 0.1, 1 / 3, 0.5, 0.77]

/** A digest of a look in every pose at several moments. */
export function digestOf(look: Look): string {
  const hash = createHash('sha256').update(JSON.stringify(look))
  for (const pose of poses) for (const moment of moments) hash.update(drawPose(look, pose, moment))
  return hash.digest('hex')
}
