import { point, shift } from '../../rig/points.js'
import type { Tail } from '../../traits.js'
import { builds } from '../build.js'
import { gaits } from '../gait.js'
import { bump, ground, type PosedPet, type Stance, wave } from '../stance.js'
import { legsOf, trunkOf } from '../standing.js'
import { dogCarriage, type TailCarriage, tailJoints } from '../tail-joints.js'

const { cycles } = gaits.walking
const home = { hind: 338, fore: 622 }

/** A walk of four beats; the trunk rocks slightly with each step and the tail swings. */
export function walking({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const isDog = species === 'dog'
  const rock = 4 * wave(phase, cycles * 2, 0.2)
  const hip = point(348, ground - build.hipHeight + rock)
  const shoulder = point(348 + build.trunk, ground - build.shoulderHeight - rock)
  const nod = wave(phase, cycles * 2, 0.45)
  const head = shift(shoulder, build.headWalking[0] + 2 * nod, build.headWalking[1] + rock + 4 * nod)
  return {
    ...trunkOf(build, hip, shoulder, head, 2 * nod),
    face: { eyes: 1 - bump(phase, 0.6, 0.7), pant: isDog ? 0.35 : 0, ears: 3 * nod, twitch: 0 },
    legs: legsOf(build, gaits.walking, phase, { hip, shoulder }, home),
    tail: {
      joints: isDog
        ? tailJoints(species, tail, shift(hip, -62, -34), dogTailCarriage(tail, phase))
        : tailJoints(species, tail, shift(hip, -54, -26), catTailCarriage(phase)),
      inFront: false,
    },
    shadow: { x: 500, width: 290, strength: 1 },
  }
}

const dogTailCarriage = (tail: Tail, phase: number): TailCarriage => ({
  degrees: 180 + dogCarriage[tail].lift + 8 * wave(phase, cycles),
  bend: dogCarriage[tail].bend + 14 * wave(phase, cycles, 0.15),
  length: dogCarriage[tail].length,
})

/** Upright with a hooked tip, as of a content cat. */
const catTailCarriage = (phase: number): TailCarriage => ({
  degrees: 203 + 5 * wave(phase, cycles),
  bend: 104 + 8 * wave(phase, cycles),
  hook: -74 - 22 * wave(phase, cycles, 0.2),
  length: 280,
})
