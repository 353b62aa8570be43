import type { Look } from '../look.js'
import { distance, frameOf, type Joint, joint, mix, type Point, point, points, shift } from '../rig/points.js'
import { blob, clockwise, limbOutline, sampleLimb } from '../rig/shapes.js'
import {
  contour,
  crescent,
  define,
  ellipse,
  fill,
  fillOpacity,
  inside,
  moved,
  num,
  path,
  type SvgShape,
  stroke,
  xy,
} from '../rig/svg.js'
import { drawCatHead } from './cat-head.js'
import { drawDogHead } from './dog-head.js'
import { drawFarLeg, drawNearLeg, legShape } from './leg-drawing.js'
import { drawRim, type LitLook } from './rim.js'
import { ground, lineWidth, type Stance } from './stance.js'
import { archAt } from './standing.js'

/** Draws a pet without its surroundings, on `ground`. */
export function drawPet(look: LitLook, stance: Stance): string {
  const tail = drawTail(look, stance.tail.joints)
  const far = stance.legs.filter((leg) => !leg.near)
  return [
    drawShadow(look, stance),
    ...far.map((leg, index) => drawFarLeg(look, leg, `far${index}`)),
    stance.tail.inFront ? '' : tail,
    drawTrunk(look, stance),
    stance.tail.inFront ? tail : '',
    look.species === 'cat' ? drawCatHead(look, stance) : drawDogHead(look, stance),
  ].join('')
}

function drawShadow({ palette }: LitLook, { shadow }: Stance): string {
  const at = { x: shadow.x, y: ground + 3 }
  const soft = ellipse(at, shadow.width, 25, palette.ink, fillOpacity(0.1 * shadow.strength))
  return soft + ellipse(at, shadow.width * 0.86, 15, palette.ink, fillOpacity(0.14 * shadow.strength))
}

/** Trunk, neck, near legs and collar: one silhouette with one outline. */
function drawTrunk(look: LitLook, stance: Stance): string {
  const { palette, traits } = look
  const torso: SvgShape = { id: 'torso', d: blob(stance.torso) }
  const neck: SvgShape = { id: 'neck', d: limbOutline(sampleLimb(stance.neck, 3)) }
  const haunch: SvgShape[] = stance.haunch ? [{ id: 'haunch', d: blob(stance.haunch) }] : []
  const fur: SvgShape[] = traits.fluffy ? [{ id: 'fur', d: drawTufts(stance.torso) }] : []
  const legs = stance.legs.filter((leg) => leg.near).map((leg, index) => legShape(leg, `near${index}`))
  return [
    define(torso, neck, ...haunch, ...fur),
    ...legs.map(({ limb, foot }) => define(limb, foot)),
    contour(
      [torso, neck, ...fur, ...haunch, ...legs.flatMap(({ limb, foot }) => [limb, foot])],
      palette.line,
      lineWidth,
    ),
    ...fur.map((shape) => fill(shape, palette.shade)),
    fill(torso, palette.coat) + fill(neck, palette.coat),
    inside(
      [torso, neck],
      crescent(torso, -7, -26, palette.shade) +
        (traits.bib ? drawUnderside(look, stance) + crescent(torso, -5, -13, palette.ink, fillOpacity(0.13)) : '') +
        crescent(torso, 5, 11, palette.lit),
    ),
    ...legs.filter(({ leg }) => !leg.overHaunch).map((leg) => drawNearLeg(look, leg)),
    ...haunch.map((shape) => fill(shape, palette.coat) + inside([shape], crescent(shape, -11, -7, palette.shade))),
    inside([torso, neck, ...haunch], drawCoatMarkings(look, stance) + drawRim(look, torso), 'coat'),
    ...legs.filter(({ leg }) => leg.overHaunch).map((leg) => drawNearLeg(look, leg)),
    drawChestFur(look, stance),
    drawCollar(look, stance, neck),
  ].join('')
}

const gold = { light: '#f6cd57', dark: '#cf9526', line: '#8a5f14' }

/** A collar around the base of the neck with a tag; a cat has a bell. */
function drawCollar({ palette, species }: Look, { neck }: Stance, outline: SvgShape): string {
  const [low, high] = [neck[0], neck[neck.length - 1]]
  if (!low || !high) return ''
  const at = frameOf(low, high)
  const middle = species === 'cat' ? 0.62 : 0.56
  const half = (low.radius + high.radius) / 2 + 10
  const front = at(middle, -half)
  const sag = shift(at(middle - 26 / distance(low, high), 0), 4, 4)
  const curve = `M${xy(at(middle, half))}Q${xy(sag)} ${xy(front)}`
  const band = stroke(curve, palette.accentDark, 26) + stroke(curve, palette.accent, 19)
  const tag = shift(mix(sag, front, 0.46), -3, 22)
  return inside([outline], band) + drawTag(species, tag)
}

function drawTag(species: Look['species'], at: { x: number; y: number }): string {
  const round = ellipse(at, 16, 16, gold.light, `stroke="${gold.line}" stroke-width="3"`)
  const shine = ellipse(shift(at, -5, -6), 4, 3, '#fff', 'fill-opacity=".8"')
  if (species === 'cat') {
    const slit = stroke(`M${xy(shift(at, -13, 2))}H${num(at.x + 13)}M${xy(shift(at, 0, 6))}v6`, gold.line, 3)
    return round + slit + shine
  }
  return round + ellipse(at, 8, 8, gold.dark) + shine
}

/** The pale chest and belly, drawn inside the trunk. */
function drawUnderside({ palette }: Look, { belly }: Stance): string {
  return path(blob(belly), palette.pale)
}

/**
 * The pattern of the coat, drawn inside the trunk; `along` runs from hip to shoulder, `above` is 1 at the edge of the
 * back.
 */
function drawCoatMarkings({ palette, traits }: Look, { hip, shoulder, girth }: Stance): string {
  const frame = frameOf(hip, shoulder)
  const at = ({ x, y }: Point): Point => frame(x, y * girth.above + archAt(x, girth.arch ?? 0))
  const shape = (outline: readonly Point[], color: string) => path(blob(outline.map(at)), color)
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

/** Positions of the rings of a striped tail, from joint to joint; the last one is the tip. */
const rings = [
  [3, 4],
  [5, 6],
  [7, 8],
  [9, 13],
] as const
const tip = [9, 13] as const

/** Draws a tail with its shadow, its tip, and rings if the coat is striped. */
function drawTail({ palette, traits }: Look, joints: readonly Joint[]): string {
  const shape: SvgShape = { id: 'tail', d: limbOutline(joints) }
  const piece = ([from, to]: readonly [number, number], color: string) => {
    const part = lengthened.slice(from, to + 1)
    return stroke(
      `M${part.map(xy).join('L')}`,
      color,
      Math.max(...part.map(({ radius }) => radius)) * 2 + 6,
      '',
      'butt',
    )
  }
  const lengthened = beyondTip(joints)
  const marked = traits.pattern === 'stripes' ? rings.map((ring) => piece(ring, palette.mark)) : []
  const fringe: SvgShape[] = traits.tail === 'plume' ? [{ id: 'fringe', d: drawFringe(joints) }] : []
  const tipColor = traits.pattern === 'saddle' ? palette.mark : traits.socks ? palette.pale : ''
  const isTipped = marked.length === 0 && tipColor && traits.tail !== 'short'
  const ended = isTipped ? piece(tip, tipColor) : ''
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

/** Adds a joint, so that a colored tip covers the round end. */
function beyondTip(joints: readonly Joint[]): Joint[] {
  const [before, last] = joints.slice(-2)
  if (!before || !last) return [...joints]
  return [...joints, joint(mix(before, last, 1 + (last.radius * 1.3) / distance(before, last)), last.radius)]
}

const ruff =
  'M-52-44C-40-16-46 4-34 28C-30 16-26 10-22 4C-22 24-14 42 0 56C2 40 8 26 16 14C20 24 28 34 38 38C34 22 38 8 44-4C48-20 46-36 40-48C14-30-24-30-52-44Z'

/** The ruff of long fur on the chest, below the collar. */
function drawChestFur({ palette, traits }: Look, { neck, chest }: Stance): string {
  const low = neck[0]
  if (!traits.fluffy || !low) return ''
  const [x, y] = [low.x + (chest.x - low.x) * 0.46, low.y + (chest.y - low.y) * 0.2 + 8]
  return path(ruff, traits.bib ? palette.pale : palette.lit, `transform="translate(${num(x)} ${num(y)}) rotate(-14)"`)
}

/** Path data of tufts along the lower and rear edges of a trunk, as far as it is above the ground. */
function drawTufts(torso: readonly Point[]): string {
  const outline = clockwise(torso)
  return outline.map((from, index) => tuftsAlong(from, outline[(index + 1) % outline.length] ?? from, index)).join('')
}

function tuftsAlong(from: Point, to: Point, seed: number): string {
  const across = (to.x - from.x) / distance(from, to)
  const [isUpper, isOnGround] = [across > 0.4, Math.max(from.y, to.y) > ground - 22]
  if (isUpper || isOnGround) return ''
  // The belly has shorter ones; those of the rear hang down as well.
  const size = across < -0.8 ? 14 : 18
  return to.y < from.y ? drawLocks(to, from, size, seed, -1) : drawLocks(from, to, size, seed)
}

const lengths = [1.15, 0.6, 0.9, 0.5, 0.75] as const

/** Path data of locks along an edge, with the animal on its right (or left, -1): they swell and end in a point further along. */
function drawLocks(from: Point, to: Point, size: number, seed: number, side: 1 | -1 = 1): string {
  const length = distance(from, to)
  if (length === 0) return ''
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const out = (at: Point, far: number, along: number) =>
    shift(at, uy * far * side + ux * along, -ux * far * side + uy * along)
  const count = Math.max(1, Math.round(length / 36))
  const locks = Array.from({ length: count }, (_, lock) => {
    const [start, end] = [mix(from, to, lock / count), mix(from, to, (lock + 1) / count)]
    // Long and short ones in turn: equal ones look like the teeth of a saw.
    const grown = size * (lengths[(seed * 3 + lock) % lengths.length] ?? 1)
    const tip = out(end, grown * 0.72, grown * 1.3)
    const [swell, hollow] = [out(mix(start, end, 0.5), grown * 0.9, 0), out(end, grown * 0.3, grown * 0.5)]
    return `M${xy(start)}Q${xy(swell)} ${xy(tip)}Q${xy(hollow)} ${xy(end)}Z`
  })
  return locks.join('')
}
