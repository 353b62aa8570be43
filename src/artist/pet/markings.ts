import type { Look } from '../look.js'
import { frameOf, type Point, point, points } from '../rig/points.js'
import { blob } from '../rig/shapes.js'
import { ellipse, path, xy } from '../rig/svg.js'
import type { Stance } from './stance.js'
import { archAt } from './standing.js'

/** The pale chest and belly, drawn inside the trunk. */
export function drawUnderside({ palette }: Look, { belly }: Stance): string {
  return path(blob(belly), palette.pale)
}

/**
 * The pattern of the coat, drawn inside the trunk; `along` runs from hip to shoulder, `above` is 1 at the edge of the
 * back.
 */
export function drawCoatMarkings({ palette, traits }: Look, { hip, shoulder, girth }: Stance): string {
  const frame = frameOf(hip, shoulder)
  const at = ({ x, y }: Point): Point => frame(x, y * girth.above + archAt(x, girth.arch ?? 0))
  const shape = (outline: readonly Point[], colour: string) => path(blob(outline.map(at)), colour)
  switch (traits.pattern) {
    case 'saddle':
      return shape(saddle, palette.mark)
    case 'stripes':
      return path(stripes.map((stripe) => wedge(stripe.map(at))).join(''), palette.mark)
    case 'patches':
      // White if the pet has white socks, otherwise darker than the coat.
      return patches.map((outline) => shape(outline, traits.socks ? palette.pale : palette.mark)).join('')
    case 'spots':
      return spots
        .map((spot, index) => {
          const size = spotSizes[index % spotSizes.length] ?? 0
          return ellipse(at(spot), size, size * 0.82, palette.mark)
        })
        .join('')
    default:
      return ''
  }
}

/** A stripe that starts broad outside the back and ends in a point: left edge, right edge, bend, point. */
function wedge([left = point(0, 0), right = left, bend = left, tip = left]: readonly Point[]): string {
  return `M${xy(left)}Q${xy(bend)} ${xy(tip)}Q${xy(point(bend.x + (right.x - left.x) * 0.7, bend.y + (right.y - left.y) * 0.7))} ${xy(right)}Z`
}

const saddle = points('-0.34,0.5 -0.1,1.5 0.5,1.5 1,1.5 1.12,0.7 0.9,0.26 0.62,0.42 0.34,0.12 0.02,0.36')

const stripes = [-0.12, 0.08, 0.28, 0.48, 0.68, 0.88].map((along, index) => [
  point(along, 1.3),
  point(along + 0.075, 1.3),
  point(along + 0.01, 0.6),
  point(along + 0.07, index % 2 === 0 ? 0.02 : 0.3),
])

const patches = [
  points('0.42,1.4 0.86,1.4 0.96,0.5 0.78,-0.02 0.52,0.12 0.36,0.6'),
  points('-0.4,0.8 -0.08,1.4 0.14,0.9 0.06,0.2 -0.2,0 -0.42,0.2'),
]

const spots = points(
  '-0.12,0.62 0.06,0.2 0.14,0.86 0.3,0.44 0.42,-0.12 0.5,0.8 0.62,0.3 0.76,0.78 0.8,-0.2 0.94,0.26 -0.04,-0.34 1.06,0.66 1.12,-0.1',
)
const spotSizes = [15, 11, 13, 17, 11, 12, 14, 16, 13, 11, 12, 12, 10]
