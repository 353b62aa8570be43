import type { Tone } from '../../rig/oklab.js'
import { path, rect, stroke } from '../../rig/svg.js'
import { groundColours } from '../grounds/colours.js'
import { hues, type Kit } from '../kit.js'
import { at, band, gradient, pawPrint } from '../marks.js'
import { drawOutside } from '../window.js'

/** A vet's room in pale green: shelves with jars, a height chart, a cross with a paw, a cupboard. */
export function clinic(kit: Kit, view: string): string {
  const white = kit.tone(0.98, 0.006, hues.sky)
  const cross = 'M-26-78H26V-26H78V26H26V78H-26V26H-78V-26H-26Z'
  return [
    band(700, 100, groundColours.floor(kit)),
    gradient('wall', kit.tone(0.92, 0.035, 2.9, 0.05), kit.tone(0.95, 0.03, 2.9, 0.05)),
    band(0, 736, 'url(#wall)'),
    band(470, 14, kit.tone(0.82, 0.06, 2.9, 0.05)),
    drawOutside(kit, { x: 70, y: 120, width: 250, height: 230 }, view),
    stroke('M70 120H320V350H70ZM195 120V350', white, 14),
    shelf(kit),
    at(876, 196, path(cross, kit.tone(0.7, 0.12, 2.8, 0)) + pawPrint('#fff')),
    heightChart(kit),
    cupboard(kit),
    band(686, 22, white),
  ].join('')
}

function shelf(kit: Kit): string {
  const jars: readonly (readonly [x: number, height: number, tone: Tone])[] = [
    [776, 60, [0.75, 0.1, 4.2]],
    [826, 44, [0.8, 0.12, 1.5]],
    [880, 66, [0.7, 0.12, 0.4]],
    [936, 50, [0.75, 0.11, 2.6]],
  ]
  const lid = kit.tone(0.97, 0.006, 1)
  const drawn = jars.map(
    ([x, height, [l, c, h]]) =>
      rect(x, 372 - height, 38, height, kit.tone(l, c, h, 0.05), 'rx="7"') +
      rect(x + 3, 362 - height, 32, 13, lid, 'rx="4"'),
  )
  return drawn.join('') + rect(756, 372, 240, 16, kit.tone(0.72, 0.06, hues.wood), 'rx="4"')
}

function heightChart(kit: Kit): string {
  const marks = [0, 1, 2, 3, 4, 5, 6, 7].map((step) => `M404 ${300 + step * 36}h${step % 2 ? 20 : 34}`)
  const paper = rect(396, 270, 62, 320, kit.tone(0.97, 0.02, 1.6), 'rx="6"')
  return paper + stroke(marks.join(''), kit.tone(0.65, 0.1, 2.8), 6)
}

function cupboard(kit: Kit): string {
  const line = kit.tone(0.82, 0.03, 2.9)
  return [
    rect(0, 540, 330, 150, kit.tone(0.97, 0.008, hues.sky)),
    rect(0, 526, 342, 18, kit.tone(0.8, 0.05, 2.9), 'rx="4"'),
    stroke('M110 552V680M220 552V680', line, 4),
    stroke('M92 590V616M128 590V616M238 590V616', line, 7),
  ].join('')
}
