import { hills } from '../../backdrop/nature.js'
import { hues, width } from '../../backdrop/stage.js'
import { path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, glow } from '../marks.js'
import { fir, hillColour, landColour, leafyTree, shrub } from '../plants.js'
import { isDark, isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { weathers } from '../weather.js'

const air = (kit: Kit) => weathers[kit.setting.weather](kit, false)

/** A garden behind a white fence. */
export function garden(kit: Kit, view: string): string {
  return [
    drawSky(kit, 640),
    view,
    hills(hillColour(kit, 0.5), 520, 130),
    leafyTree(kit, 118, 690, 1.35, 0),
    leafyTree(kit, 936, 690, 1.1, 1),
    air(kit),
    rect(0, 690, width, 90, landColour(kit)),
    fence(kit),
    shrub(kit, 60, 742, 0.95),
    shrub(kit, 884, 744, 1.05),
  ].join('')
}

function fence(kit: Kit): string {
  const shade = kit.tone(0.86, 0.02, hues.sky)
  const pickets = Array.from({ length: 15 }, (_, index) => `M${index * 74 - 20} 744V596l21-24l21 24V744Z`)
  const caps = Array.from({ length: 15 }, (_, index) => `M${index * 74 - 24} 604q-2-16 25-38q27 22 25 38q-25-12-50 0Z`)
  const rails = rect(0, 618, width, 18, shade) + rect(0, 690, width, 18, shade)
  const white = kit.tone(0.985, 0.004, hues.sky)
  const snow = isSnowy(kit.setting)
    ? path(caps.join(''), kit.tone(0.97, 0.012, hues.sky), `stroke="${shade}" stroke-width="2"`)
    : ''
  return rails + path(pickets.join(''), white, `stroke="${shade}" stroke-width="3"`) + snow
}

/** Trees, a bench and a lamp. */
export function park(kit: Kit, view: string): string {
  return [
    drawSky(kit, 660),
    view,
    hills(hillColour(kit, 0.6), 500, 150),
    ...[40, 250, 390, 560, 700, 850, 990].map((x, index) =>
      leafyTree(kit, x, 694, 0.62 + (index % 3) * 0.1, index + 1),
    ),
    air(kit),
    leafyTree(kit, 176, 706, 1.35, 0),
    leafyTree(kit, 470, 706, 1.05, 2),
    leafyTree(kit, 800, 706, 1.2, 0),
    rect(0, 690, width, 100, landColour(kit)),
    bench(kit),
    lamp(kit, 962),
    shrub(kit, 330, 756, 0.7),
  ].join('')
}

function bench(kit: Kit): string {
  const wood = kit.tone(0.62, 0.085, hues.wood)
  const iron = kit.tone(0.45, 0.02, hues.sky)
  const legs = stroke('M-92-48V4M92-48V4M-92-50V-112M92-50V-112', iron, 9)
  const planks = [-116, -94, -58].map((y) => rect(-112, y, 224, 16, wood, 'rx="5"')).join('')
  const snow = isSnowy(kit.setting) ? rect(-114, -128, 228, 16, kit.tone(0.97, 0.012, hues.sky), 'rx="8"') : ''
  return at(150, 762, legs + planks + snow)
}

export function lamp(kit: Kit, x: number): string {
  const iron = kit.tone(0.5, 0.03, hues.sky)
  const lit = isDark(kit.setting)
  const light = lit ? '#ffe9a3' : kit.tone(0.95, 0.05, hues.sun, 0)
  return [
    stroke(`M${x} 762V500`, iron, 11),
    rect(x - 16, 744, 32, 18, iron, 'rx="4"'),
    lit ? glow(`lamp${x}`, x, 466, 170, '#ffdf8f', 0.75) : '',
    path(`M${x - 26} 442H${x + 26}L${x + 18} 500H${x - 18}Z`, light),
    path(`M${x - 34} 444Q${x} 408 ${x + 34} 444Z`, iron),
  ].join('')
}

/** Open land below hills. */
export function field(kit: Kit, view: string): string {
  const winter = kit.setting.season === 'winter'
  const row = [60, 150, 300, 420, 640, 720, 880, 980].map((x, index) =>
    winter ? fir(kit, x, 706, 0.5 + (index % 3) * 0.14, 0.3) : leafyTree(kit, x, 704, 0.5 + (index % 3) * 0.1, index),
  )
  return [
    drawSky(kit, 660),
    view,
    hills(hillColour(kit, 0.8), 460, 160),
    hills(hillColour(kit, 0.4), 580, 110, 1),
    ...row,
    air(kit),
    rect(0, 698, width, 90, landColour(kit, -0.01)),
  ].join('')
}
