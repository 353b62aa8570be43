import { points } from '../../rig/points.js'
import { oval, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { at, eye, glow, shadow, spread } from '../marks.js'
import { bloom, leaves } from '../plants.js'
import { isDark, isIndoors } from '../setting.js'

const flowerHeads = points('-54,-194 0,-226 54,-198 -92,-130 90,-136 -24,-150 28,-146')

/** A bed of flowers; indoors they are in a vase. */
export function flowers(kit: Kit): string {
  const green = kit.thing(0.58, 0.12, 2.35)
  const stems = 'M0-90Q-10-150-52-186M0-90Q-4-160-2-218M0-90Q10-150 50-190M-10-60Q-50-100-88-122M10-60Q50-100 86-128'
  const blooms = flowerHeads.map(({ x, y }, index) => bloom(kit, x, y, index < 3 ? 18 : 15, index))
  if (isIndoors(kit.setting)) {
    const vase = path('M-34-110H34Q22-88 44-56Q56 0 24 2H-24Q-56 0-44-56Q-22-88-34-110Z', kit.thing(0.72, 0.1, 4.1))
    const gleam = stroke('M-24-90Q-34-60-36-40Q-34-16-26-8', '#fff', 7, 'stroke-opacity=".6"')
    return shadow(50) + stroke(stems, green, 7) + vase + gleam + blooms.join('')
  }
  const bed = [
    stroke('M0 0V-90M-10 0V-60M10 0V-60', green, 8),
    stroke(stems, green, 7),
    path('M-4-70Q-60-60-74-96Q-24-104-4-70ZM4-70Q60-60 74-96Q24-104 4-70Z', green),
    stroke('M-120 0Q-116-30-120-56M-66 0Q-62-30-66-56M66 0Q70-30 66-56M118 0Q122-30 118-56', green, 6),
    ...[-120, -66, 66, 118].map((x, index) => bloom(kit, x, -64, 15, index + 1)),
    ...blooms,
  ]
  return at(0, 0, bed.join(''), 0.8)
}

export function leafPile(kit: Kit): string {
  const heap = path('M-150 4C-140-50-90-70-60-92C-20-130 40-124 66-84C104-66 146-40 152 4Z', kit.thing(0.66, 0.14, 0.9))
  const lying = spread(34, { x: -134, y: -96, width: 270, height: 98 })
  const flying = points('110,-140 -90,-150 40,-190').map(({ x, y }, index) => ({ x, y, index }))
  const spots = [...lying.filter(({ x, y }) => y > -104 + Math.abs(x) * 0.62), ...flying]
  return shadow(150) + heap + leaves(kit, 'pile', spots, 0.8)
}

/** Water below the feet, with splashes. */
export function puddle({ thing }: Kit): string {
  const drops = 'M-160-60l-20-40M-110-74l-8-56M110-74l14-54M164-60l30-40M-200-30l-34-18M204-30l36-16'
  return at(
    470,
    838,
    [
      oval(0, 0, 330, 50, thing(0.74, 0.06, 4.2)),
      oval(0, -3, 312, 42, thing(0.83, 0.05, 4.15)),
      oval(-60, 0, 170, 20, 'none', 'stroke="#fff" stroke-width="5" stroke-opacity=".75"'),
      oval(140, 8, 90, 12, 'none', 'stroke="#fff" stroke-width="4" stroke-opacity=".75"'),
      stroke(drops, thing(0.88, 0.05, 4.15), 13),
    ].join(''),
  )
}

export function sprinkler({ thing }: Kit): string {
  const jets =
    'M0-84Q-70-420-190-300M0-84Q-30-520-110-480M0-84Q30-620 150-560M0-84Q100-560 330-430M0-84Q140-440 480-240'
  return [
    shadow(60),
    stroke(jets, thing(0.76, 0.1, 4.15), 15, 'stroke-dasharray="1 30"'),
    stroke(jets, '#fff', 9, 'stroke-opacity=".95" stroke-dasharray="22 26" stroke-dashoffset="-9"'),
    stroke('M-56 0H56M-34 0L0-50L34 0', thing(0.52, 0.14, 2.7), 13),
    stroke('M0-50V-80', thing(0.4, 0.03, 4.2), 17),
    stroke('M-26-82H26', thing(0.78, 0.15, 1.5), 17),
  ].join('')
}

export function snowman({ thing, accent, accentDark }: Kit): string {
  const snow = '#fbfdff'
  const shade = thing(0.86, 0.03, 4.2)
  const twig = thing(0.42, 0.05, 1)
  const coal = '#2c2a33'
  const globe = (y: number, r: number) => oval(0, y, r, r * 0.94, shade) + oval(-5, y - 5, r - 7, r * 0.94 - 7, snow)
  return [
    shadow(112),
    stroke('M-66-190L-128-244M-108-226L-112-256M-104-224L-134-222M66-190L120-250M104-232L132-236', twig, 10),
    globe(-78, 92) + globe(-200, 70) + globe(-302, 54),
    path('M-58-246Q0-218 58-246L62-222Q0-192-62-222Z', accent),
    path('M18-222L56-226L66-146L34-142Z', accentDark),
    path('M-6-304L-74-290L-6-286Z', thing(0.74, 0.17, 1)),
    eye(-24, -322, 7) + eye(14, -322, 7),
    stroke('M-22-276h.1M-10-270h.1M4-270h.1M16-276h.1', coal, 8),
    stroke('M-6-196h.1M-6-166h.1M-6-110h.1M-6-72h.1', coal, 14),
    path('M-42-344H42V-412Q0-424-42-412Z', coal),
    rect(-68, -352, 136, 16, coal, 'rx="8"'),
    rect(-42, -370, 84, 18, accent),
  ].join('')
}

export function sandcastle({ thing }: Kit): string {
  const [sand, dark] = [thing(0.82, 0.085, 1.4), thing(0.72, 0.085, 1.35)]
  const battlement = (x: number, y: number) => `M${x} ${y}v-22h14v12h12v-12h14v12h12v-12h14v22Z`
  return [
    shadow(140),
    path('M-140 4Q-120-30-80-34H80Q124-30 142 4Z', dark),
    path(
      `M-92-10V-120H-26V-10ZM26-10V-120H92V-10ZM-34-10V-170H34V-10Z${battlement(-92, -120)}${battlement(26, -120)}${battlement(-33, -170)}`,
      sand,
    ),
    path('M16-10V-170H34V-120H92V-10H74V-104H34V-10Z', dark, 'fill-opacity=".7"'),
    path('M-16-10V-44Q0-66 16-44V-10ZM-66-70h12v22h-12ZM54-70h12v22h-12Z', thing(0.5, 0.06, 1.2)),
    stroke('M0-192V-262', thing(0.5, 0.06, 1.1), 6),
    path('M3-262L60-242L3-222Z', thing(0.64, 0.19, 0.5)),
  ].join('')
}

export function tent({ thing, setting }: Kit): string {
  const lit = isDark(setting)
  const [side, front] = [thing(0.6, 0.13, 3), thing(0.7, 0.14, 2.9)]
  return [
    lit ? glow('tentlight', 220, 600, 330, '#ffd98a', 0.6) : '',
    path('M210 320L400 380L560 744H420Z', side),
    path('M210 320L30 744H420Z', front),
    path('M214 420L130 744H310Z', lit ? '#ffdf8e' : thing(0.35, 0.05, 3)),
    path('M214 420L130 744Q190 700 204 560ZM214 420L310 744Q250 700 226 560Z', thing(0.52, 0.12, 3)),
    stroke('M210 320L-10 700M400 380L620 720M210 320V300', thing(0.9, 0.02, 1.5), 5),
  ].join('')
}

/** Three flames on crossed logs. */
export function fire(x: number, y: number, scale: number): string {
  const flame =
    'M-56-22C-80-90-30-110-36-170C-4-150 6-120 8-104C20-130 22-160 14-196C70-150 56-104 60-92C68-100 70-112 68-122C92-80 80-42 58-22Z'
  const drawing = [
    stroke('M-70-2L64-30M-64-30L70-2', '#6b432c', 26),
    path(flame, '#ff8a2b'),
    at(0, -9, path(flame, '#ffc247'), 0.6),
    path('M-14-22C-18-50 2-58 4-78C24-56 22-36 16-22Z', '#fff0a8'),
  ]
  return at(x, y, drawing.join(''), scale)
}

export function campfire(): string {
  const stones = [-84, -48, -8, 34, 76].map((x) => oval(x, 6, 24, 15, '#7c7a84'))
  return glow('firelight', 0, -70, 300, '#ffa640', 0.75) + fire(0, 0, 1) + stones.join('')
}
