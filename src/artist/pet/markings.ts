import type { Look } from '../look.js'
import type { Palette } from '../palette.js'
import { frameOf, type Point, point } from '../rig/points.js'
import { blob } from '../rig/shapes.js'
import { ellipse, path, xy } from '../rig/svg.js'
import type { Traits } from '../traits.js'
import type { Stance } from './stance.js'

type Spot = readonly [along: number, above: number]

/** The pale chest and belly, drawn inside the trunk. */
export function drawUnderside({ palette, traits }: Look, { belly }: Stance): string {
  return traits.bib ? path(blob(belly), palette.pale) : ''
}

/**
 * The pattern of the coat, drawn inside the trunk; `along` runs from hip to shoulder, `above` is 1 at the edge of the
 * back.
 */
export function drawCoatMarkings({ palette, traits }: Look, { hip, shoulder, girth }: Stance): string {
  const frame = frameOf(hip, shoulder)
  const at = ([along, above]: Spot): Point => frame(along, above * girth.above)
  const shape = (table: readonly Spot[], colour = palette.mark) => path(blob(table.map(at)), colour)
  switch (traits.pattern) {
    case 'saddle':
      return shape(saddle)
    case 'stripes':
      return path(stripes.map((stripe) => wedge(stripe.map(at))).join(''), palette.mark)
    case 'patches':
      return patches.map((table) => shape(table, patchColour(palette, traits))).join('')
    case 'spots':
      return spots.map(([along, above, size]) => ellipse(at([along, above]), size, size * 0.82, palette.mark)).join('')
    default:
      return ''
  }
}

/** Patches are white if the pet has white socks, otherwise darker than the coat. */
export function patchColour({ pale, mark }: Palette, { socks }: Traits): string {
  return socks ? pale : mark
}

/** A stripe that starts broad outside the back and ends in a point: left edge, right edge, bend, point. */
function wedge([left = point(0, 0), right = left, bend = left, tip = left]: readonly Point[]): string {
  return `M${xy(left)}Q${xy(bend)} ${xy(tip)}Q${xy(point(bend.x + (right.x - left.x) * 0.7, bend.y + (right.y - left.y) * 0.7))} ${xy(right)}Z`
}

const saddle: readonly Spot[] = [
  [-0.34, 0.5],
  [-0.1, 1.5],
  [0.5, 1.5],
  [1, 1.5],
  [1.12, 0.7],
  [0.9, 0.26],
  [0.62, 0.42],
  [0.34, 0.12],
  [0.02, 0.36],
]

const stripes: readonly (readonly Spot[])[] = [-0.12, 0.08, 0.28, 0.48, 0.68, 0.88].map((along, index) => [
  [along, 1.3],
  [along + 0.075, 1.3],
  [along + 0.01, 0.6],
  [along + 0.07, index % 2 === 0 ? 0.02 : 0.3],
])

const patches: readonly (readonly Spot[])[] = [
  [
    [0.42, 1.4],
    [0.86, 1.4],
    [0.96, 0.5],
    [0.78, -0.02],
    [0.52, 0.12],
    [0.36, 0.6],
  ],
  [
    [-0.4, 0.8],
    [-0.08, 1.4],
    [0.14, 0.9],
    [0.06, 0.2],
    [-0.2, 0],
    [-0.42, 0.2],
  ],
]

const spots: readonly (readonly [along: number, above: number, size: number])[] = [
  [-0.12, 0.62, 15],
  [0.06, 0.2, 11],
  [0.14, 0.86, 13],
  [0.3, 0.44, 17],
  [0.42, -0.12, 11],
  [0.5, 0.8, 12],
  [0.62, 0.3, 14],
  [0.76, 0.78, 16],
  [0.8, -0.2, 13],
  [0.94, 0.26, 11],
  [-0.04, -0.34, 12],
  [1.06, 0.66, 12],
  [1.12, -0.1, 10],
]
