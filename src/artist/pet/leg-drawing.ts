import type { Look } from '../look.js'
import { type Joint, point, turn } from '../rig/points.js'
import { limbOutline, placed, sampleLimb } from '../rig/shapes.js'
import { contour, define, ellipse, fill, inside, moved, num, type Shape, stroke, xy } from '../rig/svg.js'
import { type Leg, lineWidth } from './stance.js'

const pawTable: readonly (readonly [number, number])[] = [
  [-27, -8],
  [-25, -30],
  [0, -42],
  [28, -35],
  [46, -19],
  [44, -4],
  [28, 1],
  [-16, 1],
]
const toes: readonly (readonly [number, number, number, number])[] = [
  [21, -18, 24, -3],
  [34, -15, 36, -3],
]
/** Samples between two joints of a leg, and the number of final samples that a sock covers. */
const perPiece = 4
const sockSamples = 6

export interface LegShape {
  readonly leg: Leg
  readonly limb: Shape
  readonly foot: Shape
  /** The center line of the part that a sock covers. */
  readonly sock: readonly Joint[]
}

export function legShape(leg: Leg, id: string): LegShape {
  const samples = sampleLimb(leg.joints, perPiece)
  const { paw } = leg
  const table = pawTable.map(([x, y]) => [x * paw.length, y] as const)
  return {
    leg,
    limb: { id, d: limbOutline(samples) },
    foot: { id: `${id}-paw`, d: placed(table, paw) },
    sock: samples.slice(-sockSamples),
  }
}

/** A leg on the far side: it is in the pet's shadow and has its own outline. */
export function drawFarLeg({ palette, traits }: Look, leg: Leg, id: string): string {
  const shape = legShape(leg, id)
  const { limb, foot } = shape
  return [
    define(limb, foot),
    contour([limb, foot], palette.line, lineWidth),
    fill(limb, palette.far) + fill(foot, palette.far),
    traits.socks ? inside([limb, foot], drawSock(shape, palette.paleShade)) : '',
    drawToes(leg, palette.line),
  ].join('')
}

/** A leg on the near side, over the trunk whose outline encloses both; its shapes are already defined. */
export function drawNearLeg({ palette, traits }: Look, shape: LegShape): string {
  const { limb, foot, leg } = shape
  const light = moved(-8, -3)
  const both = (colour: string, attributes?: string) => fill(limb, colour, attributes) + fill(foot, colour, attributes)
  const sock = `${drawSock(shape, palette.paleShade)}<g ${light}>${drawSock(shape, palette.pale)}</g>`
  return [
    both(palette.coat),
    inside([limb, foot], both(palette.shade) + both(palette.coat, light) + (traits.socks ? sock : '')),
    drawToes(leg, palette.line),
  ].join('')
}

/** Broader than the leg, because it is clipped to it. */
function drawSock({ sock, leg: { paw } }: LegShape, colour: string): string {
  const width = Math.max(...sock.map(({ radius }) => radius)) * 2 + 6
  const centre = turn(point(9 * paw.scale, -20 * paw.scale), paw.degrees)
  const at = point(paw.at.x + centre.x, paw.at.y + centre.y)
  return stroke(`M${sock.map(xy).join('L')}`, colour, width) + ellipse(at, 50 * paw.scale, 42 * paw.scale, colour)
}

function drawToes({ paw }: Leg, colour: string): string {
  const lines = toes.map(([x1, y1, x2, y2]) => {
    const [from, to] = [turn(point(x1, y1), paw.degrees), turn(point(x2, y2), paw.degrees)]
    const at = (x: number, y: number) => `${num(paw.at.x + x * paw.scale)} ${num(paw.at.y + y * paw.scale)}`
    return `M${at(from.x, from.y)}L${at(to.x, to.y)}`
  })
  return stroke(lines.join(''), colour, 3.4, 'opacity=".7"')
}
