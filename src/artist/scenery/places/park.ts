import { oval, path, rect, stroke } from '../../rig/svg.js'
import { hillColor, hillRange, hues, type Kit, landColor, row, type Thing } from '../kit.js'
import { at, band, glow } from '../marks.js'
import { bush, leafyTree } from '../plants.js'
import { isDark, isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

/** Trees, a bench and a lamp. */
export function park(kit: Kit, view: string): string {
  const far = [40, 250, 390, 560, 700, 850, 990].map(
    (x, index): Thing => [x, () => leafyTree(kit, x, 694, 0.62 + (index % 3) * 0.1, index + 1, 0.6)],
  )
  const near = [
    [176, 1.35, 0],
    [470, 1.05, 2],
    [800, 1.2, 0],
  ] as const
  const trees = near.map(([x, size, which]): Thing => [x, () => leafyTree(kit, x, 706, size, which)])
  const shade = landColor(kit, 0.07)
  const shades = near.map(([x, size]): Thing => [x, () => oval(x, 712, 96 * size, 10 * size, shade)])
  // Where the lamps of a park that passes stand; in a still picture, the lamp is at its edge.
  const lampAt = kit.travel > 0 ? 460 : 962
  const things: Thing[] = [
    [150, () => bench(kit)],
    [330, () => bush(kit, 330, 756, 0.7)],
    [lampAt, () => lamp(kit, lampAt)],
  ]
  return [
    drawSky(kit, 660),
    view,
    hillRange(kit, hillColor(kit, 0.6), 500, 150),
    row(kit, 'far-trees', 0.75, far),
    drawWeather(kit),
    row(kit, 'trees', 0.9, trees),
    band(690, 100, landColor(kit)),
    row(kit, 'shades', 0.9, shades),
    row(kit, 'things', 1, things),
  ].join('')
}

function bench(kit: Kit): string {
  const wood = kit.tone(0.62, 0.085, hues.wood)
  const drawing = [
    stroke('M-92-112V4M92-112V4', kit.tone(0.45, 0.02, hues.sky), 9),
    stroke('M-106-108H106M-106-86H106M-106-50H106', wood, 15),
    isSnowy(kit.setting) ? rect(-114, -128, 228, 16, kit.snow, 'rx="8"') : '',
  ]
  return at(150, 762, drawing.join(''))
}

/** A street lamp. */
export function lamp(kit: Kit, x: number): string {
  const iron = kit.tone(0.5, 0.03, hues.sky)
  const lit = isDark(kit.setting)
  return [
    stroke(`M${x} 762V500`, iron, 11),
    rect(x - 16, 744, 32, 18, iron, 'rx="4"'),
    lit ? glow('lamp', x, 466, 170, '#ffdf8f', 0.75) : '',
    path(`M${x - 26} 442H${x + 26}L${x + 18} 500H${x - 18}Z`, lit ? '#ffe9a3' : kit.tone(0.95, 0.05, hues.sun, 0)),
    path(`M${x - 34} 444Q${x} 408 ${x + 34} 444Z`, iron),
  ].join('')
}
