import type { Look, Species } from '../../look.js'
import { joint, type Point, point, points, shift } from '../../rig/points.js'
import type { Tail } from '../../traits.js'
import { builds } from '../build.js'
import { gaits, strideOf } from '../gait.js'
import { hindFoot, leg, restingLeg } from '../legs.js'
import { ground, type Leg, type PosedPet, type Stance, wave } from '../stance.js'
import { legsOf, trunkOf } from '../standing.js'
import { dogCarriage, type TailCarriage, tailJoints } from '../tail-joints.js'
import { lying } from './lying.js'
import { breathe, type Seat, sitting } from './sitting.js'
import { walking } from './walking.js'

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

export const poses = ['lying', 'sitting', 'walking', 'running'] as const
export type Pose = (typeof poses)[number]

/** Poses of scenes alone, each with those of requests that it replaces. */
export const scenePoses = {
  asleep: ['lying'],
  curled: ['lying'],
  bow: ['running', 'walking', 'lying'],
} as const satisfies Record<string, readonly Pose[]>
export type DrawnPose = Pose | keyof typeof scenePoses

/** Returns the pose to draw if a scene prefers its own. */
export function drawnPose(requested: Pose, preferred: keyof typeof scenePoses | undefined): DrawnPose {
  const replaced: readonly Pose[] = preferred ? scenePoses[preferred] : []
  return preferred && replaced.includes(requested) ? preferred : requested
}

const stances = { lying, sitting, walking, running, asleep, curled, bow }

/** The moment of the loop that each pose's still picture shows. */
export const stillPhase: Readonly<Record<DrawnPose, number>> = {
  lying: 0.12,
  sitting: 0.16,
  walking: 0.34,
  running: 0.125,
  asleep: 0.12,
  curled: 0.12,
  bow: 0.16,
}

/** Distance that the ground moves in one loop, in pixels; 0 for a pet that stays. */
export const travel: Readonly<Record<Pose, number>> = {
  lying: 0,
  sitting: 0,
  walking: strideOf(gaits.walking) * gaits.walking.cycles,
  running: strideOf(gaits.running) * gaits.running.cycles,
}

/** Returns the stance of a pet at a moment of the loop, from 0 to 1; by default, at that of the still picture. */
export function stanceOf(look: Look, pose: DrawnPose, phase = stillPhase[pose]): Stance {
  return stances[pose](look, phase)
}

/** Lies with its chin on its paws, asleep. */
function asleep(pet: PosedPet, phase: number): Stance {
  const stance = lying(pet, phase)
  const isDog = pet.species === 'dog'
  const [low, head] = isDog ? [point(640, 676), point(724, 690)] : [point(606, 706), point(690, 690)]
  return {
    ...stance,
    neck: [joint(low, isDog ? 84 : 68), joint(point(head.x - 28, head.y - 10), isDog ? 70 : 62)],
    head: { at: head, degrees: isDog ? 7 : 10 },
    face: { ...stance.face, eyes: 0, pant: 0, ears: isDog ? 6 : 10 },
  }
}

/** A play bow: chest down, forelegs stretched out, rump and tail up. */
function bow({ species, traits: { tail } }: PosedPet, phase: number): Stance {
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

const seats: Readonly<Record<Species, Seat>> = {
  dog: {
    trunk: {
      hip: point(360, 712),
      shoulder: point(640, 690),
      girth: { above: 104, below: 90 },
      chest: point(700, 720),
      torso: points(
        '226,764 236,688 290,622 382,584 500,566 620,572 724,612 790,684 800,756 752,802 600,812 430,812 282,806',
      ),
      belly: points('560,770 640,700 760,720 790,780 700,808 590,810'),
      haunch: points('256,734 290,660 366,630 442,662 476,732 452,792 366,810 280,796'),
      neck: [joint(point(730, 690), 74), joint(point(668, 716), 66)],
    },
    head: point(640, 716),
    tail: point(258, 766),
    heel: point(392, ground + 6),
    foot: point(500, ground + 6),
    roots: { near: point(640, 760), far: point(640, 760) },
    paws: { near: point(600, ground + 8), far: point(600, ground + 8) },
    shadow: { x: 514, width: 316, strength: 1 },
  },
  cat: {
    trunk: {
      hip: point(376, 720),
      shoulder: point(620, 704),
      girth: { above: 100, below: 84 },
      chest: point(670, 730),
      torso: points(
        '258,768 266,700 314,638 400,602 506,588 612,596 700,634 752,700 758,764 712,802 580,812 430,812 304,806',
      ),
      belly: points('560,776 630,716 720,730 744,780 670,808 590,810'),
      haunch: points('286,742 316,676 384,650 450,678 480,738 458,794 380,810 306,796'),
      neck: [joint(point(700, 700), 62), joint(point(650, 726), 58)],
    },
    head: point(622, 726),
    tail: point(282, 776),
    heel: point(396, ground + 6),
    foot: point(484, ground + 6),
    roots: { near: point(620, 766), far: point(620, 766) },
    paws: { near: point(590, ground + 8), far: point(590, ground + 8) },
    shadow: { x: 506, width: 290, strength: 1 },
  },
}

/** Sleeps in a ring: the nose near the hind feet, the tail around them. */
function curled({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const seat = breathe(seats[species], 0.026 * wave(phase, 1))
  const forepaw: Point = seat.paws.near
  return {
    ...seat.trunk,
    head: { at: seat.head, degrees: -12, turned: true },
    face: { eyes: 0, pant: 0, ears: 8, twitch: 0 },
    legs: [
      hindFoot(build, seat.heel, seat.foot, true),
      hindFoot(build, point(forepaw.x + 60, forepaw.y), forepaw, true),
    ],
    tail: {
      joints: tailJoints(species, tail === 'curl' ? 'plume' : tail, seat.tail, {
        degrees: 78,
        bend: -108,
        ease: 0.55,
        length: tail === 'short' ? 110 : 300,
      }),
      inFront: true,
    },
    shadow: seat.shadow,
  }
}
