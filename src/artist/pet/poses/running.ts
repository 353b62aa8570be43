import { point, shift } from '../../rig/points.js'
import type { Tail } from '../../traits.js'
import { builds } from '../build.js'
import { gaits } from '../gait.js'
import { ground, type PosedPet, type Stance, wave } from '../stance.js'
import { legsOf, trunkOf } from '../standing.js'
import { dogCarriage, type TailCarriage, tailJoints } from '../tail-joints.js'

const { cycles } = gaits.running
const home = { hind: 344, fore: 650 }
/** A galloping pet is lower than a walking one. */
const crouch = 24

/** A gallop: the trunk stretches in the leap, folds as the hind feet land, and rocks from end to end. */
export function running({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const isDog = species === 'dog'
  const stretch = wave(phase, cycles, 0.43 - 0.25)
  const pitch = wave(phase, cycles, 0.36 - 0.25)
  const leap = 15 * stretch
  // A cat's back bends like a spring, a dog's less.
  const spring = isDog ? 12 : 27
  const hip = point(350 - 14 * stretch, ground - build.hipHeight + crouch - leap + 13 * pitch)
  const shoulder = point(356 + build.trunk + 24 * stretch, ground - build.shoulderHeight + crouch - leap - 13 * pitch)
  const head = shift(shoulder, build.headRunning[0], build.headRunning[1] + 9 * pitch)
  return {
    ...trunkOf(build, hip, shoulder, head, -4 * pitch, (isDog ? 2 : 6) - spring * stretch),
    face: {
      eyes: 1,
      pant: isDog ? 0.75 + 0.25 * wave(phase, cycles, 0.3) : 0,
      ears: 15 + 9 * wave(phase, cycles, 0.3),
      twitch: 0,
    },
    legs: legsOf(build, gaits.running, phase, { hip, shoulder }, home),
    tail: {
      joints: isDog
        ? tailJoints(species, tail, shift(hip, -64, -30), dogTailCarriage(tail, phase))
        : tailJoints(species, tail, shift(hip, -54, -24), catTailCarriage(phase)),
      inFront: false,
    },
    shadow: { x: 500, width: 300 - 34 * Math.max(0, stretch), strength: 0.85 - 0.25 * Math.max(0, stretch) },
  }
}

const dogTailCarriage = (tail: Tail, phase: number): TailCarriage => ({
  degrees: 176 + dogCarriage[tail].lift * 0.7 + 12 * wave(phase, cycles, 0.05),
  bend: dogCarriage[tail].bend * 0.6 - 24 * wave(phase, cycles, 0.2),
  length: dogCarriage[tail].length,
})

const catTailCarriage = (phase: number): TailCarriage => ({
  degrees: 194 + 10 * wave(phase, cycles, 0.05),
  bend: 16 - 30 * wave(phase, cycles, 0.25),
  hook: 70,
  length: 245,
})
