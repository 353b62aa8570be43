import type { Look } from '../look.js'
import { point } from '../rig/points.js'
import { crescent, define, ellipse, fill, inside, path, type SvgShape, stroke } from '../rig/svg.js'
import { drawEye, lineAround, outlined, placeHead, rotated } from './eyes.js'
import { drawHeadRim, type LitLook } from './rim.js'
import { lineWidth, type Stance } from './stance.js'

const skull: SvgShape = {
  id: 'skull',
  d: 'M2-70C44-72 80-46 87-8Q96 8 108 14Q98 20 91 20Q96 32 103 38Q90 44 78 41C60 66 32 74 4 74C-26 74-56 66-74 41Q-86 44-99 38Q-91 32-87 20Q-94 20-104 14Q-92 8-83-8C-76-46-42-72 2-70Z',
}
const nearEar = 'M-86-8C-99-54-96-96-87-119Q-81-126-74-120C-48-104-22-84-6-62Z'
const nearEarInside = 'M-76-26C-85-58-84-84-79-100C-60-88-42-74-32-62Z'
const farEar = 'M90-8C103-54 101-96 92-119Q86-126 79-120C54-104 28-84 12-62Z'
const farEarInside = 'M80-26C89-58 88-84 83-100C64-88 48-74 38-62Z'
const muzzle = 'M4 12C20 10 32 18 40 28C50 42 40 58 20 60C14 68-6 68-12 60C-32 58-42 42-32 28C-24 18-12 10 4 12Z'
const forehead = 'M-8-74L-1-32Q4-26 9-32L16-74ZM-42-70L-26-36Q-19-33-15-41L-24-74ZM50-70L34-36Q27-33 23-41L32-74Z'
const cheeks =
  'M-101 15L-62 8Q-58 13-64 17ZM-94 36L-58 26Q-52 30-58 35ZM105 15L66 8Q62 13 68 17ZM98 36L62 26Q56 30 62 35Z'
const blaze = 'M-4-72C-2-40-8-10-22 14H30C16-10 10-40 12-72Z'
const patch = 'M12-72C50-72 84-46 88-6C84 22 66 32 46 28C20 22 8-20 12-72Z'

/** A cat's head from the front, turned slightly to the right. */
export function drawCatHead(look: LitLook, stance: Stance): string {
  const { palette, traits } = look
  const { face } = stance
  const ear = (outline: string, within: string) =>
    outlined(outline, palette.coat, palette.line) + path(within, palette.ear)
  const drawing = [
    define(skull),
    rotated(-face.ears * 0.2, 50, -50, ear(farEar, farEarInside)),
    rotated(-face.ears * 0.35 - face.twitch, -46, -50, ear(nearEar, nearEarInside)),
    fill(skull, palette.coat, lineAround(palette.line)),
    inside(
      [skull],
      crescent(skull, -6, -13, palette.ink, 'fill-opacity=".1"') +
        crescent(skull, 4, 9, palette.lit) +
        drawHeadMarkings(look) +
        drawHeadRim(look, stance, skull),
    ),
    traits.bib ? path(muzzle, palette.pale) : path(muzzle, palette.lit),
    drawEye(palette, { at: point(-36, -4), rx: 23, ry: 24, open: face.eyes, gaze: face.gaze, pupil: [0.38, 0.72] }),
    drawEye(palette, { at: point(45, -4), rx: 22, ry: 24, open: face.eyes, gaze: face.gaze, pupil: [0.38, 0.72] }),
    drawNoseAndMouth(look),
    drawWhiskers(look),
  ]
  return placeHead('cat', stance, drawing.join(''))
}

function drawHeadMarkings({ palette, traits }: Look): string {
  if (traits.pattern === 'stripes') return path(forehead + cheeks, palette.mark)
  if (traits.pattern === 'patches' && !traits.socks) return path(patch, palette.mark)
  return traits.blaze ? path(blaze, palette.pale) : ''
}

function drawNoseAndMouth({ palette }: Look): string {
  const nose = path('M-8 20Q4 14 16 20Q18 27 4 34Q-10 27-8 20Z', palette.nose)
  const mouth = stroke('M4 34V41M4 41Q-6 52-19 45M4 41Q14 52 27 45', palette.line, lineWidth)
  return nose + ellipse(point(0, 21), 4, 2, '#fff', 'fill-opacity=".5"') + mouth
}

function drawWhiskers({ palette }: Look): string {
  const left = 'M-38 34Q-74 24-112 28M-38 41Q-76 40-114 48M-34 47Q-64 54-98 68'
  const right = 'M46 34Q82 24 120 28M46 41Q84 40 122 48M42 47Q72 54 106 68'
  return stroke(left + right, palette.whisker, 2.4, 'stroke-opacity=".9"')
}
