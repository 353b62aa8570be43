import { point, shift } from '../../rig/points.js'
import type { Traits } from '../../traits.js'
import type { Build } from '../build.js'
import { gaits } from '../gait.js'
import { ground, type Stance, wave } from '../stance.js'
import { legsOf, trunkOf } from '../standing.js'
import { dogCarriage, tailJoints } from '../tails.js'

const home = { hind: 330, fore: 636 }
/** A pet at a gallop is lower than one that walks. */
const crouch = 18

/** A gallop: the trunk stretches in the leap, folds as the hind feet land, and dips from end to end. */
export function running(build: Build, { tail }: Traits, phase: number, species: 'dog' | 'cat'): Stance {
  const { cycles } = gaits.running
  const stretch = wave(phase, cycles, 0.43 - 0.25)
  const pitch = wave(phase, cycles, 0.36 - 0.25)
  const leap = 15 * stretch
  const hip = point(336 - 14 * stretch, ground - build.hipHeight + crouch - leap + 13 * pitch)
  const shoulder = point(342 + build.trunk + 24 * stretch, ground - build.shoulderHeight + crouch - leap - 13 * pitch)
  const head = shift(shoulder, build.headRunning[0], build.headRunning[1] + 9 * pitch)
  const flow = wave(phase, cycles, 0.05)
  const dog = dogCarriage[tail]
  const joints =
    species === 'cat'
      ? tailJoints(tail, {
          root: shift(hip, -58, -24),
          degrees: 188 + 12 * flow,
          bend: 14 - 34 * wave(phase, cycles, 0.25),
          hook: 56,
          length: 285,
        })
      : tailJoints(tail, {
          root: shift(hip, -64, -30),
          degrees: 176 + dog.lift * 0.7 + 12 * flow,
          bend: dog.bend * 0.6 - 24 * wave(phase, cycles, 0.2),
          length: dog.length,
        })
  return {
    ...trunkOf(build, hip, shoulder, head, -4 * pitch),
    face: {
      eyes: 1,
      pant: species === 'dog' ? 0.75 + 0.25 * wave(phase, cycles, 0.3) : 0,
      ears: 15 + 9 * wave(phase, cycles, 0.3),
      twitch: 0,
    },
    legs: legsOf(build, gaits.running, phase, { hip, shoulder }, home),
    tail: { joints, inFront: false },
    shadow: { x: 500, width: 300 - 34 * Math.max(0, stretch), strength: 0.85 - 0.25 * Math.max(0, stretch) },
  }
}
