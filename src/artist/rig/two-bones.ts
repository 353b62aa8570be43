import { distance, frameOf, type Point } from './points.js'

/**
 * Returns the joint between two bones that reach from `root` towards `target` (inverse kinematics), and the point
 * that they reach. `bend` is 1 if the joint of a hanging leg points forward (to the right), like a knee, and -1 if it
 * points back.
 */
export function bendTwoBones(
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
