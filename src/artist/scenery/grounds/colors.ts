import { hues, type Kit, landColor } from '../kit.js'
import type { BaseGround } from '../setting.js'

/** The color of each ground that a place has by default. */
export const groundColors: Readonly<Record<BaseGround, (kit: Kit) => string>> = {
  floor: (kit) => (kit.setting.place === 'clinic' ? kit.tone(0.88, 0.02, 2.9) : kit.tone(0.82, 0.055, hues.wood, 0.1)),
  seat: (kit) => kit.tone(0.36, 0.015, 4.4, 0),
  grass: (kit) => landColor(kit),
  deck: (kit) => kit.tone(0.72, 0.07, hues.wood, 0.1),
  sand: (kit) => kit.tone(0.9, 0.05, hues.sand, 0.08),
  pavement: (kit) => kit.tone(0.85, 0.015, hues.sand),
}
