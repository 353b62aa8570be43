import type { Look } from '../look.js'
import type { Joint } from '../rig/points.js'
import { limbOutline } from '../rig/shapes.js'
import { contour, crescent, inside, path } from '../rig/svg.js'
import { lineWidth } from './draw-pet.js'

/** A tail with its shadow, its tip, and rings where the coat is striped. */
export function drawTail({ palette, traits, species }: Look, joints: readonly Joint[]): string {
  const outline = limbOutline(joints)
  const banded = traits.pattern === 'stripes'
  const tip = banded || traits.pattern === 'saddle' ? palette.mark : traits.socks ? palette.pale : ''
  const rings = banded ? [5, 7].map((at) => path(limbOutline(joints.slice(at, at + 2)), palette.mark)) : []
  const from = species === 'cat' ? 9 : 8
  return [
    contour([outline], palette.line, lineWidth),
    path(outline, palette.coat),
    inside(
      'tail',
      outline,
      rings.join('') +
        (tip && traits.tail !== 'short' ? path(limbOutline(joints.slice(from)), tip) : '') +
        crescent(outline, -5, -7, palette.ink, 'opacity=".13"'),
    ),
  ].join('')
}
