import type { Surroundings } from '../look.js'
import { hexOf, mixHue } from '../rig/oklab.js'
import { num, rect } from '../rig/svg.js'

export const width = 1024

/** The colours and motion of a drawing's surroundings. */
export interface Stage {
  /** A natural colour, shifted towards the photo's surroundings, and darker behind a pale pet. */
  tone(lightness: number, chroma: number, hue: number, pull?: number): string
  readonly accent: string
  readonly accentDark: string
  /** 0 to 1, one loop. */
  readonly phase: number
  /** Distance that the ground moves in one loop, in pixels; 0 for a pet that stays. */
  readonly travel: number
}

/** Layers drawn behind and in front of the pet. */
export interface Scene {
  /** Colour of the ground; see `drawDocument`. */
  readonly ground: string
  readonly behind: string
  readonly front: string
}

/** Natural hues in OKLab radians. */
export const hues = { grass: 2.25, leaf: 2.4, sky: 4.15, sand: 1.42, wood: 1.15, sun: 1.6, rose: 0.3 } as const

/** A coat of at least this lightness is pale, and its surroundings are darker. */
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
 * Returns an SVG document of `size` by `size` pixels. The canvas is filled with the colour of the ground first: gaps
 * between shapes show the ground instead of black pixels.
 */
export function drawDocument(size: number, ground: string, ...drawing: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${width} ${width}">`,
    rect(0, 0, width, width, ground),
    ...drawing,
    '</svg>',
  ].join('')
}

/**
 * A strip of equal tiles that moves at `speed` times the ground's. It moves a whole number of tiles per loop, so that
 * the loop has no seam; `speed` is approximated accordingly.
 * @NOTE The strip below the feet needs a tile that divides `travel`, or the feet slide.
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
