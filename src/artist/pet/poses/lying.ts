import type { Species } from '../../look.js'
import { joint, type Point, point, points } from '../../rig/points.js'
import type { Tail } from '../../traits.js'
import { builds } from '../build.js'
import { hindFoot, restingLeg } from '../legs.js'
import { bump, ground, type PosedPet, type Stance, wave } from '../stance.js'
import { dogCarriage, type TailCarriage, tailJoints } from '../tail-joints.js'
import { breathe, type Seat } from './sitting.js'

const seats: Readonly<Record<Species, Seat>> = {
  dog: {
    trunk: {
      hip: point(318, 716),
      shoulder: point(600, 700),
      girth: { above: 94, below: 90 },
      chest: point(694, 690),
      torso: points('222,764 232,694 290,640 400,624 510,612 606,584 680,628 712,714 690,792 580,806 420,808 270,806'),
      belly: points('690,600 734,700 726,790 690,792 662,740 654,660'),
      haunch: points('250,716 282,652 346,632 412,668 440,736 420,794 330,806 262,784'),
      neck: [joint(point(622, 664), 82), joint(point(652, 556), 66)],
    },
    head: point(672, 512),
    tail: point(240, 770),
    heel: point(330, ground + 5),
    foot: point(470, ground + 5),
    roots: { near: point(630, 706), far: point(672, 706) },
    paws: { near: point(806, ground + 4), far: point(846, ground - 12) },
    shadow: { x: 510, width: 350, strength: 1 },
  },
  cat: {
    trunk: {
      hip: point(336, 722),
      shoulder: point(580, 712),
      girth: { above: 88, below: 84 },
      chest: point(664, 704),
      torso: points('240,772 246,704 296,648 392,626 500,632 596,626 656,660 688,728 672,796 580,808 430,810 280,808'),
      belly: points('660,640 706,720 700,790 668,790 640,740 632,680'),
      haunch: points('262,728 290,670 350,648 412,680 438,740 418,796 336,808 272,788'),
      neck: [joint(point(592, 700), 64), joint(point(630, 606), 60)],
    },
    head: point(648, 566),
    tail: point(262, 778),
    heel: point(330, ground + 5),
    foot: point(452, ground + 5),
    roots: { near: point(610, 726), far: point(646, 726) },
    paws: { near: point(742, ground + 4), far: point(776, ground - 10) },
    shadow: { x: 480, width: 316, strength: 1 },
  },
}

/** Rests: breathes, blinks (a cat dozes), twitches an ear, moves the tip of its tail. */
export function lying({ species, traits: { tail } }: PosedPet, phase: number): Stance {
  const build = builds[species]
  const isDog = species === 'dog'
  const seat = breathe(seats[species], 0.022 * wave(phase, 1))
  const elbow = (root: Point) => point(root.x + 34, 776)
  return {
    ...seat.trunk,
    head: { at: seat.head, degrees: (isDog ? 2 : 4) + 1.5 * wave(phase, 1, 0.1) },
    face: {
      eyes: isDog ? 1 - bump(phase, 0.5, 0.62) : bump(phase, 0.5, 1),
      pant: 0,
      ears: 0,
      twitch: 16 * bump(phase, 0.72, 0.8) + 12 * bump(phase, 0.8, 0.88),
    },
    legs: [
      restingLeg(build, seat.roots.far, elbow(seat.roots.far), seat.paws.far, false),
      hindFoot(build, seat.heel, seat.foot, true),
      restingLeg(build, seat.roots.near, elbow(seat.roots.near), seat.paws.near, true),
    ],
    tail: {
      joints: tailJoints(species, tail, seat.tail, isDog ? dogTailCarriage(tail, phase) : catTailCarriage(phase)),
      inFront: !isDog,
    },
    shadow: seat.shadow,
  }
}

const dogTailCarriage = (tail: Tail, phase: number): TailCarriage => ({
  degrees: 168,
  bend: dogCarriage[tail].bend * 0.7 + 6 * wave(phase, 2),
  hook: 16 * wave(phase, 2, 0.15),
  length: dogCarriage[tail].length,
})

/** Around the hind end and along the ground in front, with a tapping tip. */
const catTailCarriage = (phase: number): TailCarriage => ({
  degrees: 136,
  bend: -150,
  ease: 0.5,
  hook: 14 - 34 * bump(phase, 0.15, 0.45),
  length: 290,
})
