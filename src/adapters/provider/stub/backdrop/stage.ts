import type { Surroundings } from '../look.js'
import { hexOf, mixHue } from '../rig/oklab.js'
import { num } from '../rig/svg.js'

export const width = 1024

/** What a scene is drawn with. */
export interface Stage {
  /** A colour of the scene: natural hue, drawn towards the photo's surroundings, and deeper behind a pale pet. */
  tone(lightness: number, chroma: number, hue: number, pull?: number): string
  readonly accent: string
  readonly accentDark: string
  /** 0 to 1, one loop. */
  readonly phase: number
  /** How far the ground passes in one loop, in pixels; 0 for a pet that stays. */
  readonly travel: number
}

/** Drawn before and after the pet. */
export interface Scene {
  readonly behind: string
  readonly front: string
}

/** Natural hues in OKLab radians. */
export const hues = { grass: 2.25, leaf: 2.4, sky: 4.15, sand: 1.42, wood: 1.15, sun: 1.6, rose: 0.3 } as const

/** From this lightness on a coat is pale and its scene is deeper. */
const paleCoat = { from: 0.74, depth: 0.05, chroma: 1.2 }

export function stageOf(
  { hue, coatLight }: Surroundings,
  { accent, accentDark }: { readonly accent: string; readonly accentDark: string },
  phase: number,
  travel: number,
): Stage {
  const { depth, chroma } = coatLight > paleCoat.from ? paleCoat : { depth: 0, chroma: 1 }
  const tone = (lightness: number, c: number, natural: number, pull = 0.22) =>
    hexOf(lightness - depth, c * chroma, mixHue(natural, hue, pull))
  return { tone, accent, accentDark, phase, travel }
}

/**
 * A strip of equal tiles that passes at `speed` times the ground's.
 * It moves a whole number of tiles in a loop, so that the loop has no seam; `speed` is met as nearly as that allows.
 * @NOTE The strip the feet stand on needs a tile that divides `travel`, or the feet slide.
 */
export function passing(stage: Stage, id: string, tile: number, speed: number, drawing: string): string {
  const tiles = Math.round((stage.travel * speed) / tile)
  const passed = tiles * stage.phase
  const offset = (passed - Math.floor(passed)) * tile
  const uses = Array.from({ length: Math.ceil(width / tile) + 1 }, (_, index) => {
    return `<use href="#${id}" x="${num(index * tile - offset)}"/>`
  })
  return `<defs><g id="${id}">${drawing}</g></defs>${uses.join('')}`
}

export function verticalGradient(id: string, stops: readonly (readonly [offset: number, colour: string])[]): string {
  const marks = stops.map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`)
  return `<defs><linearGradient id="${id}" x2="0" y2="1">${marks.join('')}</linearGradient></defs>`
}
