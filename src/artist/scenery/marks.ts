import { num, oval, path, rect, stroke, width } from '../rig/svg.js'

/** Places a drawing around (0, 0). */
export function at(x: number, y: number, drawing: string, scale = 1, degrees = 0): string {
  const turned = degrees === 0 ? '' : ` rotate(${num(degrees)})`
  const size = scale === 1 ? '' : ` scale(${Math.round(scale * 1000) / 1000})`
  return `<g transform="translate(${num(x)} ${num(y)})${turned}${size}">${drawing}</g>`
}

/** The soft shadow below a thing. */
export const shadow = (radius: number, y = 0, x = 0, height = Math.max(6, radius * 0.12)): string =>
  oval(x, y, radius, height, '#1b1c2e', 'fill-opacity=".16"')

/** A rectangle as wide as the picture. */
export const band = (y: number, height: number, fill: string, attributes = ''): string =>
  rect(0, y, width, height, fill, attributes)

/** Defines a gradient from top to bottom, for a fill of `url(#id)`. */
export function gradient(id: string, ...colors: readonly string[]): string {
  const stops = colors.map((color, index) => {
    return `<stop offset="${num(index / (colors.length - 1))}" stop-color="${color}"/>`
  })
  return `<defs><linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient></defs>`
}

/** A round light that fades out. */
export function glow(id: string, x: number, y: number, radius: number, color: string, strength: number): string {
  const stops = `<stop stop-color="${color}" stop-opacity="${strength}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/>`
  return `<radialGradient id="${id}">${stops}</radialGradient>${oval(x, y, radius, radius, `url(#${id})`)}`
}

export interface Spot {
  readonly x: number
  readonly y: number
  readonly index: number
}

/** Points spread evenly and irregularly over a rectangle, always the same. */
export function spread(
  count: number,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): Spot[] {
  return Array.from({ length: count }, (_, index) => ({
    x: Math.round(x + ((0.5 + index * 0.7548776662) % 1) * width),
    y: Math.round(y + ((0.5 + index * 0.5698402909) % 1) * height),
    index,
  }))
}

/** White dots at the spots, in turn of each size. */
export function specks(spots: readonly Spot[], sizes: readonly number[]): string {
  const dots = (part: number) =>
    spots.flatMap(({ x, y, index }) => (index % sizes.length === part ? `M${x} ${y}h.1` : []))
  return sizes.map((size, part) => stroke(dots(part).join(''), '#fff', size, 'stroke-opacity=".9"')).join('')
}

/** Draws a thing in each of `count` directions; `x` and `y` are points of the circle of radius 1, from the top. */
export function around(count: number, draw: (x: number, y: number, index: number) => string): string {
  const drawings = Array.from({ length: count }, (_, index) => {
    const angle = (index / count - 0.25) * 2 * Math.PI
    return draw(Math.cos(angle), Math.sin(angle), index)
  })
  return drawings.join('')
}

/** Path data of a star with five points. */
export const star = (x: number, y: number, radius: number): string =>
  `${around(10, (cos, sin, index) => {
    const reach = index % 2 ? radius * 0.44 : radius
    return `${index === 0 ? 'M' : 'L'}${num(x + cos * reach)} ${num(y + sin * reach)}`
  })}Z`

export const pawPrint = (fill: string): string =>
  path(
    'M0 22C-26 22-26 0-10-8Q0-16 10-8C26 0 26 22 0 22ZM-24-6a8 10 0 1 1 .1 0ZM24-6a8 10 0 1 1 .1 0ZM-9-19a8 10 0 1 1 .1 0ZM9-19a8 10 0 1 1 .1 0Z',
    fill,
  )

/** An eye with a highlight. */
export const eye = (x: number, y: number, size: number): string =>
  oval(x, y, size * 0.85, size, '#2b2320') + oval(x + size * 0.3, y - size * 0.35, size * 0.3, size * 0.36, '#fff')
