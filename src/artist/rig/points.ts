export interface Point {
  readonly x: number
  readonly y: number
}

/** A point of a limb's center line, with the thickness of the limb. */
export interface Joint extends Point {
  readonly radius: number
}

export const point = (x: number, y: number): Point => ({ x, y })

/** Parses `x,y x,y …`, the form of an SVG polygon. */
export function points(list: string): Point[] {
  return list.split(' ').map((pair) => {
    const [x = 0, y = 0] = pair.split(',').map(Number)
    return { x, y }
  })
}

export const joint = (at: Point, radius: number): Joint => ({ x: at.x, y: at.y, radius })

export const shift = (from: Point, dx: number, dy: number): Point => ({ x: from.x + dx, y: from.y + dy })

export const mix = (from: Point, to: Point, fraction: number): Point => ({
  x: from.x + (to.x - from.x) * fraction,
  y: from.y + (to.y - from.y) * fraction,
})

export const distance = (one: Point, other: Point): number => Math.hypot(other.x - one.x, other.y - one.y)

/** Rotates a point about the origin; `degrees` grow clockwise, as in SVG. */
export function turn(at: Point, degrees: number): Point {
  const angle = (degrees * Math.PI) / 180
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  return { x: at.x * cos - at.y * sin, y: at.x * sin + at.y * cos }
}

/**
 * Returns a frame whose axis runs from one point to another: `along` is 0 to 1 between them, `above` is in pixels
 * towards the upper side.
 */
export function frameOf(from: Point, to: Point): (along: number, above: number) => Point {
  const length = distance(from, to)
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  return (along, above) => ({
    x: from.x + ux * along * length + uy * above,
    y: from.y + uy * along * length - ux * above,
  })
}
