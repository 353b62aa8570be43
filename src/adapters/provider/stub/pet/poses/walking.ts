import { point, shift } from '../../rig/points.js'
import type { Traits } from '../../traits.js'
import type { Build } from '../build.js'
import { gaits } from '../gait.js'
import { bump, ground, type Stance, wave } from '../stance.js'
import { legsOf, trunkOf } from '../standing.js'
import { dogCarriage, tailJoints } from '../tails.js'

const home = { hind: 338, fore: 622 }

/** A walk of four beats; the trunk rocks a little with each step and the tail swings. */
export function walking(build: Build, { tail }: Traits, phase: number, species: 'dog' | 'cat'): Stance {
  const { cycles } = gaits.walking
  const rock = 4 * wave(phase, cycles * 2, 0.2)
  const hip = point(348, ground - build.hipHeight + rock)
  const shoulder = point(348 + build.trunk, ground - build.shoulderHeight - rock)
  const nod = wave(phase, cycles * 2, 0.45)
  const head = shift(shoulder, build.headWalking[0] + 2 * nod, build.headWalking[1] + rock + 4 * nod)
  const sway = wave(phase, cycles)
  const dog = dogCarriage[tail]
  const joints =
    species === 'cat'
      ? tailJoints(tail, {
          root: shift(hip, -58, -26),
          degrees: 196 + 5 * sway,
          bend: 92 + 9 * sway,
          hook: -62 - 22 * wave(phase, cycles, 0.2),
          length: 292,
        })
      : tailJoints(tail, {
          root: shift(hip, -62, -34),
          degrees: 180 + dog.lift + 8 * sway,
          bend: dog.bend + 14 * wave(phase, cycles, 0.15),
          length: dog.length,
        })
  return {
    ...trunkOf(build, hip, shoulder, head, 2 * nod),
    face: { eyes: 1 - bump(phase, 0.6, 0.7), pant: species === 'dog' ? 0.35 : 0, ears: 3 * nod, twitch: 0 },
    legs: legsOf(build, gaits.walking, phase, { hip, shoulder }, home),
    tail: { joints, inFront: false },
    shadow: { x: 500, width: 290, strength: 1 },
  }
}
