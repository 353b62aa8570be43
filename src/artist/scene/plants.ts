import { bush, flower, tree, tuft } from '../backdrop/nature.js'
import { hues } from '../backdrop/stage.js'
import { num, path, stroke } from '../rig/svg.js'
import type { Kit, Tone } from './kit.js'
import { at } from './marks.js'
import { isSnowy, type Season } from './setting.js'

/** Crowns of deciduous trees, in turn along a row. */
const crowns: Readonly<Record<Season, readonly [Tone, Tone, Tone]>> = {
  spring: [
    [0.84, 0.085, 0.22],
    [0.78, 0.12, 2.25],
    [0.88, 0.06, 0.2],
  ],
  summer: [
    [0.7, 0.11, 2.4],
    [0.74, 0.105, 2.35],
    [0.66, 0.11, 2.45],
  ],
  autumn: [
    [0.72, 0.14, 1],
    [0.8, 0.14, 1.45],
    [0.63, 0.15, 0.66],
  ],
  winter: [
    [0.6, 0.03, 1.1],
    [0.63, 0.03, 1.1],
    [0.57, 0.03, 1.1],
  ],
}

const lawns: Readonly<Record<Season, Tone>> = {
  spring: [0.84, 0.12, 2.2],
  summer: [0.81, 0.11, hues.grass],
  autumn: [0.82, 0.1, 1.95],
  winter: [0.87, 0.05, 2.1],
}

/** The colour of the ground where plants grow; `darker` lowers its lightness. */
export function landColour(kit: Kit, darker = 0, faint = 1): string {
  const { season } = kit.setting
  if (isSnowy(kit.setting)) return kit.tone(0.965 - darker * 0.6, 0.018, hues.sky)
  const [l, c, h] = lawns[season]
  return kit.tone(l - darker, c * faint, h)
}

/** Hills fade with distance and are white in winter. */
export function hillColour(kit: Kit, distance: number): string {
  const { season } = kit.setting
  if (season === 'winter') return kit.tone(0.93 + distance * 0.03, 0.02, hues.sky, 0.4)
  const [l, c, h] = lawns[season]
  return kit.tone(l + distance * 0.07, c * (1 - distance * 0.6), h + 0.12, 0.3)
}

export function leafyTree(kit: Kit, x: number, foot: number, scale: number, which = 0): string {
  const { season } = kit.setting
  if (season === 'winter') return bareTree(kit, x, foot, scale)
  const [l, c, h] = crowns[season][which % 3] ?? crowns[season][0]
  const colours = {
    trunk: kit.tone(0.55, 0.06, hues.wood),
    leaves: kit.tone(l, c, h, 0.1),
    light: kit.tone(l + 0.08, c, h, 0.1),
  }
  const dots = 'M-40-150h.1M10-190h.1M44-150h.1M-10-120h.1M26-222h.1M60-180h.1'
  const blossoms = season === 'spring' ? at(x, foot, stroke(dots, '#fff', 15, 'stroke-opacity=".75"'), scale) : ''
  return tree(x, foot, scale, colours) + blossoms
}

function bareTree(kit: Kit, x: number, foot: number, scale: number): string {
  const wood = kit.tone(0.5, 0.035, hues.wood)
  const trunk = path('M-12 4L-6-120H7L13 4Z', wood)
  const limbs =
    'M0-90L-44-150L-72-176M-44-150L-44-200M0-110L8-210M5-170L34-214M2-120L52-160L58-206M52-160L84-176M-20-118L-66-132'
  const snow = 'M-46-156L-74-182M-6-116L-20-124M54-166L86-182M8-168L34-220'
  const white = isSnowy(kit.setting) ? stroke(snow, kit.tone(0.97, 0.01, hues.sky), 8) : ''
  return at(x, foot, trunk + stroke(limbs, wood, 8) + white, scale)
}

export function fir(kit: Kit, x: number, foot: number, scale: number, far = 0): string {
  const green = kit.tone(0.52 + far * 0.28, 0.075 * (1 - far * 0.6), 2.7)
  const light = kit.tone(0.6 + far * 0.24, 0.08 * (1 - far * 0.6), 2.7)
  const body = 'M0-300L48-206H28L74-122H46L98-34H-98L-46-122H-74L-28-206H-48Z'
  const lit = 'M0-300L-48-206H-28L-74-122H-46L-98-34H-40L-10-130L-6-220Z'
  const snow =
    'M0-300L34-232Q16-244 2-228Q-16-246-34-232ZM-60-148Q-40-164-24-146Q-2-168 20-146Q40-160 58-150L46-122Q0-136-46-122ZM-80-66Q-50-84-30-62Q0-88 34-62Q58-80 80-66L98-34Q0-50-98-34Z'
  const white = isSnowy(kit.setting) ? path(snow, kit.tone(0.97, 0.012, hues.sky)) : ''
  const trunk = path('M-12-36H12V4H-12Z', kit.tone(0.45 + far * 0.3, 0.05, hues.wood))
  return at(x, foot, trunk + path(body, green) + path(lit, light, 'fill-opacity=".55"') + white, scale)
}

export function shrub(kit: Kit, x: number, foot: number, scale: number): string {
  const { season } = kit.setting
  const white = isSnowy(kit.setting)
  const [l, c, h] = white
    ? ([0.95, 0.015, hues.sky] as const)
    : season === 'autumn'
      ? ([0.66, 0.11, 1.7] as const)
      : ([0.68, season === 'winter' ? 0.05 : 0.11, hues.leaf] as const)
  return bush(x, foot, scale, kit.tone(l - (white ? 0.06 : 0), c, h), kit.tone(l + 0.1, c, h))
}

/** The plants of a lawn, sparse or dense with the season. */
export function growth(kit: Kit, spots: readonly (readonly [x: number, y: number, scale: number])[]): string {
  if (isSnowy(kit.setting)) return ''
  const blade = landColour(kit, 0.15, 1.1)
  return spots
    .map(([x, y, scale], index) => {
      const blooms = kit.setting.season === 'spring' && index % 2 === 0
      return tuft(x, y, scale, blade) + (blooms ? bloom(kit, x + 40 * scale, y - 8, 8 * scale, index) : '')
    })
    .join('')
}

const petals: readonly Tone[] = [
  [0.97, 0.01, 1.6],
  [0.8, 0.11, hues.rose],
  [0.88, 0.14, 1.6],
  [0.72, 0.12, 5],
]

export function bloom(kit: Kit, x: number, y: number, size: number, which: number): string {
  const [l, c, h] = petals[which % petals.length] ?? [1, 0, 0]
  return flower(x, y, size, kit.thing(l, c, h), which % petals.length === 2 ? '#fff' : kit.thing(0.84, 0.15, hues.sun))
}

const leafTones: readonly Tone[] = [
  [0.66, 0.16, 0.7],
  [0.74, 0.15, 1.05],
  [0.82, 0.15, 1.5],
  [0.58, 0.12, 0.8],
]

/** Defines the leaves that `leaf` places, once per document. */
export function defineLeaves(kit: Kit): string {
  const shape = 'M-26 2C-18-16-2-20 10-16C20-14 26-6 30 0C22 10 8 18-6 14C-16 12-22 8-26 2L-36 6Z'
  const kinds = leafTones.map(
    ([l, c, h], index) =>
      `<g id="leaf${index}">${path(shape, kit.thing(l, c, h))}${stroke('M-30 3Q0-4 20-1', kit.thing(l - 0.12, c, h), 2.4)}</g>`,
  )
  return `<defs>${kinds.join('')}</defs>`
}

/** A fallen leaf. */
export function leaf(x: number, y: number, scale: number, which: number): string {
  const move = `translate(${num(x)} ${num(y)}) rotate(${(which * 67) % 360}) scale(${Math.round(scale * 100) / 100})`
  return `<use href="#leaf${which % leafTones.length}" transform="${move}"/>`
}
