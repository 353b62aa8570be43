import { num, oval, path, stroke } from '../../rig/svg.js'
import { hillColor, hillRange, hues, type Kit, landColor } from '../kit.js'
import { at, band } from '../marks.js'
import { bush, leafyTree } from '../plants.js'
import { isSnowy } from '../setting.js'
import { drawSky } from '../sky.js'
import { drawWeather } from '../weather.js'

/** A garden behind a white fence. */
export function garden(kit: Kit, view: string): string {
  return [
    drawSky(kit, 640),
    view,
    hillRange(kit, hillColor(kit, 0.5), 520, 130),
    leafyTree(kit, 118, 690, 1.35, 0),
    leafyTree(kit, 936, 690, 1.1, 1),
    drawWeather(kit),
    band(690, 90, landColor(kit)),
    fence(kit),
    // On a hot day, a large tree shades the lawn; `grass` draws its shadow.
    kit.setting.weather === 'heat' ? leafyTree(kit, 96, 752, 2.9, 1) : bush(kit, 60, 742, 0.95),
    bush(kit, 884, 744, 1.05),
    butterfly(kit),
  ].join('')
}

function fence(kit: Kit): string {
  const shade = kit.tone(0.86, 0.02, hues.sky)
  const pickets = Array.from({ length: 15 }, (_, index) => `M${index * 74 - 20} 744V596l21-24l21 24V744Z`)
  const caps = Array.from({ length: 15 }, (_, index) => `M${index * 74 - 24} 604q-2-16 25-38q27 22 25 38q-25-12-50 0Z`)
  return [
    band(618, 18, shade),
    band(690, 18, shade),
    path(pickets.join(''), kit.tone(0.985, 0.004, hues.sky), `stroke="${shade}" stroke-width="3"`),
    isSnowy(kit.setting) ? path(caps.join(''), kit.snow, `stroke="${shade}" stroke-width="2"`) : '',
  ].join('')
}

/** On a fine day in a garden without other things, a butterfly flies a figure of eight, its wings beating. */
function butterfly({ setting, phase, accent, accentDark }: Kit): string {
  const { season, weather, time, props } = setting
  if (season !== 'summer' || weather !== 'sun' || time !== 'day' || props.length > 0) return ''
  const turn = 2 * Math.PI * phase
  const beat = 0.74 + 0.26 * Math.cos(turn * 10)
  const wing = 'M0 0C10-44 62-50 58-16C56 2 24 8 0 0C28 4 46 20 38 36C28 52 4 30 0 0Z'
  const wings = [1, -1].map((side) => path(wing, accent, `transform="scale(${num(side * beat)} 1)"`))
  const body = stroke('M0-18V30', accentDark, 7) + oval(0, -22, 6, 6, accentDark)
  const [x, y] = [262 + 46 * Math.sin(turn), 400 + 26 * Math.sin(2 * turn)]
  return at(x, y, wings.join('') + body, 1.25, 14 + 8 * Math.sin(turn))
}
