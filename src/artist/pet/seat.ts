import type { Joint, Point } from '../rig/points.js'
import { ground, type Stance } from './stance.js'

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
