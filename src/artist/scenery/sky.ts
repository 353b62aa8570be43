import { mixHue, type Tone } from '../rig/oklab.js'
import { oval, path, width } from '../rig/svg.js'
import type { Kit } from './kit.js'
import { around, at, band, glow, gradient, specks, spread } from './marks.js'
import type { TimeOfDay, Weather } from './setting.js'

/** Top, middle and horizon of a clear sky. */
const clear: Readonly<Record<TimeOfDay, readonly [Tone, Tone, Tone]>> = {
  morning: [
    [0.82, 0.06, 4.3],
    [0.92, 0.035, 0.7],
    [0.95, 0.06, 1.3],
  ],
  day: [
    [0.82, 0.07, 4.15],
    [0.92, 0.04, 4.15],
    [0.96, 0.03, 1.6],
  ],
  evening: [
    [0.5, 0.1, 5.1],
    [0.72, 0.12, 0.45],
    [0.86, 0.12, 1.25],
  ],
  night: [
    [0.25, 0.07, 4.8],
    [0.34, 0.08, 4.75],
    [0.54, 0.09, 5.1],
  ],
}

interface Cover {
  /** Factors for the sky's lightness and color. */
  readonly light: number
  readonly chroma: number
  readonly sun: 'shining' | 'veiled' | 'hidden'
  /** In addition to the pet's own fair clouds, if `fair`. */
  readonly clouds: readonly (readonly [x: number, y: number, scale: number])[]
  readonly fair?: true
  /** Lightness of the clouds. They are opaque, because the sun is behind them. */
  readonly cloud: number
}

/** Fair clouds, one arrangement a pet. */
const arrangements = [
  [
    [170, 190, 1],
    [560, 118, 0.66],
    [420, 300, 0.5],
  ],
  [
    [110, 120, 0.7],
    [330, 226, 1.05],
    [640, 96, 0.5],
  ],
  [
    [230, 110, 0.55],
    [70, 262, 0.8],
    [590, 190, 0.85],
  ],
] as const
const many = [
  [110, 130, 1.5],
  [420, 90, 1.4],
  [690, 84, 1.6],
  [1000, 60, 1.3],
  [260, 270, 1],
  [900, 280, 1],
  [610, 230, 0.8],
] as const
const blown = [
  [760, 250, 0.7],
  [300, 420, 0.6],
] as const

const covers: Readonly<Record<Weather, Cover>> = {
  sun: { light: 1, chroma: 1, sun: 'shining', clouds: [], fair: true, cloud: 0.965 },
  heat: { light: 1.02, chroma: 0.85, sun: 'shining', clouds: [], cloud: 0.97 },
  wind: { light: 1, chroma: 0.95, sun: 'shining', clouds: blown, fair: true, cloud: 0.975 },
  cloud: { light: 0.98, chroma: 0.42, sun: 'veiled', clouds: many, cloud: 0.955 },
  rain: { light: 0.84, chroma: 0.4, sun: 'hidden', clouds: many, cloud: 0.73 },
  storm: { light: 0.6, chroma: 0.5, sun: 'hidden', clouds: many, cloud: 0.52 },
  snow: { light: 0.97, chroma: 0.7, sun: 'hidden', clouds: many, cloud: 0.94 },
  fog: { light: 0.98, chroma: 0.5, sun: 'veiled', clouds: [], cloud: 1 },
}

/** The sky down to the horizon, with sun or moon at `x`. */
export function drawSky(kit: Kit, horizon: number, x = 872): string {
  const { time, weather } = kit.setting
  const { light, chroma, sun } = covers[weather]
  const colors = clear[time].map(([l, c, h]) =>
    kit.bright(
      Math.min(0.985, l * light),
      c * chroma,
      mixHue(h, kit.look.surroundings.hue, time === 'day' ? 0.16 : 0.06),
    ),
  )
  return [
    gradient('sky', ...colors),
    band(0, horizon + 4, 'url(#sky)'),
    time === 'night' && sun !== 'hidden' ? drawStars(x) : '',
    sun === 'hidden' ? '' : time === 'night' ? drawMoon(x) : drawSun(kit, x, sun === 'veiled'),
    weather === 'storm' ? drawBolt(x) : '',
    drawClouds(kit),
  ].join('')
}

/** Selects one of three skies by the look of the pet. */
const pick = ({ surroundings }: Kit['look']): number =>
  Math.floor((Math.abs(surroundings.hue) + surroundings.coatLight) * 20) % arrangements.length

/** The clouds of the weather; they drift to and fro. */
function drawClouds({ look, setting: { time, weather }, phase, bright }: Kit): string {
  const { clouds, cloud, fair } = covers[weather]
  const light = time === 'night' ? 0.44 : time === 'evening' ? 0.8 : 1
  const color = bright(cloud * light, light === 1 ? 0.016 : 0.05, time === 'evening' ? 0.4 : 4.4)
  const d = 'M-110 30C-140 30-146-8-112-12C-112-48-62-58-44-34C-28-76 42-70 48-26C86-36 126 30 78 30Z'
  const drift = 10 * Math.sin(2 * Math.PI * phase)
  const own = fair ? (arrangements[pick(look)] ?? []) : []
  const drawn = [...own, ...clouds].map(([x, y, scale], index) =>
    at(x + (index % 2 ? -drift : drift), y, path(d, color), scale),
  )
  return drawn.join('')
}

/** Height of the sun at each hour. */
const heights: Readonly<Record<TimeOfDay, number>> = { day: 150, morning: 330, evening: 500, night: 150 }

function drawSun(kit: Kit, x: number, veiled: boolean): string {
  const { time, weather } = kit.setting
  const y = heights[time]
  if (veiled) return oval(x, y, 64, 64, kit.bright(0.985, 0.012, 1.6))
  const hot = weather === 'heat'
  const disc = time === 'evening' ? kit.bright(0.86, 0.14, 1.25) : hot ? '#ffdf6b' : '#fff2c4'
  const ray = path('M-9-112L0-168L9-112Z', '#ffd75a')
  return [
    // A gradient costs time in each frame of a clip.
    kit.travel > 0 ? '' : glow('sunlight', x, y, hot ? 380 : 220, hot ? '#ffe58a' : '#fff4d6', 0.75),
    hot ? around(12, (_x, _y, index) => at(x, y, ray, 1, index * 30)) : '',
    oval(x, y, 94, 94, '#fff', 'fill-opacity=".24"'),
    oval(x, y, hot ? 84 : 64, hot ? 84 : 64, disc),
  ].join('')
}

function drawMoon(x: number): string {
  const moon = 'M14-58A60 60 0 1 0 58 26A48 48 0 0 1 14-58Z'
  return glow('moonlight', x, 150, 210, '#dfe6ff', 0.34) + at(x, 150, path(moon, '#fdf6da'))
}

function drawStars(moon: number): string {
  const spots = spread(46, { x: 0, y: 0, width, height: 560 })
  return specks(
    spots.filter(({ x, y }) => Math.hypot(x - moon, y - 150) > 100),
    [3, 5, 7],
  )
}

function drawBolt(x: number): string {
  const bolt = 'M10 0L-58 170H-12L-70 330L62 120H12L58 0Z'
  return at(x > 600 ? 250 : x * 0.7, 150, glow('flash', 0, 150, 300, '#fff6c9', 0.6) + path(bolt, '#ffeb8a'))
}
