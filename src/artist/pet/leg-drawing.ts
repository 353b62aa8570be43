import type { Look } from '../look.js'
import { type Joint, type Point, point, points, shift, turn } from '../rig/points.js'
import { blob, limbOutline, sampleLimb } from '../rig/shapes.js'
import { contour, define, ellipse, fill, inside, moved, num, type SvgShape, stroke, xy } from '../rig/svg.js'
import { type Leg, lineWidth } from './stance.js'

const pawOutline = points('-27,-8 -25,-30 0,-42 28,-35 46,-19 44,-4 28,1 -16,1')
/** Two lines on the paw, each from its upper to its lower end. */
const toes = [points('21,-18 24,-3'), points('34,-15 36,-3')]
/** Samples between two joints of a leg, and the number of final samples that a sock covers. */
const perPiece = 4
const sockSamples = 6

export interface LegShape {
  readonly leg: Leg
  readonly limb: SvgShape
  readonly foot: SvgShape
  /** The center line of the part that a sock covers. */
  readonly sock: readonly Joint[]
}

export function legShape(leg: Leg, id: string): LegShape {
  const samples = sampleLimb(leg.joints, perPiece)
  const { paw } = leg
  const outline = pawOutline.map(({ x, y }) => onPaw(leg, point(x * paw.length, y)))
  return {
    leg,
    limb: { id, d: limbOutline(samples) },
    foot: { id: `${id}-paw`, d: blob(outline) },
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
  const both = (color: string, attributes?: string) => fill(limb, color, attributes) + fill(foot, color, attributes)
  const sock = `${drawSock(shape, palette.paleShade)}<g ${light}>${drawSock(shape, palette.pale)}</g>`
  return [
    leg.overHaunch ? drawFootLine(palette.line, shape) : '',
    both(palette.coat),
    inside([limb, foot], both(palette.shade) + both(palette.coat, light) + (traits.socks ? sock : '')),
    drawToes(leg, palette.line),
  ].join('')
}

/** The outline of a foot that lies in front of the thigh: it ends before the heel, which belongs to the thigh. */
function drawFootLine(line: string, { limb, foot, leg }: LegShape): string {
  const reach = Math.abs(leg.paw.at.x - (leg.joints[0]?.x ?? 0)) * 0.56
  const { x, y } = leg.paw.at
  const ahead: SvgShape = {
    id: `${limb.id}-line`,
    d: `M${num(x - reach)} ${num(y - 90)}h${num(reach * 2)}v84h${num(-reach * 2)}Z`,
  }
  return define(ahead) + inside([ahead], contour([limb, foot], line, lineWidth * 0.8))
}

/** Broader than the leg, because it is clipped to it. */
function drawSock({ sock, leg }: LegShape, color: string): string {
  const width = Math.max(...sock.map(({ radius }) => radius)) * 2 + 6
  const foot = ellipse(onPaw(leg, point(9, -20)), 50 * leg.paw.scale, 42 * leg.paw.scale, color)
  return stroke(`M${sock.map(xy).join('L')}`, color, width) + foot
}

function drawToes(leg: Leg, color: string): string {
  const lines = toes.map((toe) => `M${toe.map((end) => xy(onPaw(leg, end))).join('L')}`)
  return stroke(lines.join(''), color, lineWidth)
}

/** Returns the place of a point of the paw, relative to the paw's contact with the ground. */
function onPaw({ paw }: Leg, { x, y }: Point): Point {
  const turned = turn(point(x * paw.scale, y * paw.scale), paw.degrees)
  return shift(paw.at, turned.x, turned.y)
}
