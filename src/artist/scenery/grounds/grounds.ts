import { oval } from '../../rig/svg.js'
import { hues, type Kit } from '../kit.js'
import { baseOf, type Ground, isIndoors } from '../setting.js'
import { blanket, rug, table } from './covers.js'
import { deck, floor, pavement, seat } from './floors.js'
import { autumnLeaves, grass, sand, trail } from './soil.js'

/** Covers lie on the ground of the place; all other grounds replace it. */
const covers: readonly Ground[] = ['rug', 'blanket', 'table']

/** The ground below all furniture. */
export function drawGround(kit: Kit): string {
  const { place, ground, weather } = kit.setting
  const terrace = place === 'street' && covers.includes(ground)
  const base = covers.includes(ground) ? (terrace ? 'deck' : baseOf[place]) : ground
  // A seat does not fill its corners: outside a car it stands on the ground of the place.
  const below = base === 'seat' && place !== 'car' ? grounds[baseOf[place]](kit) : ''
  const wet = (weather === 'rain' || weather === 'storm') && !isIndoors(kit.setting)
  return below + grounds[base](kit) + (wet ? puddles(kit) : '')
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
  leaves: autumnLeaves,
  path: trail,
  pavement,
  sand,
  snow: grass,
  deck,
}

function puddles(kit: Kit): string {
  const water = kit.tone(0.84, 0.05, hues.sky)
  const puddle = (x: number, y: number, radius: number) =>
    oval(x, y, radius, radius * 0.17, water, 'fill-opacity=".8"') +
    oval(x, y, radius * 0.5, radius * 0.08, 'none', 'stroke="#fff" stroke-width="3" stroke-opacity=".7"')
  return puddle(150, 900, 130) + puddle(640, 946, 150) + puddle(930, 790, 90)
}
