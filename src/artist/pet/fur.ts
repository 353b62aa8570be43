import type { Look } from '../look.js'
import { num, path } from '../rig/svg.js'
import type { Stance } from './stance.js'

const ruff =
  'M-52-44C-40-16-46 4-34 28C-30 16-26 10-22 4C-22 24-14 42 0 56C2 40 8 26 16 14C20 24 28 34 38 38C34 22 38 8 44-4C48-20 46-36 40-48C14-30-24-30-52-44Z'

/** The ruff of long fur on the chest, below the collar. */
export function drawChestFur({ palette, traits }: Look, { neck, chest }: Stance): string {
  const low = neck[0]
  if (!traits.fluffy || !low) return ''
  const [x, y] = [low.x + (chest.x - low.x) * 0.46, low.y + (chest.y - low.y) * 0.2 + 8]
  return path(ruff, traits.bib ? palette.pale : palette.lit, `transform="translate(${num(x)} ${num(y)}) rotate(-14)"`)
}
