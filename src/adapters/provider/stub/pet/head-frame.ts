import type { Species } from '../look.js'
import { num, path } from '../rig/svg.js'
import { builds } from './build.js'
import { lineWidth, type Stance } from './stance.js'

/** Puts what is drawn around (0, 0), looking right, where the stance has the head. */
export function placeHead(species: Species, { head }: Stance, drawing: string): string {
  const { headScale } = builds[species]
  const move = `translate(${num(head.at.x)} ${num(head.at.y)}) rotate(${num(head.degrees)}) scale(${headScale})`
  return `<g transform="${move}">${drawing}</g>`
}

/** Attributes that put the line of the pet around the outside of a shape. */
export const lineAround = (line: string): string =>
  `stroke="${line}" stroke-width="${lineWidth * 1.8}" stroke-linejoin="round" paint-order="stroke"`

export function outlined(d: string, fill: string, line: string): string {
  return path(d, fill, lineAround(line))
}

export function rotated(degrees: number, x: number, y: number, drawing: string): string {
  return degrees === 0 ? drawing : `<g transform="rotate(${num(degrees)} ${x} ${y})">${drawing}</g>`
}
