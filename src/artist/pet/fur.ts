import type { Look } from '../look.js'
import { distance, mix, type Point, shift } from '../rig/points.js'
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

/** Path data of tufts along the lower and rear edges of a trunk, as far as it is above the ground. */
export function drawTufts(torso: readonly Point[]): string {
  const outline = clockwise(torso)
  return outline.map((from, index) => tuftsAlong(from, outline[(index + 1) % outline.length] ?? from, index)).join('')
}

function tuftsAlong(from: Point, to: Point, seed: number): string {
  const across = (to.x - from.x) / distance(from, to)
  const [isUpper, isOnGround] = [across > 0.4, Math.max(from.y, to.y) > ground - 22]
  if (isUpper || isOnGround) return ''
  // The belly has shorter ones; those of the rear hang down as well.
  const size = across < -0.8 ? 14 : 18
  return to.y < from.y ? drawLocks(to, from, size, seed, -1) : drawLocks(from, to, size, seed)
}

const lengths = [1.15, 0.6, 0.9, 0.5, 0.75] as const

/** Path data of locks along an edge, with the animal on its right (or left, -1): they swell and end in a point further along. */
export function drawLocks(from: Point, to: Point, size: number, seed: number, side: 1 | -1 = 1): string {
  const length = distance(from, to)
  if (length === 0) return ''
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length]
  const out = (at: Point, far: number, along: number) =>
    shift(at, uy * far * side + ux * along, -ux * far * side + uy * along)
  const count = Math.max(1, Math.round(length / 36))
  const locks = Array.from({ length: count }, (_, lock) => {
    const [start, end] = [mix(from, to, lock / count), mix(from, to, (lock + 1) / count)]
    // Long and short ones in turn: equal ones look like the teeth of a saw.
    const grown = size * (lengths[(seed * 3 + lock) % lengths.length] ?? 1)
    const tip = out(end, grown * 0.72, grown * 1.3)
    const [swell, hollow] = [out(mix(start, end, 0.5), grown * 0.9, 0), out(end, grown * 0.3, grown * 0.5)]
    return `M${xy(start)}Q${xy(swell)} ${xy(tip)}Q${xy(hollow)} ${xy(end)}Z`
  })
  return locks.join('')
}
