import { width } from '../backdrop/stage.js'
import { path, rect, stroke } from '../rig/svg.js'
import type { Kit } from './kit.js'
import { at, spread } from './marks.js'
import type { Season, Weather } from './setting.js'
import { faces } from './slots.js'

/**
 * Precipitation and wind: throughout the depth behind the pet, and sparse in front of it, where it leaves the face
 * free.
 */
export const weathers: Readonly<Record<Weather, (kit: Kit, near: boolean) => string>> = {
  sun: () => '',
  cloud: () => '',
  rain: (kit, near) => drops(kit, near, near ? 26 : 74, '#eef6ff'),
  storm: (kit, near) => drops(kit, near, near ? 40 : 110, '#e3ecff'),
  snow: flakes,
  fog: mist,
  wind: gusts,
  heat: (_, near) => (near ? '' : shimmer()),
}

const all = { x: -20, y: -20, width: width + 60, height: 1040 }

function spots(kit: Kit, near: boolean, count: number) {
  const { x, y, radius } = faces[kit.pose]
  const free = spread(count, all)
  return near ? free.filter((spot) => Math.hypot(spot.x - x, spot.y - y) > radius) : free
}

function drops(kit: Kit, near: boolean, count: number, colour: string): string {
  const lines = spots(kit, near, count).map(
    ({ x, y, index }) => `M${x} ${y}l-${near ? 13 : 9} ${(near ? 50 : 34) + (index % 3) * 8}`,
  )
  return stroke(lines.join(''), colour, near ? 5 : 4, `stroke-opacity="${near ? 0.62 : 0.6}"`)
}

function flakes(kit: Kit, near: boolean): string {
  const places = spots(kit, near, near ? 34 : 80)
  const layer = (part: number) =>
    places
      .filter(({ index }) => index % 3 === part)
      .map(({ x, y }) => `M${x} ${y}h.1`)
      .join('')
  const sizes = near ? [13, 17, 22] : [8, 11, 14]
  return sizes.map((size, part) => stroke(layer(part), '#fff', size, 'stroke-opacity=".92"')).join('')
}

function mist(_: Kit, near: boolean): string {
  const bands = near
    ? [
        [-60, 850, 700, 46, 0.42],
        [420, 918, 700, 54, 0.5],
        [-40, 962, 560, 60, 0.55],
      ]
    : [
        [-80, 380, 760, 70, 0.4],
        [300, 470, 860, 84, 0.5],
        [-60, 560, 700, 76, 0.55],
        [360, 640, 800, 70, 0.6],
        [-120, 706, 900, 48, 0.5],
      ]
  return bands
    .map(([x = 0, y = 0, length = 0, height = 0, opacity = 0]) =>
      rect(x, y, length, height, '#fff', `rx="${height / 2}" fill-opacity="${opacity}"`),
    )
    .join('')
}

const leafHues: Readonly<Record<Season, readonly [number, number, number]>> = {
  spring: [0.85, 0.1, 0.3],
  summer: [0.7, 0.13, 2.3],
  autumn: [0.68, 0.15, 0.9],
  winter: [0.62, 0.06, 1.1],
}

/** Long curls of air with leaves or petals. */
function gusts(kit: Kit, near: boolean): string {
  const leaf = kit.thing(...leafHues[kit.setting.season])
  const leaves = spots(kit, true, near ? 14 : 12).map(({ x, y, index }) =>
    at(x, y, path('M-20 0Q-4-17 20-2Q2 14-20 0Z', leaf), near ? 1 : 0.7, index * 47),
  )
  if (near) return leaves.join('')
  const curls =
    'M40 330H330C400 330 400 250 346 256M150 470H620C690 470 700 396 640 400M520 200H800C860 200 862 140 812 146M30 600H260C300 600 310 560 276 556'
  return stroke(curls, '#fff', 9, 'stroke-opacity=".75"') + leaves.join('')
}

function shimmer(): string {
  const wave = (x: number, y: number) => `M${x} ${y}q14-24 0-48t0-48t0-48`
  const rows = [60, 210, 360, 510, 660, 810, 960].map((x, index) => wave(x, 690 - (index % 2) * 40))
  return stroke(rows.join(''), '#fff', 8, 'stroke-opacity=".5"')
}
