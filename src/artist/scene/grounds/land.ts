import { hues, verticalGradient, width } from '../../backdrop/stage.js'
import { point } from '../../rig/points.js'
import { ellipse, path, rect, stroke } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { spread } from '../marks.js'
import { growth, landColour, leaf } from '../plants.js'
import { isSnowy } from '../setting.js'
import { groundColours } from './colours.js'

const clumps = [
  [70, 930, 1.6],
  [210, 990, 1.9],
  [420, 950, 1.4],
  [610, 1000, 1.8],
  [740, 930, 1.4],
  [90, 800, 0.9],
  [250, 776, 0.7],
  [790, 784, 0.8],
  [960, 806, 1],
] as const

function land(kit: Kit, top = 742): string {
  const colours = verticalGradient('land', [
    [0, landColour(kit)],
    [1, landColour(kit, 0.085)],
  ])
  return (
    colours +
    path(
      `M0 ${top}C200 ${top - 20} 420 ${top - 12} 560 ${top - 8}C760 ${top - 2} 900 ${top - 18} 1024 ${top - 4}V1024H0Z`,
      'url(#land)',
    )
  )
}

export function grass(kit: Kit): string {
  const drifts = stroke(
    'M60 860q90-22 180 0M560 900q110-24 220 0M220 970q90-20 170 0M820 800q60-16 130 0',
    landColour(kit, 0.1),
    8,
    'stroke-opacity=".6"',
  )
  const patches = [
    [110, 790, 120],
    [860, 770, 150],
    [420, 960, 210],
  ].map(([x = 0, y = 0, r = 0]) =>
    ellipse(point(x, y), r, r * 0.17, kit.tone(0.97, 0.012, hues.sky), 'fill-opacity=".8"'),
  )
  const winter = kit.setting.season === 'winter' && !isSnowy(kit.setting)
  return (
    land(kit) +
    (winter ? patches.join('') : '') +
    (isSnowy(kit.setting) ? drifts : growth(kit, clumps)) +
    litter(kit, 14)
  )
}

/** Leaves in autumn and petals in spring. */
export function litter(kit: Kit, count: number): string {
  const { season, place } = kit.setting
  const spots = spread(count, { x: 20, y: 750, width: 980, height: 260 })
  if (season === 'autumn') return spots.map(({ x, y, index }) => leaf(x, y, 0.45 + (y - 740) / 600, index)).join('')
  if (season !== 'spring' || place !== 'park') return ''
  return spots.map(({ x, y }) => ellipse(point(x, y), 9, 5, kit.thing(0.88, 0.07, 0.2))).join('')
}

export function leaves(kit: Kit): string {
  return (
    grass(kit) +
    spread(64, { x: 0, y: 744, width: 1024, height: 280 })
      .map(({ x, y, index }) => leaf(x, y, 0.5 + (y - 740) / 480, index))
      .join('')
  )
}

export function trail(kit: Kit): string {
  const way = isSnowy(kit.setting) ? kit.tone(0.9, 0.02, hues.sky) : kit.tone(0.89, 0.04, hues.sand)
  const edge = landColour(kit, 0.12)
  const stones = spread(16, { x: 0, y: 778, width, height: 76 }).map(({ x, y, index }) =>
    ellipse(point(x, y), 6 + (index % 3) * 3, 3 + (index % 3) * 1.5, kit.tone(0.79, 0.04, hues.sand)),
  )
  return [
    land(kit, 748),
    path('M0 762Q260 752 512 760T1024 756V872Q760 864 512 872T0 868Z', way),
    stroke('M0 762Q260 752 512 760T1024 756M0 868Q260 880 512 872T1024 872', edge, 9, 'stroke-opacity=".55"'),
    ...stones,
    growth(kit, clumps.slice(0, 5)),
    litter(kit, 22),
  ].join('')
}

export function sand(kit: Kit): string {
  const dark = kit.tone(0.77, 0.065, hues.sand, 0.08)
  const stops = verticalGradient('sand', [
    [0, groundColours.sand(kit)],
    [1, kit.tone(0.84, 0.065, hues.sand, 0.08)],
  ])
  const star = 'M330 930l7 17l18 1l-14 12l5 18l-16-10l-15 10l4-18l-14-12l18-1Z'
  const prints = spread(7, { x: 40, y: 850, width: 700, height: 40 }).map(({ x, y }) =>
    ellipse(point(x, y), 13, 8, dark, 'fill-opacity=".7"'),
  )
  const ripples = stroke(
    'M20 800h54M150 838h70M700 786h44M840 850h44M40 930q60-14 130 0M420 970q70-16 150 0M600 914q40-10 90 0',
    dark,
    6,
    'stroke-opacity=".6"',
  )
  return (
    stops + rect(0, 742, width, 282, 'url(#sand)') + ripples + prints.join('') + path(star, kit.thing(0.7, 0.14, 0.75))
  )
}
