import type { Look } from '../look.js'
import { distance, frameOf, type Joint, joint, mix } from '../rig/points.js'
import { limbOutline } from '../rig/shapes.js'
import { contour, define, fill, inside, moved, path, type SvgShape, stroke, xy } from '../rig/svg.js'
import { drawLocks } from './fur.js'
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
  const fringe: SvgShape[] = traits.tail === 'plume' ? [{ id: 'fringe', d: drawFringe(joints) }] : []
  const tipColour = traits.pattern === 'saddle' ? palette.mark : traits.socks ? palette.pale : ''
  const isTipped = marked.length === 0 && tipColour && traits.tail !== 'short'
  const ended = isTipped ? piece(tip, tipColour) + path(drawJags(joints), tipColour) : ''
  return [
    define(shape, ...fringe),
    contour([shape, ...fringe], palette.line, lineWidth),
    ...[shape, ...fringe].map((each) => fill(each, palette.far)),
    inside([shape, ...fringe], fill(shape, palette.coat, moved(-4, -7)) + marked.join('') + ended),
  ].join('')
}

/** Locks along the edge that is the lower one of a tail that points back. */
function drawFringe(joints: readonly Joint[]): string {
  const edge = joints.flatMap((at, index) => {
    const [before, after] = [joints[index - 1], joints[index + 1]]
    return before && after && index % 2 === 0 ? frameOf(before, after)(0.5, at.radius - 2) : []
  })
  return edge.map((from, index) => drawLocks(from, edge[index + 1] ?? from, 13, index)).join('')
}

/** The uneven edge of a coloured tip, which reaches towards the root. */
function drawJags(joints: readonly Joint[]): string {
  const [end, start] = [joints[tip[0] - 1], joints[tip[0]]]
  if (!end || !start) return ''
  const at = frameOf(start, end)
  const jags = [-1, -0.6, -0.35, 0.1, 0.3, 0.7, 1].map((across, index) =>
    at(index % 2 === 0 ? -0.2 : 1.1 + (index % 3) * 0.3, across * (start.radius + 4)),
  )
  return `M${jags.map(xy).join('L')}Z`
}

/** Adds a joint, so that a coloured tip covers the round end. */
function beyondTip(joints: readonly Joint[]): Joint[] {
  const [before, last] = joints.slice(-2)
  if (!before || !last) return [...joints]
  return [...joints, joint(mix(before, last, 1 + (last.radius * 1.3) / distance(before, last)), last.radius)]
}
