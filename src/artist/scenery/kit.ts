import type { Look } from '../look.js'
import type { DrawnPose } from '../pet/poses/poses.js'
import { ground } from '../pet/stance.js'
import { hexOf, lchOfLab, mixHue, type Tone } from '../rig/oklab.js'
import { type Point, point } from '../rig/points.js'
import { num, path, width } from '../rig/svg.js'
import type { Staging } from './setting.js'
import { isIndoors, isSnowy, type SceneSetting, type Season, type TimeOfDay, type Weather } from './setting.js'

/** Natural hues in OKLab radians. */
export const hues = { grass: 2.25, leaf: 2.4, sky: 4.15, sand: 1.42, wood: 1.15, sun: 1.6, rose: 0.3 } as const

/** A moment of a loop, from 0 to 1, and the distance that the ground moves in one loop, in pixels. */
export interface Motion {
  readonly phase: number
  readonly travel: number
}

/** The setting, colors and motion of a picture: every part of the scenery is drawn from it alone. */
export interface Kit extends Motion {
  readonly setting: SceneSetting
  readonly pose: DrawnPose
  readonly stage: PetPlacement
  readonly look: Look
  readonly accent: string
  readonly accentDark: string
  readonly snow: string
  /**
   * A natural color in the light of the hour and the weather, shifted towards the photo's surroundings, and darker
   * behind a pale pet.
   */
  tone(lightness: number, chroma: number, hue: number, pull?: number): string
  /** The color of a thing near the pet: only slightly changed by the light of the hour. */
  thing(lightness: number, chroma: number, hue: number): string
  /** The color of a light source or the sky. */
  bright(lightness: number, chroma: number, hue: number): string
}

/**
 * A change of colors by light: lightness is multiplied and raised, chroma multiplied, and the result mixed with a
 * tint.
 */
interface Light {
  readonly scale: number
  readonly lift: number
  readonly chroma: number
  readonly tint: readonly [chroma: number, hue: number]
  /** The share of the tint, 0 to 1. */
  readonly share: number
}

const plain: Light = { scale: 1, lift: 0, chroma: 1, tint: [0, 0], share: 0 }

export const outdoorLight: Readonly<Record<TimeOfDay, Light>> = {
  morning: { scale: 0.98, lift: 0.02, chroma: 0.95, tint: [0.08, 1.2], share: 0.14 },
  day: plain,
  evening: { scale: 0.82, lift: 0.02, chroma: 0.9, tint: [0.11, 0.7], share: 0.34 },
  night: { scale: 0.5, lift: 0.07, chroma: 0.8, tint: [0.08, 4.4], share: 0.36 },
}

/** Lamps are on in the evening. */
const indoorLight: Readonly<Record<TimeOfDay, Light>> = {
  morning: { ...plain, tint: [0.06, 1.4], share: 0.16 },
  day: plain,
  evening: { scale: 0.93, lift: 0, chroma: 1.05, tint: [0.1, 1], share: 0.4 },
  night: { scale: 0.66, lift: 0.05, chroma: 0.95, tint: [0.06, 5.5], share: 0.36 },
}

export const weatherLight: Readonly<Record<Weather, Light>> = {
  sun: plain,
  wind: plain,
  heat: { ...plain, tint: [0.11, 1.55], share: 0.2 },
  cloud: { ...plain, scale: 0.97, chroma: 0.82 },
  rain: { scale: 0.9, lift: 0, chroma: 0.68, tint: [0.03, 4.3], share: 0.15 },
  storm: { scale: 0.78, lift: 0, chroma: 0.58, tint: [0.04, 4.6], share: 0.25 },
  snow: { scale: 0.99, lift: 0, chroma: 0.75, tint: [0.03, 4.3], share: 0.15 },
  fog: { scale: 0.6, lift: 0.35, chroma: 0.5, tint: [0.02, 4.3], share: 0.3 },
}

/** A coat of at least this lightness is pale, and its surroundings are darker. */
const paleCoat = { from: 0.74, depth: 0.05, chroma: 1.2 }

export function kitOf(
  look: Look,
  setting: SceneSetting,
  pose: DrawnPose,
  { phase, travel } = { phase: 0, travel: 0 },
): Kit {
  const { palette, surroundings } = look
  const { depth, chroma } = surroundings.coatLight > paleCoat.from ? paleCoat : { depth: 0, chroma: 1 }
  const color = ([l, c, h]: Tone, pull: number) => hexOf(l - depth, c * chroma, mixHue(h, surroundings.hue, pull))
  const hour = (isIndoors(setting) ? indoorLight : outdoorLight)[setting.time]
  const weather = isIndoors(setting) ? plain : weatherLight[setting.weather]
  const tone: Kit['tone'] = (l, c, h, pull = 0.22) =>
    color(under(hour, under(weather, [l, c, h])), pull * (1 - hour.share))
  return {
    ...{ look, setting, pose, phase, travel, tone },
    stage: stageOf(setting.pet),
    accent: palette.accent,
    accentDark: palette.accentDark,
    snow: tone(0.97, 0.012, hues.sky),
    thing: (l, c, h) => color(under(hour, [l, c, h], 0.4), 0),
    bright: (l, c, h) => color([l, c, h], 0),
  }
}

/**
 * Returns the change of a color by the hour and the weather of a setting; `part` is the strength, from 0 to 1.
 * Undefined in plain daylight.
 */
export function lightOf(setting: SceneSetting): ((tone: Tone, part: number) => Tone) | undefined {
  const hour = (isIndoors(setting) ? indoorLight : outdoorLight)[setting.time]
  const weather = isIndoors(setting) ? plain : weatherLight[setting.weather]
  if (hour === plain && weather === plain) return undefined
  return (tone, part) => under(hour, under(weather, tone, part), part)
}

function under(light: Light, tone: Tone, part = 1): Tone {
  if (light === plain) return tone
  const [l, c, h] = tone
  const { scale, lift, chroma, tint, share } = light
  const some = (from: number, to: number) => from + (to - from) * part
  const own = some(c, c * chroma) * (1 - share * part)
  const [tintChroma, tintHue] = [tint[0] * share * part, tint[1]]
  const mixed = lchOfLab({
    l: some(l, l * scale + lift),
    a: own * Math.cos(h) + tintChroma * Math.cos(tintHue),
    b: own * Math.sin(h) + tintChroma * Math.sin(tintHue),
  })
  return [mixed.l, mixed.c, mixed.h]
}

/** A smaller pet stands farther away, so higher in the picture. */
const depth = 150

/** The position of the pet: its own coordinates, in which it looks right, and those of the picture. */
interface PetPlacement {
  /** 1 if it looks right, -1 if it looks left. */
  readonly side: 1 | -1
  readonly scale: number
  toPicture(at: Point): Point
  toPet(at: Point): Point
  /** Places a drawing in the pet's coordinates. */
  put(drawing: string): string
}

export function stageOf({ faces, x = 0, scale = 1 }: Staging): PetPlacement {
  const side = faces === 'left' ? -1 : 1
  const middle = point(width / 2 + x, ground + (scale - 1) * depth)
  const size = side * scale
  const move = `translate(${num(middle.x)} ${num(middle.y)}) scale(${size} ${scale}) translate(${-width / 2} ${-ground})`
  const isPlain = size === 1 && x === 0
  return {
    side,
    scale,
    toPicture: (at) => point(middle.x + (at.x - width / 2) * size, middle.y + (at.y - ground) * scale),
    toPet: (at) => point((at.x - middle.x) / size + width / 2, (at.y - middle.y) / scale + ground),
    put: (drawing) => (isPlain ? drawing : `<g transform="${move}">${drawing}</g>`),
  }
}

const lawns: Readonly<Record<Season, Tone>> = {
  spring: [0.84, 0.12, 2.2],
  summer: [0.81, 0.11, hues.grass],
  autumn: [0.82, 0.1, 1.95],
  winter: [0.87, 0.05, 2.1],
}

/** The color of the ground where plants grow; `darker` lowers its lightness. */
export function landColor(kit: Kit, darker = 0, faint = 1): string {
  if (isSnowy(kit.setting)) return kit.tone(0.965 - darker * 0.6, 0.018, hues.sky)
  const [l, c, h] = lawns[kit.setting.season]
  return kit.tone(l - darker, c * faint, h)
}

/** Hills fade with distance and are white in winter. */
export function hillColor(kit: Kit, distance: number): string {
  const { season } = kit.setting
  if (season === 'winter') return kit.tone(0.93 + distance * 0.03, 0.02, hues.sky, 0.4)
  const [l, c, h] = lawns[season]
  return kit.tone(l + distance * 0.07, c * (1 - distance * 0.6), h + 0.12, 0.3)
}

/**
 * A range of hills across the picture, slightly wider than it, so that ranges side by side have no seam; the second
 * shape has its peak on the right.
 */
export function hillRange(kit: Kit, color: string, top: number, height: number, shape: 0 | 1 = 0): string {
  const [a, b] = shape === 0 ? [0.95, 0.35] : [0.3, 1]
  const y = (part: number) => num(top + height * (1 - part))
  const d = `M-6 ${y(0.4)}C150 ${y(a)} 330 ${y(a)} 512 ${y(0.4)}C690 ${y(b - 0.4)} 860 ${y(b)} 1030 ${y(0.4)}V${num(top + height + 60)}H-6Z`
  return passing(kit, `hills${top}`, 1024, 0.45, path(d, color))
}

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
