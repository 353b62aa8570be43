import { point, shift } from '../../rig/points.js'
import { builds } from '../build.js'
import { leg, restingLeg } from '../legs.js'
import { ground, type Leg, type PosedPet, type Stance, wave } from '../stance.js'
import { trunkOf } from '../standing.js'
import { dogCarriage, tailJoints } from '../tail-joints.js'

/** A play bow: chest down, forelegs stretched out, rump and tail up. */
export function bow({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const isDog = species === 'dog'
  const sway = 5 * wave(phase, 4)
  const hip = point(348 + sway, ground - build.hipHeight - 22)
  const shoulder = point(350 + build.trunk * 0.92, ground - (isDog ? 122 : 98))
  const head = shift(shoulder, isDog ? 112 : 108, isDog ? -104 : -92)
  const trunk = trunkOf(build, hip, shoulder, head, -4)
  const foreleg = (near: boolean): Leg => {
    const root = shift(shoulder, near ? 6 : 34, 24)
    const foot = point(root.x + (isDog ? 214 : 184), near ? ground + 4 : ground - 12)
    return restingLeg(build, root, point(root.x + 40, ground - 26), foot, near)
  }
  const hindLeg = (near: boolean): Leg =>
    leg(
      build,
      'hind',
      shift(hip, near ? -4 : 22, 14),
      near ? 322 : 352,
      { x: 0, y: 0, degrees: 0, planted: true },
      near,
    )
  return {
    ...trunk,
    face: { eyes: 1, pant: isDog ? 0.8 : 0, ears: -4, twitch: 0 },
    legs: [hindLeg(false), foreleg(false), hindLeg(true), foreleg(true)],
    tail: {
      joints: tailJoints(species, tail, shift(hip, -52, -40), {
        degrees: isDog ? 214 + dogCarriage[tail].lift * 0.5 + 3 * sway : 232,
        bend: isDog ? dogCarriage[tail].bend : 70,
        ...(isDog ? {} : { hook: -60 }),
        length: isDog ? dogCarriage[tail].length : 260,
      }),
      inFront: false,
    },
    shadow: { x: 520, width: 300, strength: 1 },
  }
}
