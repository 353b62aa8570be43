import type { Look } from '../look.js'
import { crescent, fillOpacity, type SvgShape } from '../rig/svg.js'
import type { Stance } from './stance.js'

/** Light of a scene along the edge of a pet. */
export interface Rim {
  readonly color: string
  /** The side that it comes from: -1 behind the pet, 0 above, 1 in front. */
  readonly from: -1 | 0 | 1
}

export interface LitLook extends Look {
  readonly rim?: Rim
}

/** The rim of a shape, to be drawn inside it; nothing without a rim. */
export function drawRim({ rim }: LitLook, shape: SvgShape, size = 1): string {
  if (rim === undefined) return ''
  return crescent(shape, -rim.from * 8 * size, (rim.from === 0 ? 10 : 6) * size, rim.color, fillOpacity(0.75))
}

/** The rim of a head, which may be turned. */
export function drawHeadRim(look: LitLook, { head }: Stance, shape: SvgShape): string {
  const { rim } = look
  if (rim === undefined) return ''
  const from = (head.turned ? -rim.from : rim.from) as Rim['from']
  return drawRim({ ...look, rim: { ...rim, from } }, shape, 0.8)
}
