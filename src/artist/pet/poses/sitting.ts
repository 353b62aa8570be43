import { joint, type Point, point } from '../../rig/points.js'
import type { Traits } from '../../traits.js'
import { builds } from '../build.js'
import { hindFoot, propLeg } from '../legs.js'
import { breathing, outlineOf, type Seat } from '../seat.js'
import { bump, farGround, ground, type Pet, type Stance, wave } from '../stance.js'
import { catThickness, dogCarriage, tailJoints } from '../tails.js'

const seats: Readonly<Record<'dog' | 'cat', Seat>> = {
  dog: {
    hip: [432, 706],
    shoulder: [574, 520],
    girth: { above: 96, below: 96 },
    chest: [648, 560],
    head: [588, 352],
    torso: [
      [508, 424],
      [446, 500],
      [386, 592],
      [344, 690],
      [342, 764],
      [392, 802],
      [480, 806],
      [580, 802],
      [646, 740],
      [670, 640],
      [668, 548],
      [648, 468],
      [592, 410],
    ],
    belly: [
      [664, 440],
      [694, 560],
      [686, 660],
      [640, 790],
      [596, 740],
      [600, 640],
      [560, 566],
      [572, 490],
      [612, 436],
    ],
    haunch: [
      [372, 702],
      [396, 634],
      [462, 606],
      [528, 644],
      [552, 716],
      [530, 788],
      [440, 802],
      [384, 778],
    ],
    tail: [356, 744],
    foot: [562, ground + 4],
    heel: [440, ground + 4],
    fore: { near: [604, 790], far: [672, 780], nearRoot: [594, 600], farRoot: [640, 600] },
    neck: { low: [570, 512], high: [578, 390] },
    shadow: [500, 240],
  },
  cat: {
    hip: [438, 714],
    shoulder: [560, 566],
    girth: { above: 88, below: 84 },
    chest: [612, 590],
    head: [574, 414],
    torso: [
      [506, 494],
      [452, 556],
      [396, 634],
      [362, 716],
      [368, 780],
      [420, 806],
      [500, 808],
      [570, 802],
      [616, 740],
      [632, 650],
      [630, 570],
      [614, 506],
      [566, 470],
    ],
    belly: [
      [632, 490],
      [654, 590],
      [646, 680],
      [612, 780],
      [574, 740],
      [580, 650],
      [548, 590],
      [556, 530],
      [590, 480],
    ],
    haunch: [
      [384, 724],
      [402, 664],
      [458, 636],
      [512, 662],
      [536, 724],
      [518, 790],
      [440, 804],
      [394, 784],
    ],
    tail: [372, 764],
    foot: [540, ground + 4],
    heel: [440, ground + 4],
    fore: { near: [580, 794], far: [634, 785], nearRoot: [572, 620], farRoot: [606, 620] },
    neck: { low: [562, 560], high: [568, 450] },
    shadow: [486, 216],
  },
}

/** Sits and looks around: wags, tilts its head, blinks; a dog pants. */
export function sitting({ species, traits: { tail } }: Pet, phase: number): Stance {
  const build = builds[species]
  const seat = seats[species]
  const breath = breathing(0.012 * wave(phase, 2))
  const spot = ([x, y]: readonly [number, number]): Point => breath(point(x, y))
  const tilt = wave(phase, 1, 0.1)
  const { near, far, nearRoot, farRoot } = seat.fore
  return {
    hip: spot(seat.hip),
    shoulder: spot(seat.shoulder),
    girth: seat.girth,
    torso: outlineOf(seat.torso, breath),
    belly: outlineOf(seat.belly, breath),
    chest: spot(seat.chest),
    neck: [joint(spot(seat.neck.low), build.neckRadius[0]), joint(spot(seat.neck.high), build.neckRadius[1] + 4)],
    head: { at: spot(seat.head), degrees: (species === 'dog' ? 5 : 3) * tilt },
    face: {
      eyes: 1 - bump(phase, 0.42, 0.52),
      pant: species === 'dog' ? 0.62 + 0.2 * wave(phase, 6) : 0,
      ears: 2 * tilt,
      twitch: 12 * bump(phase, 0.7, 0.8),
    },
    legs: [
      propLeg(build, spot(farRoot), point(far[0], farGround + far[1] - ground + 13), false),
      hindFoot(build, point(...seat.heel), point(...seat.foot), true),
      propLeg(build, spot(nearRoot), point(near[0], near[1] + 8), true),
    ],
    haunch: outlineOf(seat.haunch, breath),
    tail: { joints: species === 'cat' ? catTail(tail, seat, phase) : dogTail(tail, seat, phase), inFront: false },
    shadow: { x: seat.shadow[0], width: seat.shadow[1], strength: 1 },
  }
}

function dogTail(tail: Traits['tail'], seat: Seat, phase: number) {
  const { lift, bend, length } = dogCarriage[tail]
  const wag = wave(phase, 4)
  const root = point(...seat.tail)
  return tailJoints(tail, {
    root,
    degrees: 172 + lift * 0.5 + 7 * wag,
    bend: bend * 0.75 + 20 * wave(phase, 4, 0.12),
    length,
  })
}

/** Along the ground behind the cat, with a swaying tip. */
function catTail(tail: Traits['tail'], seat: Seat, phase: number) {
  const sway = wave(phase, 1)
  const root = point(...seat.tail)
  return tailJoints(tail, {
    root,
    degrees: 166,
    bend: 76 + 10 * sway,
    hook: 64 + 34 * wave(phase, 2, 0.1),
    length: 245,
    thickness: catThickness[tail],
  })
}
