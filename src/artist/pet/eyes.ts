import type { Species } from '../look.js'
import type { Palette } from '../palette.js'
import { type Point, point, shift } from '../rig/points.js'
import { ellipse, num, path, stroke, xy } from '../rig/svg.js'
import { builds } from './build.js'
import { lineWidth, type Stance } from './stance.js'

export interface Eye {
  readonly at: Point
  readonly rx: number
  readonly ry: number
  /** 1 open, 0 shut. */
  readonly open: number
  /** Direction of the look; straight on by default. */
  readonly gaze: Point | undefined
  /** Size of the pupil as fractions of the eye. */
  readonly pupil: readonly [number, number]
}

/** Draws an eye with a dark rim, a two-tone iris and two highlights; a shut eye is a curved line. */
export function drawEye(palette: Palette, { at, rx, ry, open, gaze = point(0, 0), pupil }: Eye): string {
  if (open < 0.22) {
    const from = shift(at, -rx, -1)
    return stroke(`M${xy(from)}q${num(rx)} ${num(ry * 0.62)} ${num(rx * 2)} 0`, palette.ink, 5.5)
  }
  const tall = ry * open
  const look = shift(at, gaze.x * rx * (0.8 - pupil[0]) * 0.7, gaze.y * tall * (0.86 - pupil[1]) * 0.8)
  const lights = open > 0.55
  return [
    ellipse(at, rx + 2, tall + 2, palette.ink),
    ellipse(shift(at, 0, 1), rx * 0.86, tall * 0.86, palette.irisDark),
    ellipse(shift(at, 0, tall * 0.24), rx * 0.74, tall * 0.6, palette.iris),
    ellipse(look, rx * pupil[0], tall * pupil[1], palette.ink),
    lights ? ellipse(shift(look, rx * 0.28, -tall * 0.34), rx * 0.31, rx * 0.34, '#fff') : '',
    lights ? ellipse(shift(at, -rx * 0.34, tall * 0.42), rx * 0.15, rx * 0.15, '#fff', 'fill-opacity=".75"') : '',
  ].join('')
}

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
