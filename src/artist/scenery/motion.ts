import { num, width } from '../rig/svg.js'
import type { Motion } from './kit.js'

/**
 * A strip of equal tiles that moves at about `speed` times the ground's. It moves a whole number of tiles per loop, so
 * that the loop has no seam. `overlap` is the distance by which a tile may reach into the next ones.
 */
export function passing(motion: Motion, id: string, tile: number, speed: number, drawing: string, overlap = 0): string {
  const passed = Math.round((motion.travel * speed) / tile) * motion.phase
  const offset = (passed - Math.floor(passed)) * tile
  if (offset === 0 && tile >= width) return drawing
  const uses = Array.from({ length: Math.ceil(width / tile) + 3 }, (_, index) => (index - 1) * tile - offset)
    .filter((x) => x > -tile - overlap && x < width + overlap)
    .map((x) => `<use href="#${id}" x="${num(x)}"/>`)
  return `<defs><g id="${id}">${drawing}</g></defs>${uses.join('')}`
}

/** A thing at its place; it is drawn only if the row shows it. */
export type Thing = readonly [x: number, draw: () => string]

/**
 * Things across the picture. In motion, those of the first part of the picture follow each other endlessly, at exactly
 * `speed` times the ground's: at 1, they stay below the feet. `repeat` is about the distance between their copies.
 */
export function row(motion: Motion, id: string, speed: number, things: readonly Thing[], repeat = 512): string {
  const distance = motion.travel * speed
  const tile = distance === 0 ? Number.POSITIVE_INFINITY : distance / Math.max(1, Math.round(distance / repeat))
  const drawing = things.flatMap(([x, draw]) => (x < tile ? draw() : [])).join('')
  return distance === 0 ? drawing : passing(motion, id, tile, speed, drawing, 140)
}
