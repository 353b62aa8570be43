import type { Look } from '../look.js'
import { distance, frameOf, mix, shift } from '../rig/points.js'
import { ellipse, inside, num, type SvgShape, stroke, xy } from '../rig/svg.js'
import type { Stance } from './stance.js'

const gold = { light: '#f6cd57', dark: '#cf9526', line: '#8a5f14' }

/** A collar around the base of the neck with a tag; a cat has a bell. */
export function drawCollar({ palette, species }: Look, { neck }: Stance, outline: SvgShape): string {
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
