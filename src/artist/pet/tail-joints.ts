import type { Species } from '../look.js'
import type { Joint, Point } from '../rig/points.js'
import type { Tail } from '../traits.js'

export interface TailCarriage {
  /** Direction at the body: 180 is back, 270 up. */
  readonly degrees: number
  /** Total turn at the tip. */
  readonly bend: number
  /** Additional turn of the last third. */
  readonly hook?: number
  /** Below 1 it turns near the root first. */
  readonly ease?: number
  readonly length: number
}

const steps = 12

/** Returns a tail as a line that turns continuously from root to tip, with the thickness of its kind. */
export function tailJoints(
  species: Species,
  tail: Tail,
  root: Point,
  { degrees, bend, hook = 0, ease = 1, length }: TailCarriage,
): Joint[] {
  const thickness = species === 'cat' ? catThickness[tail] : 1
  const joints: Joint[] = []
  let at = root
  for (let index = 0; index <= steps; index += 1) {
    const along = index / steps
    joints.push({ x: at.x, y: at.y, radius: radii[tail](along) * thickness })
    const tip = Math.max(0, along - 0.6) / 0.4
    const angle = ((degrees + bend * along ** ease + hook * tip * tip) * Math.PI) / 180
    at = { x: at.x + (Math.cos(angle) * length) / steps, y: at.y + (Math.sin(angle) * length) / steps }
  }
  return joints
}

const radii: Readonly<Record<Tail, (along: number) => number>> = {
  slim: (along) => 23 - 9 * along,
  short: (along) => 27 - 8 * along,
  curl: (along) => 24 + 7 * Math.sin(Math.PI * along) - 9 * along,
  plume: (along) => 19 + 22 * Math.sin(Math.PI * Math.min(1, along * 0.96 + 0.02)) - 11 * along,
}

/** Carriage of a dog's tail by kind: direction, turn and length. */
export const dogCarriage: Readonly<Record<Tail, { lift: number; bend: number; length: number }>> = {
  plume: { lift: 30, bend: 70, length: 205 },
  curl: { lift: 66, bend: 252, length: 275 },
  short: { lift: 45, bend: 20, length: 84 },
  slim: { lift: 22, bend: 62, length: 215 },
}

/** A full tail of a cat is thinner than that of a dog. */
const catThickness: Readonly<Record<Tail, number>> = { slim: 0.9, plume: 0.7, curl: 0.7, short: 0.8 }
