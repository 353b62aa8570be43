import type { Look } from '../look.js'
import { point, points } from '../rig/points.js'
import { blob } from '../rig/shapes.js'
import { crescent, define, ellipse, fill, inside, num, path, type SvgShape, stroke } from '../rig/svg.js'
import type { Ears } from '../traits.js'
import { drawEye, lineAround, outlined, placeHead, rotated } from './eyes.js'
import { drawHeadRim, type LitLook } from './rim.js'
import { type Face, lineWidth, type Stance } from './stance.js'

const skull: SvgShape = {
  id: 'skull',
  d: blob(points('-78,6 -74,-44 -36,-80 18,-86 62,-64 80,-20 72,34 36,68 -20,72 -62,52')),
}
const muzzle: SvgShape = {
  id: 'muzzle',
  d: blob(points('4,14 36,-8 78,-10 112,4 122,32 104,56 62,66 20,60 0,40')),
}
/** Ends at the upper lip, because the lower jaw is a shape of its own. */
const openMuzzle: SvgShape = {
  id: 'muzzle',
  d: blob(points('4,14 36,-8 78,-10 112,4 121,28 106,44 70,52 34,50 6,40')),
}
const nose = blob(points('80,-4 100,-16 122,-8 125,6 108,20 88,12'))
const blaze = 'M22-88Q34-40 40-8Q20 2 8 22L72 26Q66-30 48-84Z'
const patch = 'M-80-50C-40-92 18-92 24-60C30-20 24 14-4 18C-40 22-70 0-80-50Z'

/** A dog's head, turned three quarters to the right. */
export function drawDogHead(look: LitLook, stance: Stance): string {
  const { palette, traits } = look
  const { face } = stance
  const isOpen = face.pant > 0.05
  const snout = isOpen ? openMuzzle : muzzle
  const marks =
    (traits.pattern === 'patches' && !traits.socks ? path(patch, palette.mark) : '') +
    (traits.blaze ? path(blaze, palette.pale) : '')
  const drawing = [
    define(skull, snout),
    drawFarEar(look, face),
    fill(skull, palette.coat, lineAround(palette.line)),
    fill(snout, palette.coat, lineAround(palette.line)),
    fill(skull, palette.coat),
    inside(
      [skull],
      marks +
        crescent(skull, -7, -14, palette.ink, 'fill-opacity=".1"') +
        crescent(skull, 4, 9, palette.lit) +
        drawHeadRim(look, stance, skull),
    ),
    isOpen ? drawJaw(look, face.pant) : '',
    drawMuzzle(look, snout),
    drawEye(palette, { at: point(4, -18), rx: 16, ry: 18, open: face.eyes, gaze: face.gaze, pupil: [0.62, 0.62] }),
    drawEye(palette, { at: point(68, -22), rx: 13, ry: 16, open: face.eyes, gaze: face.gaze, pupil: [0.62, 0.62] }),
    drawBrows(look),
    drawNearEar(look, face),
  ]
  return placeHead('dog', stance, drawing.join(''))
}

/** Lines, or the pale spots of a black and tan dog. */
function drawBrows({ palette, traits }: Look): string {
  if (traits.brows) {
    return path('M-14-44C-10-58 12-60 20-48C12-40-6-38-14-44ZM60-48C64-60 78-60 82-48C78-42 66-40 60-48Z', palette.pale)
  }
  return stroke('M-14-46Q2-58 18-50M60-50Q70-56 80-46', palette.line, 5, 'stroke-opacity=".55"')
}

function drawMuzzle({ palette, traits }: Look, snout: SvgShape): string {
  const color = traits.bib ? palette.pale : palette.lit
  const lips =
    snout === openMuzzle
      ? 'M106 18V44M121 27Q118 43 102 46Q68 56 36 49Q24 45 20 34'
      : 'M106 20V34Q100 48 80 48Q56 48 40 36M106 34Q110 44 119 40'
  return [
    fill(snout, color),
    inside([snout], crescent(snout, -4, -11, traits.bib ? palette.paleShade : palette.shade)),
    stroke(lips, palette.line, lineWidth),
    path(nose, palette.nose),
    ellipse(point(104, -7), 7, 3.6, '#fff', 'fill-opacity=".55"'),
    stroke('M52 26h.1M62 34h.1M70 24h.1', palette.line, 4, 'stroke-opacity=".5"'),
  ].join('')
}

/** The open mouth below the upper lip: the lower jaw, its inside, and the tongue over it. */
function drawJaw({ palette, traits }: Look, pant: number): string {
  const drop = 10 + 18 * pant
  const y = (from: number, part = 1) => num(from + drop * part)
  const jaw = `M22 40C24 ${y(58, 0.7)} 44 ${y(68)} 70 ${y(68)}C94 ${y(68)} 107 ${y(54, 0.6)} 109 38Z`
  const mouth = `M30 44C34 ${y(52, 0.7)} 48 ${y(60)} 70 ${y(60)}C88 ${y(60)} 101 ${y(50, 0.6)} 103 40Z`
  const tongue = `M52 54C46 ${y(64)} 50 ${y(78, 1.5)} 68 ${y(80, 1.6)}C86 ${y(80, 1.5)} 92 ${y(64)} 88 50Z`
  return [
    outlined(jaw, traits.bib ? palette.paleShade : palette.shade, palette.line),
    path(mouth, palette.mouth),
    path(tongue, palette.tongue, `stroke="${palette.mouth}" stroke-width="3"`),
    stroke(`M71 58V${y(66)}`, palette.mouth, 3, 'stroke-opacity=".4"'),
  ].join('')
}

interface EarShape {
  readonly outline: string
  readonly inside?: string
  /** The part that hangs over the head. */
  readonly flap?: string
}

const near: Readonly<Record<Ears, EarShape>> = {
  floppy: { outline: 'M-30-78C-62-90-88-66-100-26C-110 10-108 52-88 62C-66 70-50 44-44 10C-40-18-26-46-30-78Z' },
  pricked: {
    outline: 'M-82-2C-93-74-86-128-74-150Q-68-156-62-150C-38-130-14-104 2-72',
    inside: 'M-66-44C-74-82-72-110-67-126C-48-110-32-92-22-70Z',
  },
  folded: {
    outline: 'M-82-2C-90-60-82-104-64-120C-40-114-12-96 2-72',
    flap: 'M-70-116C-50-130-16-118-2-88C6-68 4-46-4-34C-16-50-48-66-70-116Z',
  },
}

const far: Readonly<Record<Ears, EarShape>> = {
  floppy: { outline: 'M48-78C74-88 92-66 100-36C106-6 104 22 92 28C80 32 70 8 68-14C66-38 46-50 48-78Z' },
  pricked: {
    outline: 'M34-78C48-114 62-138 76-148Q82-152 86-146C98-116 98-76 84-36Z',
    inside: 'M50-76C60-104 68-120 77-128C84-106 84-80 76-52Z',
  },
  folded: {
    outline: 'M34-78C46-106 62-120 74-120C90-106 94-70 84-36Z',
    flap: 'M68-122C86-126 104-104 106-84C108-66 104-54 100-48C92-62 72-80 68-122Z',
  },
}

/** Ears are slightly darker than the head, so that they are visible on any coat. */
function drawNearEar(look: Look, { ears, twitch }: Face): string {
  return rotated(
    look.traits.ears === 'floppy' ? ears + twitch * 0.7 : -ears * 0.8 - twitch,
    -40,
    -66,
    drawEar(look, near),
  )
}

function drawFarEar(look: Look, { ears }: Face): string {
  return rotated(look.traits.ears === 'floppy' ? -ears * 0.8 : -ears * 0.6, 62, -66, drawEar(look, far))
}

function drawEar({ palette, traits }: Look, shapes: typeof near): string {
  const { outline, inside, flap } = shapes[traits.ears]
  const dark =
    traits.pattern === 'saddle' || traits.pattern === 'spots' || (traits.pattern === 'patches' && !traits.socks)
      ? palette.mark
      : palette.far
  return [
    outlined(outline, traits.ears === 'floppy' ? dark : palette.coat, palette.line),
    inside ? path(inside, palette.ear) : '',
    flap ? outlined(flap, dark, palette.line) : '',
  ].join('')
}
