import { point } from '../rig/points.js'
import { ellipse, num } from '../rig/svg.js'

/** Places a drawing around (0, 0). */
export function at(x: number, y: number, drawing: string, scale = 1, degrees = 0): string {
  const turned = degrees === 0 ? '' : ` rotate(${num(degrees)})`
  const size = scale === 1 ? '' : ` scale(${scale})`
  return `<g transform="translate(${num(x)} ${num(y)})${turned}${size}">${drawing}</g>`
}

/** The soft shadow below a thing at (0, 0). */
export const shadow = (width: number, y = 0): string =>
  ellipse(point(0, y), width, Math.max(6, width * 0.12), '#1b1c2e', 'fill-opacity=".16"')

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

/** A round light that fades out. */
export function glow(id: string, x: number, y: number, radius: number, colour: string, strength: number): string {
  const stops = `<stop stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/>`
  return `<radialGradient id="${id}">${stops}</radialGradient>${ellipse(point(x, y), radius, radius, `url(#${id})`)}`
}
