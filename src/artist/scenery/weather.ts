import type { Point } from '../rig/points.js'
import { oval, path, stroke, width } from '../rig/svg.js'
import type { Kit } from './kit.js'
import { at, specks, spread } from './marks.js'
import type { Season, Weather } from './setting.js'
import { faces } from './slots.js'

/**
 * Draws precipitation and wind. A place draws them over distant things, throughout the depth; those that are `near` are
 * in front of the pet, sparse, and leave its face free.
 */
export const drawWeather = (kit: Kit, near = false): string => weathers[kit.setting.weather](kit, near)

const weathers: Readonly<Record<Weather, (kit: Kit, near: boolean) => string>> = {
  sun: () => '',
  cloud: () => '',
  rain: (kit, near) => drops(kit, near, near ? 26 : 74, '#eef6ff'),
  storm: (kit, near) => drops(kit, near, near ? 40 : 110, '#e3ecff'),
  snow: (kit, near) => specks(spots(kit, near, near ? 34 : 80), near ? [13, 17, 22] : [8, 11, 14]),
  fog: (_, near) => mist(near),
  wind: gusts,
  heat: (_, near) => (near ? '' : shimmer()),
}

function spots(kit: Kit, near: boolean, count: number) {
  const { radius, ...face } = faces[kit.pose]
  const { x, y } = kit.stage.toPicture(face)
  const free = spread(count, { x: -20, y: -20, width: width + 60, height: 1040 }).filter(
    (spot) => !isSheltered(kit, spot),
  )
  return near ? free.filter((spot) => Math.hypot(spot.x - x, spot.y - y) > radius) : free
}

/** The place of the umbrella, in the coordinates of the pet. */
export const umbrellaAt = 780

/** True on the umbrella over the pet, which is tilted, and below it. */
function isSheltered({ setting, stage }: Kit, { x, y }: Point): boolean {
  // Rain falls aslant.
  const ahead = (x + (y - 200) / 4 - stage.toPicture({ x: umbrellaAt, y }).x) * stage.side
  return setting.props.includes('umbrella') && Math.abs(ahead - 12) < 364 && y > 40 - ahead * 0.363
}

function drops(kit: Kit, near: boolean, count: number, color: string): string {
  const lines = spots(kit, near, count).map(
    ({ x, y, index }) => `M${x} ${y}l-${near ? 13 : 9} ${(near ? 50 : 34) + (index % 3) * 8}`,
  )
  return stroke(lines.join(''), color, near ? 5 : 4, 'stroke-opacity=".6"')
}

type Bank = readonly [x: number, y: number, length: number, height: number, opacity: number]
const farBanks: readonly Bank[] = [
  [-80, 380, 760, 70, 0.4],
  [300, 470, 860, 84, 0.5],
  [-60, 560, 700, 76, 0.55],
  [360, 640, 800, 70, 0.6],
  [-120, 706, 900, 48, 0.5],
]
const nearBanks: readonly Bank[] = [
  [-60, 850, 700, 46, 0.42],
  [420, 918, 700, 54, 0.5],
  [-40, 962, 560, 60, 0.55],
]

/** Banks that are soft on all sides. */
function mist(near: boolean): string {
  const id = near ? 'near-mist' : 'far-mist'
  const stops = '<stop offset=".35" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>'
  const banks = (near ? nearBanks : farBanks).map(([x, y, length, height, opacity]) =>
    oval(x + length / 2, y + height / 2, length * 0.66, height * 1.1, `url(#${id})`, `fill-opacity="${opacity}"`),
  )
  return `<radialGradient id="${id}">${stops}</radialGradient>${banks.join('')}`
}

const leafTones: Readonly<Record<Season, readonly [number, number, number]>> = {
  spring: [0.85, 0.1, 0.3],
  summer: [0.7, 0.13, 2.3],
  autumn: [0.68, 0.15, 0.9],
  winter: [0.62, 0.06, 1.1],
}

/** Long curls of air with leaves or petals. */
function gusts(kit: Kit, near: boolean): string {
  const leaf = path('M-20 0Q-4-17 20-2Q2 14-20 0Z', kit.thing(...leafTones[kit.setting.season]))
  const leaves = spots(kit, true, near ? 14 : 12).map(({ x, y, index }) => at(x, y, leaf, near ? 1 : 0.7, index * 47))
  const curls =
    'M40 330H330C400 330 400 250 346 256M150 470H620C690 470 700 396 640 400M520 200H800C860 200 862 140 812 146M30 600H260C300 600 310 560 276 556'
  return (near ? '' : stroke(curls, '#fff', 9, 'stroke-opacity=".75"')) + leaves.join('')
}

function shimmer(): string {
  const rows = [60, 210, 360, 510, 660, 810, 960].map(
    (x, index) => `M${x} ${690 - (index % 2) * 40}q14-24 0-48t0-48t0-48`,
  )
  return stroke(rows.join(''), '#fff', 8, 'stroke-opacity=".5"')
}
