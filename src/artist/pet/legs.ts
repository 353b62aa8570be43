import { distance, frameOf, joint, mix, type Point, point, shift, turn } from '../rig/points.js'
import type { Build } from './build.js'
import type { GaitStep } from './gait.js'
import { farGround, ground, type Leg } from './stance.js'

/** Minimum length of a folded leg as a fraction of its full length: below it, the knee would be above the back. */
const leastReach = 0.63

/** A leg that hangs from `root`, with its foot at `step` relative to `home`. */
export function leg(
  build: Build,
  kind: 'hind' | 'fore',
  root: Point,
  home: number,
  step: GaitStep,
  near: boolean,
): Leg {
  const { bones, radii, ankle } = build[kind]
  const soil = near ? ground : farGround
  const raised = turn(point(ankle[0], ankle[1]), step.degrees)
  const wanted = point(home + step.x + raised.x, soil - step.y * build.stepHeight + raised.y)
  const least = step.planted ? 0 : leastReach * (bones[0] + bones[1])
  const unfolded = awayFrom(root, wanted, least)
  const target = point(unfolded.x, Math.min(unfolded.y, soil + raised.y))
  const { middle, end } = bendTwoBones(root, target, bones, kind === 'hind' ? 1 : -1)
  const paw = shift(end, -raised.x, -raised.y)
  const above = turn(point(-6, -24 * build.pawScale), step.degrees)
  return {
    joints: [
      joint(root, radii[0]),
      joint(middle, radii[1]),
      joint(end, radii[2]),
      joint(shift(paw, above.x, above.y), radii[3]),
    ],
    paw: { at: paw, degrees: step.degrees, scale: build.pawScale, length: 1 },
    near,
  }
}

function awayFrom(root: Point, target: Point, least: number): Point {
  const reach = distance(root, target)
  return reach >= least ? target : mix(root, target, least / reach)
}

/** A straight foreleg of a sitting pet. */
export function propLeg(build: Build, root: Point, foot: Point, near: boolean): Leg {
  const [top, elbow, wrist, paw] = build.fore.radii
  const bend = shift(foot, -10, (root.y - foot.y) * 0.5)
  return {
    joints: [
      joint(root, top),
      joint(bend, elbow + 3),
      joint(shift(foot, -6, -50 * build.pawScale), wrist + 2),
      joint(shift(foot, -4, -24 * build.pawScale), paw + 1),
    ],
    paw: { at: foot, degrees: 0, scale: build.pawScale * 1.06, length: 1 },
    near,
  }
}

/** A foreleg on the ground, stretched out in front of the chest. */
export function restingLeg(build: Build, root: Point, elbow: Point, foot: Point, near: boolean): Leg {
  const [top, middle, wrist, paw] = build.fore.radii
  return {
    joints: [
      joint(root, top),
      joint(elbow, middle),
      joint(shift(foot, -48, -wrist - 1), wrist),
      joint(shift(foot, -14, -paw - 1), paw),
    ],
    paw: { at: foot, degrees: 0, scale: build.pawScale, length: 1 },
    near,
  }
}

/** The foot in front of the haunch of a sitting or lying pet. */
export function hindFoot(build: Build, heel: Point, foot: Point, near: boolean): Leg {
  const radius = 23 * build.pawScale
  return {
    joints: [
      joint(shift(heel, 0, -radius), radius),
      joint(shift(foot, -30, -radius), radius),
      joint(shift(foot, -12, -radius), radius),
    ],
    paw: { at: foot, degrees: 0, scale: build.pawScale, length: 1.1 },
    near,
    overHaunch: true,
  }
}

/**
 * Returns the joint between two bones that reach from `root` towards `target` (inverse kinematics), and the point
 * that they reach. `bend` is 1 if the joint of a hanging leg points forward (to the right), like a knee, and -1 if it
 * points back.
 */
function bendTwoBones(
  root: Point,
  target: Point,
  [upper, lower]: readonly [number, number],
  bend: 1 | -1,
): { readonly middle: Point; readonly end: Point } {
  const wanted = distance(root, target)
  const reach = Math.min(Math.max(wanted, Math.abs(upper - lower) + 0.5), upper + lower - 0.5)
  const at = frameOf(root, target)
  const along = (upper * upper - lower * lower + reach * reach) / (2 * reach)
  const aside = Math.sqrt(Math.max(0, upper * upper - along * along)) * bend
  return { middle: at(along / wanted, aside), end: at(reach / wanted, 0) }
}
