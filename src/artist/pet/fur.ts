import type { Look } from '../look.js'
import { distance, mix, type Point, point, shift } from '../rig/points.js'
import { clockwise } from '../rig/shapes.js'
import { num, path, xy } from '../rig/svg.js'
import { ground, type Stance } from './stance.js'

const ruff =
  'M-52-44C-40-16-46 4-34 28C-30 16-26 10-22 4C-22 24-14 42 0 56C2 40 8 26 16 14C20 24 28 34 38 38C34 22 38 8 44-4C48-20 46-36 40-48C14-30-24-30-52-44Z'

/** The ruff of long fur on the chest, below the collar. */
export function drawChestFur({ palette, traits }: Look, { neck, chest }: Stance): string {
  const low = neck[0]
  if (!traits.fluffy || !low) return ''
  const [x, y] = [low.x + (chest.x - low.x) * 0.46, low.y + (chest.y - low.y) * 0.2 + 8]
  return path(ruff, traits.bib ? palette.pale : palette.lit, `transform="translate(${num(x)} ${num(y)}) rotate(-14)"`)
}

/** Tufts fall down and back. */
const fall = point(-0.34, 0.62)

/** Path data of tufts along the lower and rear edges of a trunk, as far as it is above the ground. */
export function drawTufts(torso: readonly Point[]): string {
  const outline = clockwise(torso)
  return outline.map((from, index) => drawLocks(from, outline[(index + 1) % outline.length] ?? from, index)).join('')
}

function drawLocks(from: Point, to: Point, seed: number): string {
  const length = distance(from, to)
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const [isUpper, isOnGround] = [ux > 0.4, Math.max(from.y, to.y) > ground - 22]
  if (isUpper || isOnGround) return ''
  // The belly has fewer and shorter ones.
  const isBelly = ux < -0.8
  const count = Math.max(1, Math.round(length / (isBelly ? 62 : 42)))
  const locks = Array.from({ length: count }, (_, lock) => {
    const [start, end] = [mix(from, to, lock / count), mix(from, to, (lock + 1) / count)]
    const size = (isBelly ? 11 : 15) + ((seed * 5 + lock * 7) % 4) * 3
    const tip = shift(mix(start, end, 0.6), (uy * 0.8 + fall.x) * size, (-ux * 0.8 + fall.y) * size)
    const [rise, drop] = [mix(start, tip, 0.5), mix(end, tip, 0.5)]
    return `M${xy(start)}Q${xy(shift(rise, uy * 7, -ux * 7))} ${xy(tip)}Q${xy(shift(drop, uy * 2, -ux * 2))} ${xy(end)}Z`
  })
  return locks.join('')
}
