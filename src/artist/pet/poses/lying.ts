import { joint, type Point, point } from '../../rig/points.js'
import type { Traits } from '../../traits.js'
import { builds } from '../build.js'
import { hindFoot, restingLeg } from '../legs.js'
import { breathing, outlineOf, type Seat } from '../seat.js'
import { bump, ground, type Pet, type Stance, wave } from '../stance.js'
import { catThickness, dogCarriage, tailJoints } from '../tails.js'

const seats: Readonly<Record<'dog' | 'cat', Seat>> = {
  dog: {
    hip: [318, 716],
    shoulder: [600, 700],
    girth: { above: 94, below: 90 },
    chest: [694, 690],
    head: [672, 512],
    torso: [
      [222, 764],
      [232, 694],
      [290, 640],
      [400, 624],
      [510, 612],
      [606, 584],
      [680, 628],
      [712, 714],
      [690, 792],
      [580, 806],
      [420, 808],
      [270, 806],
    ],
    belly: [
      [690, 600],
      [734, 700],
      [712, 800],
      [640, 812],
      [646, 740],
      [650, 660],
    ],
    haunch: [
      [250, 716],
      [282, 652],
      [346, 632],
      [412, 668],
      [440, 736],
      [420, 794],
      [330, 806],
      [262, 784],
    ],
    tail: [240, 770],
    foot: [470, ground + 5],
    heel: [330, ground + 5],
    fore: { near: [806, ground + 4], far: [846, ground - 12], nearRoot: [630, 706], farRoot: [672, 706] },
    neck: { low: [622, 664], high: [652, 556] },
    shadow: [510, 350],
  },
  cat: {
    hip: [336, 722],
    shoulder: [580, 712],
    girth: { above: 88, below: 84 },
    chest: [664, 704],
    head: [648, 566],
    torso: [
      [240, 772],
      [246, 704],
      [296, 648],
      [392, 626],
      [500, 632],
      [596, 626],
      [656, 660],
      [688, 728],
      [672, 796],
      [580, 808],
      [430, 810],
      [280, 808],
    ],
    belly: [
      [660, 640],
      [706, 720],
      [690, 804],
      [612, 812],
      [620, 740],
      [626, 680],
    ],
    haunch: [
      [262, 728],
      [290, 670],
      [350, 648],
      [412, 680],
      [438, 740],
      [418, 796],
      [336, 808],
      [272, 788],
    ],
    tail: [262, 778],
    foot: [452, ground + 5],
    heel: [330, ground + 5],
    fore: { near: [742, ground + 4], far: [776, ground - 10], nearRoot: [610, 726], farRoot: [646, 726] },
    neck: { low: [592, 700], high: [630, 606] },
    shadow: [480, 316],
  },
}

/** Rests: breathes, blinks (a cat dozes), twitches an ear, moves the tip of its tail. */
export function lying({ species, traits: { tail } }: Pet, phase: number): Stance {
  const build = builds[species]
  const seat = seats[species]
  const breath = breathing(0.022 * wave(phase, 1))
  const spot = ([x, y]: readonly [number, number]): Point => breath(point(x, y))
  const { near, far, nearRoot, farRoot } = seat.fore
  const elbow = (root: readonly [number, number]) => point(root[0] + 34, 776)
  return {
    hip: spot(seat.hip),
    shoulder: spot(seat.shoulder),
    girth: seat.girth,
    torso: outlineOf(seat.torso, breath),
    belly: outlineOf(seat.belly, breath),
    chest: spot(seat.chest),
    neck: [joint(spot(seat.neck.low), build.neckRadius[0] - 4), joint(spot(seat.neck.high), build.neckRadius[1])],
    head: { at: spot(seat.head), degrees: (species === 'dog' ? 2 : 4) + 1.5 * wave(phase, 1, 0.1) },
    face: {
      eyes: species === 'dog' ? 1 - bump(phase, 0.5, 0.62) : bump(phase, 0.5, 1),
      pant: 0,
      ears: 0,
      twitch: 16 * bump(phase, 0.72, 0.8) + 12 * bump(phase, 0.8, 0.88),
    },
    legs: [
      restingLeg(build, spot(farRoot), elbow(farRoot), point(...far), false),
      hindFoot(build, point(...seat.heel), point(...seat.foot), true),
      restingLeg(build, spot(nearRoot), elbow(nearRoot), point(...near), true),
    ],
    haunch: outlineOf(seat.haunch, breath),
    tail: {
      joints: species === 'cat' ? catTail(tail, seat, phase) : dogTail(tail, seat, phase),
      inFront: species === 'cat',
    },
    shadow: { x: seat.shadow[0], width: seat.shadow[1], strength: 1 },
  }
}

function dogTail(tail: Traits['tail'], seat: Seat, phase: number) {
  const { bend, length } = dogCarriage[tail]
  const root = point(...seat.tail)
  return tailJoints(tail, {
    root,
    degrees: 168,
    bend: bend * 0.7 + 6 * wave(phase, 2),
    hook: 16 * wave(phase, 2, 0.15),
    length,
  })
}

/** Around the hind end and along the ground in front, with a tapping tip. */
function catTail(tail: Traits['tail'], seat: Seat, phase: number) {
  const root = point(...seat.tail)
  return tailJoints(tail, {
    root,
    degrees: 136,
    bend: -150,
    ease: 0.5,
    hook: 14 - 34 * bump(phase, 0.15, 0.45),
    length: 290,
    thickness: catThickness[tail],
  })
}
