import type { Species } from '../../look.js'
import { type Joint, joint, type Point, point, points } from '../../rig/points.js'
import type { Tail } from '../../traits.js'
import { builds } from '../build.js'
import { hindFoot, propLeg } from '../legs.js'
import { bump, ground, type PosedPet, type Stance, wave } from '../stance.js'
import { dogCarriage, type TailCarriage, tailJoints } from '../tail-joints.js'

const seats: Readonly<Record<Species, Seat>> = {
  dog: {
    trunk: {
      hip: point(432, 706),
      shoulder: point(574, 520),
      girth: { above: 96, below: 96 },
      chest: point(648, 560),
      torso: points(
        '508,424 446,500 386,592 344,690 342,764 392,802 480,806 580,802 646,740 670,640 668,548 648,468 592,410',
      ),
      belly: points('664,440 694,560 686,660 640,790 596,740 600,640 560,566 572,490 612,436'),
      haunch: points('372,702 396,634 462,606 528,644 552,716 530,788 440,802 384,778'),
      neck: [joint(point(570, 512), 86), joint(point(578, 390), 70)],
    },
    head: point(588, 352),
    tail: point(356, 744),
    heel: point(440, ground + 4),
    foot: point(562, ground + 4),
    roots: { near: point(594, 600), far: point(640, 600) },
    paws: { near: point(604, 798), far: point(672, 780) },
    shadow: { x: 500, width: 240, strength: 1 },
  },
  cat: {
    trunk: {
      hip: point(438, 714),
      shoulder: point(560, 566),
      girth: { above: 88, below: 84 },
      chest: point(612, 590),
      torso: points(
        '506,494 452,556 396,634 362,716 368,780 420,806 500,808 570,802 616,740 632,650 630,570 614,506 566,470',
      ),
      belly: points('632,490 654,590 646,680 612,780 574,740 580,650 548,590 556,530 590,480'),
      haunch: points('384,724 402,664 458,636 512,662 536,724 518,790 440,804 394,784'),
      neck: [joint(point(562, 560), 68), joint(point(568, 450), 64)],
    },
    head: point(574, 414),
    tail: point(372, 764),
    heel: point(440, ground + 4),
    foot: point(540, ground + 4),
    roots: { near: point(572, 620), far: point(606, 620) },
    paws: { near: point(580, 802), far: point(634, 785) },
    shadow: { x: 486, width: 216, strength: 1 },
  },
}

/** Sits and looks around: wags, tilts its head, blinks; a dog pants. */
export function sitting({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const isDog = species === 'dog'
  const seat = breathe(seats[species], 0.012 * wave(phase, 2))
  const tilt = wave(phase, 1, 0.1)
  return {
    ...seat.trunk,
    head: { at: seat.head, degrees: (isDog ? 5 : 3) * tilt },
    face: {
      eyes: 1 - bump(phase, 0.42, 0.52),
      pant: isDog ? 0.62 + 0.2 * wave(phase, 6) : 0,
      ears: 2 * tilt,
      twitch: 12 * bump(phase, 0.7, 0.8),
    },
    legs: [
      propLeg(build, seat.roots.far, seat.paws.far, false),
      hindFoot(build, seat.heel, seat.foot, true),
      propLeg(build, seat.roots.near, seat.paws.near, true),
    ],
    tail: {
      joints: tailJoints(species, tail, seat.tail, isDog ? dogTailCarriage(tail, phase) : catTailCarriage(phase)),
      inFront: false,
    },
    shadow: seat.shadow,
  }
}

const dogTailCarriage = (tail: Tail, phase: number): TailCarriage => ({
  degrees: 172 + dogCarriage[tail].lift * 0.5 + 7 * wave(phase, 4),
  bend: dogCarriage[tail].bend * 0.75 + 20 * wave(phase, 4, 0.12),
  length: dogCarriage[tail].length,
})

/** Along the ground behind the cat, with a swaying tip. */
const catTailCarriage = (phase: number): TailCarriage => ({
  degrees: 166,
  bend: 76 + 10 * wave(phase, 1),
  hook: 64 + 34 * wave(phase, 2, 0.1),
  length: 245,
})

/** The position of each part of a resting pet. */
export interface Seat {
  readonly trunk: Pick<Stance, 'hip' | 'shoulder' | 'girth' | 'chest' | 'torso' | 'belly' | 'neck'> & {
    readonly haunch: readonly Point[]
  }
  readonly head: Point
  readonly tail: Point
  readonly heel: Point
  readonly foot: Point
  /** The roots of the forelegs, and their contact with the ground. */
  readonly roots: { readonly near: Point; readonly far: Point }
  readonly paws: { readonly near: Point; readonly far: Point }
  readonly shadow: Stance['shadow']
}

/** Returns a seat with its parts above the ground lifted by a fraction of their height. */
export function breathe({ trunk, head, roots, ...still }: Seat, fraction: number): Seat {
  const lift = <Spot extends Point>(at: Spot): Spot => {
    return { ...at, y: ground - (ground - at.y) * (1 + (at.y < ground ? fraction : 0)) }
  }
  return {
    ...still,
    trunk: {
      hip: lift(trunk.hip),
      shoulder: lift(trunk.shoulder),
      girth: trunk.girth,
      chest: lift(trunk.chest),
      torso: trunk.torso.map(lift),
      belly: trunk.belly.map(lift),
      haunch: trunk.haunch.map(lift),
      neck: trunk.neck.map(lift<Joint>),
    },
    head: lift(head),
    roots: { near: lift(roots.near), far: lift(roots.far) },
  }
}
