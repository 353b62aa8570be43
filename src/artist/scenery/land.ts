import type { Tone } from '../rig/oklab.js'
import { num, path } from '../rig/svg.js'
import { hues, type Kit } from './kit.js'
import { passing } from './motion.js'
import { isSnowy, type Season } from './setting.js'

const lawns: Readonly<Record<Season, Tone>> = {
  spring: [0.84, 0.12, 2.2],
  summer: [0.81, 0.11, hues.grass],
  autumn: [0.82, 0.1, 1.95],
  winter: [0.87, 0.05, 2.1],
}

/** The colour of the ground where plants grow; `darker` lowers its lightness. */
export function landColour(kit: Kit, darker = 0, faint = 1): string {
  if (isSnowy(kit.setting)) return kit.tone(0.965 - darker * 0.6, 0.018, hues.sky)
  const [l, c, h] = lawns[kit.setting.season]
  return kit.tone(l - darker, c * faint, h)
}

/** Hills fade with distance and are white in winter. */
export function hillColour(kit: Kit, distance: number): string {
  const { season } = kit.setting
  if (season === 'winter') return kit.tone(0.93 + distance * 0.03, 0.02, hues.sky, 0.4)
  const [l, c, h] = lawns[season]
  return kit.tone(l + distance * 0.07, c * (1 - distance * 0.6), h + 0.12, 0.3)
}

/**
 * A range of hills across the picture, slightly wider than it, so that ranges side by side have no seam; the second
 * shape has its peak on the right.
 */
export function hillRange(kit: Kit, colour: string, top: number, height: number, shape: 0 | 1 = 0): string {
  const [a, b] = shape === 0 ? [0.95, 0.35] : [0.3, 1]
  const y = (part: number) => num(top + height * (1 - part))
  const d = `M-6 ${y(0.4)}C150 ${y(a)} 330 ${y(a)} 512 ${y(0.4)}C690 ${y(b - 0.4)} 860 ${y(b)} 1030 ${y(0.4)}V${num(top + height + 60)}H-6Z`
  return passing(kit, `hills${top}`, 1024, 0.45, path(d, colour))
}
