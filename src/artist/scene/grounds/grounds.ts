import { hues } from '../../backdrop/stage.js'
import { point } from '../../rig/points.js'
import { ellipse } from '../../rig/svg.js'
import type { Kit } from '../kit.js'
import { baseOf, type Ground, isIndoors } from '../setting.js'
import { blanket, deck, floor, pavement, rug, seat, table } from './floors.js'
import { grass, leaves, sand, trail } from './land.js'

/** Covers lie on the ground of the place; all other grounds replace it. */
const covers: readonly Ground[] = ['rug', 'blanket', 'table']

/** The ground below all furniture. */
export function drawGround(kit: Kit): string {
  const { place, ground } = kit.setting
  const terrace = place === 'street' && covers.includes(ground)
  const base = covers.includes(ground) ? (terrace ? 'deck' : baseOf[place]) : ground
  const wet = ['rain', 'storm'].includes(kit.setting.weather) && !isIndoors(kit.setting)
  return grounds[base](kit) + (wet ? puddles(kit) : '')
}

/** The cover on the ground, below the pet. */
export function drawCover(kit: Kit): string {
  const { ground, place } = kit.setting
  return covers.includes(ground) && baseOf[place] !== ground ? grounds[ground](kit) : ''
}

export const grounds: Readonly<Record<Ground, (kit: Kit) => string>> = {
  floor,
  rug,
  blanket,
  seat,
  table,
  grass,
  leaves,
  path: trail,
  pavement,
  sand,
  snow: grass,
  deck,
}

function puddles(kit: Kit): string {
  const water = kit.tone(0.84, 0.05, hues.sky)
  return [
    [150, 900, 130],
    [640, 946, 150],
    [930, 790, 90],
  ]
    .map(
      ([x = 0, y = 0, r = 0]) =>
        ellipse(point(x, y), r, r * 0.17, water, 'fill-opacity=".8"') +
        ellipse(point(x, y), r * 0.5, r * 0.08, 'none', 'stroke="#fff" stroke-width="3" stroke-opacity=".7"'),
    )
    .join('')
}
