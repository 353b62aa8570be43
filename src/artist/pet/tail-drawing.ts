import type { Look } from '../look.js'
import { distance, type Joint, joint, mix } from '../rig/points.js'
import { limbOutline } from '../rig/shapes.js'
import { contour, define, fill, inside, moved, type SvgShape, stroke, xy } from '../rig/svg.js'
import { lineWidth } from './stance.js'

/** Positions of the rings of a striped tail, from joint to joint; the last one is the tip. */
const rings = [
  [3, 4],
  [5, 6],
  [7, 8],
  [9, 13],
] as const
const tip = [9, 13] as const

/** Draws a tail with its shadow, its tip, and rings if the coat is striped. */
export function drawTail({ palette, traits }: Look, joints: readonly Joint[]): string {
  const shape: SvgShape = { id: 'tail', d: limbOutline(joints) }
  const piece = ([from, to]: readonly [number, number], colour: string) => {
    const part = lengthened.slice(from, to + 1)
    return stroke(
      `M${part.map(xy).join('L')}`,
      colour,
      Math.max(...part.map(({ radius }) => radius)) * 2 + 6,
      '',
      'butt',
    )
  }
  const lengthened = beyondTip(joints)
  const marked = traits.pattern === 'stripes' ? rings.map((ring) => piece(ring, palette.mark)) : []
  const tipColour = traits.pattern === 'saddle' ? palette.mark : traits.socks ? palette.pale : ''
  const ended = marked.length === 0 && tipColour && traits.tail !== 'short' ? piece(tip, tipColour) : ''
  return [
    define(shape),
    contour([shape], palette.line, lineWidth),
    fill(shape, palette.far),
    inside([shape], fill(shape, palette.coat, moved(-4, -7)) + marked.join('') + ended),
  ].join('')
}

/** Adds a joint, so that a coloured tip covers the round end. */
function beyondTip(joints: readonly Joint[]): Joint[] {
  const [before, last] = joints.slice(-2)
  if (!before || !last) return [...joints]
  return [...joints, joint(mix(before, last, 1 + (last.radius * 1.3) / distance(before, last)), last.radius)]
}
