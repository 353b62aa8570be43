import { num, oval, path, rect, stroke } from '../../rig/svg.js'
import { hillColor, hillRange, hues, type Kit, landColor, passing, row, type Thing } from '../kit.js'
import { at, band, glow, gradient } from '../marks.js'
import { bush, fir, leafyTree } from '../plants.js'
import { sailingBoat } from '../props/travel.js'
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
  // A park that passes has no lamp: its post would be cut up by the pet.
  const things: Thing[] = [
    [150, () => bench(kit)],
    [330, () => bush(kit, 330, 756, 0.7)],
    [962, () => lamp(kit, 962)],
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

/** Tall trunks, ferns, and beams of light on a clear day. */
export function forest(kit: Kit, view: string): string {
  const { season, weather } = kit.setting
  const [l, c, h] = season === 'autumn' ? [0.7, 0.13, 1.2] : season === 'winter' ? [0.84, 0.02, 4] : [0.62, 0.1, 2.4]
  const beams = weather === 'sun' && !isDark(kit.setting)
  return [
    drawSky(kit, 730),
    ...[40, 150, 262, 380, 500, 612, 730, 850, 970].map((x, index) =>
      fir(kit, x, 716, 1.02 + (index % 3) * 0.22, 0.85),
    ),
    ...[100, 330, 560, 690, 920].map((x, index) => fir(kit, x, 716, 0.8 + (index % 2) * 0.25, 0.4)),
    drawWeather(kit),
    beams ? path('M120 0H250L420 720H170ZM470 0H560L800 720H600Z', '#fff8d0', 'fill-opacity=".28"') : '',
    trunk(kit, 60, 1) + trunk(kit, 300, 0.8) + trunk(kit, 968, 1.1),
    path(foliage(176, 10, 0), kit.tone(l - 0.04, c * 0.9, h)),
    path(foliage(112, 8, 1), kit.tone(l + 0.01, c, h)),
    path(foliage(50, 8, 2), kit.tone(l + 0.06, c, h + 0.04)),
    view,
    band(700, 90, landColor(kit, 0.05)),
    ...[-4, 196, 420, 640, 840, 1020].map((x, index) => fern(kit, x, 742 + (index % 2) * 12)),
  ].join('')
}

/** Leaves from the upper edge down to about `y`, in clumps that end round. */
function foliage(y: number, clumps: number, seed: number): string {
  const edge = Array.from({ length: clumps }, (_, clump) => {
    const wide = (1144 / clumps) * ((clump + seed) % 2 ? 1.25 : 0.75)
    const deep = 40 + ((clump * 5 + seed * 3) % 4) * 9
    return `a${num(wide / 2)} ${deep} 0 0 0 ${num(wide)} ${((clump + seed) % 3) * 22 - 22}`
  })
  return `M-60-20V${y}${edge.join('')}V-20Z`
}

function trunk(kit: Kit, x: number, size: number): string {
  const bark = path('M-34 6Q-20-30-20-90V-740H20V-90Q20-30 40 6Z', kit.tone(0.47, 0.055, hues.wood))
  const shade = path('M4-740H20V-90Q20-30 40 6H14Q2-40 4-90Z', kit.tone(0.4, 0.05, hues.wood))
  return at(x, 726, bark + shade, size)
}

function fern(kit: Kit, x: number, y: number): string {
  if (isSnowy(kit.setting)) return bush(kit, x, y, 0.5)
  const fronds = 'M0 0Q-20-50-70-58M0 0Q-6-64-30-92M0 0Q6-64 30-92M0 0Q20-50 70-58M0 0V-84'
  return at(x, y, stroke(fronds, kit.tone(0.55, 0.11, 2.35), 10))
}

function water(kit: Kit, top: number, height: number): string {
  const colors = gradient('water', kit.tone(0.74, 0.08, 3.9, 0.1), kit.tone(0.84, 0.075, 3.75, 0.1))
  return colors + band(top, height, 'url(#water)')
}

const ripple = (x: number, y: number, size: number): Thing => {
  return [x, () => stroke(`M${x} ${y}q${size}-9 ${size * 2} 0t${size * 2} 0`, '#fff', 5, 'stroke-opacity=".55"')]
}

/** A lake with wooded shores and their reflection. */
export function lake(kit: Kit, view: string): string {
  const shore = [20, 110, 205, 300, 400, 500, 610, 700, 790, 880, 980].map((x, index) =>
    index % 2
      ? fir(kit, x, 566, 0.44 + (index % 3) * 0.1)
      : leafyTree(kit, x, 566, 0.62 + (index % 3) * 0.1, index / 2),
  )
  const waves = [
    ripple(90, 640, 22),
    ripple(420, 664, 26),
    ripple(760, 630, 22),
    ripple(620, 716, 28),
    ripple(180, 724, 24),
    ripple(900, 700, 20),
  ]
  return [
    drawSky(kit, 570),
    view,
    hillRange(kit, hillColor(kit, 0.7), 400, 150),
    `<g id="shore">${shore.join('')}</g>`,
    band(556, 14, hillColor(kit, 0)),
    water(kit, 566, 200),
    '<use href="#shore" transform="matrix(1 0 0 -.6 0 908)" opacity=".28"/>',
    row(kit, 'waves', 0.6, waves),
    drawWeather(kit),
  ].join('')
}

/** The sea with islands and a distant sail. */
export function beach(kit: Kit, view: string): string {
  const swell = 5 * Math.sin(2 * Math.PI * kit.phase)
  const edge = 'M0 696C64 712 120 714 190 700C260 686 330 684 400 698C440 706 472 706 512 696'
  const wet = path(`${edge}H514V760H0Z`, kit.tone(0.8, 0.045, hues.sand, 0.2))
  const surf = at(0, swell, wet + stroke(edge, '#fff', 15, 'stroke-opacity=".9"'))
  const farWaves = [ripple(60, 600, 24), ripple(330, 590, 20), ripple(640, 606, 24), ripple(880, 596, 20)]
  const nearWaves = [ripple(180, 652, 30), ripple(440, 646, 28), ripple(800, 656, 30)]
  return [
    drawSky(kit, 560),
    view,
    at(0, 20, hillRange(kit, kit.tone(0.8, 0.055, hues.leaf, 0.4), 470, 80, 1)),
    water(kit, 552, 224),
    row(kit, 'sails', 0.5, [[240, () => sailingBoat(kit, 240, 552, 0.26)]], 1024),
    row(kit, 'far-waves', 0.35, farWaves),
    row(kit, 'waves', 0.6, nearWaves),
    drawWeather(kit),
    passing(kit, 'surf', 512, 0.85, surf),
  ].join('')
}
