import { type Point, point } from '../rig/points.js'
import { ground } from './stance.js'

type Spot = readonly [x: number, y: number]

/** A pose on the ground as a table: the position of each part of a resting pet. */
export interface Seat {
  readonly hip: Spot
  readonly shoulder: Spot
  readonly girth: { readonly above: number; readonly below: number }
  readonly chest: Spot
  readonly head: Spot
  readonly torso: readonly Spot[]
  readonly belly: readonly Spot[]
  readonly haunch: readonly Spot[]
  readonly tail: Spot
  readonly heel: Spot
  readonly foot: Spot
  readonly fore: { readonly near: Spot; readonly far: Spot; readonly nearRoot: Spot; readonly farRoot: Spot }
  readonly neck: { readonly low: Spot; readonly high: Spot }
  readonly shadow: readonly [x: number, width: number]
}

/** Lifts points above the ground by a fraction of their height. */
export function breathing(fraction: number): (at: Point) => Point {
  return ({ x, y }) => point(x, ground - (ground - y) * (1 + (y < ground ? fraction : 0)))
}

export function outlineOf(table: readonly Spot[], breath: (at: Point) => Point): Point[] {
  return table.map(([x, y]) => breath(point(x, y)))
}
