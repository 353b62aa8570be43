import { clamp } from '../rig/oklab.js'
import { frameOf, joint, mix, type Point, shift } from '../rig/points.js'
import type { Build } from './build.js'
import { type Foot, type Gait, stepAt } from './gait.js'
import { leg } from './legs.js'
import type { Leg, Stance } from './stance.js'

type Trunk = Pick<Stance, 'hip' | 'shoulder' | 'girth' | 'torso' | 'belly' | 'chest' | 'neck' | 'head' | 'haunch'>

/**
 * Derives the trunk of a walking or running pet from its hip, shoulder and head; `arch` lifts the middle of its back,
 * in pixels.
 */
export function trunkOf(build: Build, hip: Point, shoulder: Point, head: Point, degrees: number, arch = 0): Trunk {
  const at = frameOf(hip, shoulder)
  const outline = (table: Build['outline']) => table.map(({ x, y }) => at(x, y + archAt(x, arch)))
  return {
    hip,
    shoulder,
    girth: { ...build.girth, arch },
    torso: outline(build.outline),
    belly: outline(build.underside),
    chest: at(1.24, -20),
    neck: [
      joint(at(1, 0), build.neckRadius[0]),
      joint(mix(at(1.04, 30), head, 0.42), (build.neckRadius[0] + build.neckRadius[1]) / 2 - 4),
      joint(shift(head, -14, 22), build.neckRadius[1]),
    ],
    head: { at: head, degrees },
    haunch: undefined,
  }
}

/** Returns the height of an arched back `along` the line from hip (0) to shoulder (1). */
export const archAt = (along: number, arch: number): number => arch * Math.sin(Math.PI * clamp(along, 0, 1))

const legOrder: readonly (readonly [Foot, 'hind' | 'fore', boolean])[] = [
  ['farHind', 'hind', false],
  ['farFore', 'fore', false],
  ['nearHind', 'hind', true],
  ['nearFore', 'fore', true],
]

/** The four legs of a gait. Feet pass under two fixed points, `home`, however much the trunk sways above them. */
export function legsOf(
  build: Build,
  gait: Gait,
  phase: number,
  { hip, shoulder }: Pick<Stance, 'hip' | 'shoulder'>,
  home: { readonly hind: number; readonly fore: number },
): Leg[] {
  return legOrder.map(([foot, kind, near]) => {
    const root = kind === 'hind' ? shift(hip, -4, 14) : shift(shoulder, 6, 18)
    const farther = near ? 0 : 24
    return leg(build, kind, shift(root, farther, 0), home[kind] + farther, stepAt(gait, foot, phase), near)
  })
}
