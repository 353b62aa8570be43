import type { Species } from '../look.js'
import { num, path } from '../rig/svg.js'
import { builds } from './build.js'
import { lineWidth, type Stance } from './stance.js'

/** Places a drawing around (0, 0), which looks right, at the head of the stance; mirrored if the head is turned. */
export function placeHead(species: Species, { head }: Stance, drawing: string): string {
  const { headScale } = builds[species]
  const size = head.turned ? `${-headScale} ${headScale}` : headScale
  const move = `translate(${num(head.at.x)} ${num(head.at.y)}) rotate(${num(head.degrees)}) scale(${size})`
  return `<g transform="${move}">${drawing}</g>`
}

/** Attributes that draw the pet's outline around a shape. */
export const lineAround = (line: string): string =>
  `stroke="${line}" stroke-width="${lineWidth * 1.8}" stroke-linejoin="round" stroke-linecap="round" paint-order="stroke"`

export function outlined(d: string, fill: string, line: string): string {
  return path(d, fill, lineAround(line))
}

export function rotated(degrees: number, x: number, y: number, drawing: string): string {
  return degrees === 0 ? drawing : `<g transform="rotate(${num(degrees)} ${x} ${y})">${drawing}</g>`
}
