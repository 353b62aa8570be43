import type { Species } from '../../look.js'
import { joint, type Point, point, points } from '../../rig/points.js'
import { builds } from '../build.js'
import { hindFoot } from '../legs.js'
import { breathe, type Seat } from '../seat.js'
import { ground, type PosedPet, type Stance, wave } from '../stance.js'
import { tailJoints } from '../tail-joints.js'

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
export function curled({ species, traits: { tail } }: PosedPet, phase: number): Stance {
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
