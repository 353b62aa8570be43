import type { Tone } from '../rig/oklab.js'
import type { Point } from '../rig/points.js'
import { num, oval, path, rect, stroke } from '../rig/svg.js'
import { hues, type Kit, landColor, type Thing } from './kit.js'
import { around, at, type Spot, shadow } from './marks.js'
import { isSnowy, type Season } from './setting.js'

/** Crowns of deciduous trees, in turn along a row. */
const crowns: Readonly<Record<Exclude<Season, 'winter'>, readonly [Tone, Tone, Tone]>> = {
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
}

/** A deciduous tree; `far`, from 0 to 1, fades it. */
export function leafyTree(kit: Kit, x: number, foot: number, scale: number, which = 0, far = 0): string {
  const { season } = kit.setting
  if (season === 'winter') return bareTree(kit, x, foot, scale, far)
  const [l, c, h] = crowns[season][which % 3] ?? crowns[season][0]
  const faded = (lightness: number, chroma: number, hue: number) =>
    kit.tone(lightness + far * 0.14, chroma * (1 - far * 0.5), hue, 0.1)
  const crown = 'M-78-118C-96-160-70-196-46-200C-34-244 40-246 52-204C84-198 98-154 78-122C60-84-60-84-78-118Z'
  const shine = 'M-58-136C-66-168-46-186-28-188C-18-214 22-218 30-196C0-190-22-176-30-150C-36-134-50-126-58-136Z'
  const blossoms = 'M-40-150h.1M10-190h.1M44-150h.1M-10-120h.1M26-222h.1M60-180h.1'
  const drawing = [
    path('M-9 4L-6-110H8L11 4Z', faded(0.55, 0.06, hues.wood)),
    path(crown, faded(l, c, h)),
    path(shine, faded(l + 0.08, c, h), 'fill-opacity=".6"'),
    season === 'spring' ? stroke(blossoms, '#fff', 15, 'stroke-opacity=".75"') : '',
  ]
  return at(x, foot, drawing.join(''), scale)
}

function bareTree(kit: Kit, x: number, foot: number, scale: number, far: number): string {
  const wood = kit.tone(0.5 + far * 0.14, 0.035, hues.wood)
  const limbs =
    'M0-90L-44-150L-72-176M-44-150L-44-200M0-110L8-210M5-170L34-214M2-120L52-160L58-206M52-160L84-176M-20-118L-66-132'
  const snow = 'M-46-156L-74-182M-6-116L-20-124M54-166L86-182M8-168L34-220'
  const white = isSnowy(kit.setting) ? stroke(snow, kit.snow, 8) : ''
  return at(x, foot, path('M-12 4L-6-120H7L13 4Z', wood) + stroke(limbs, wood, 8) + white, scale)
}

/** `color` returns its colors: those of the surroundings unless it is a thing near the pet. */
export function fir(kit: Kit, x: number, foot: number, scale: number, far = 0, color: Kit['thing'] = kit.tone): string {
  const green = color(0.52 + far * 0.28, 0.085 * (1 - far * 0.65), 2.7)
  const light = color(0.6 + far * 0.24, 0.09 * (1 - far * 0.65), 2.7)
  const snow =
    'M0-300L34-232Q16-244 2-228Q-16-246-34-232ZM-60-148Q-40-164-24-146Q-2-168 20-146Q40-160 58-150L46-122Q0-136-46-122ZM-80-66Q-50-84-30-62Q0-88 34-62Q58-80 80-66L98-34Q0-50-98-34Z'
  const drawing = [
    path('M-12-36H12V4H-12Z', color(0.45 + far * 0.3, 0.05, hues.wood)),
    path('M0-300L48-206H28L74-122H46L98-34H-98L-46-122H-74L-28-206H-48Z', green),
    path('M0-300L-48-206H-28L-74-122H-46L-98-34H-40L-10-130L-6-220Z', light, 'fill-opacity=".55"'),
    isSnowy(kit.setting) ? path(snow, kit.snow) : '',
  ]
  return at(x, foot, drawing.join(''), scale)
}

export function bush(kit: Kit, x: number, foot: number, scale: number): string {
  const { season } = kit.setting
  const white = isSnowy(kit.setting)
  const [l, c, h] = white
    ? ([0.95, 0.015, hues.sky] as const)
    : season === 'autumn'
      ? ([0.66, 0.11, 1.7] as const)
      : ([0.68, season === 'winter' ? 0.05 : 0.11, hues.leaf] as const)
  const body = 'M-110 4C-134-34-104-66-76-58C-66-100-6-104 8-68C34-96 84-80 84-46C112-48 124-14 108 4Z'
  const shine = 'M-88-22C-92-44-72-50-58-44C-50-70-22-74-10-58C-34-54-44-44-48-28C-58-18-80-12-88-22Z'
  const drawing =
    path(body, kit.tone(l - (white ? 0.06 : 0), c, h)) + path(shine, kit.tone(l + 0.1, c, h), 'fill-opacity=".6"')
  return at(x, foot, drawing, scale)
}

/** A plant with long leaves in a pale pot. */
export function pottedPlant(kit: Kit, x: number, foot: number): string {
  const pot = (lightness: number, chroma: number) => kit.tone(lightness, chroma, hues.sand, 0.2)
  const drawing = [
    shadow(66),
    path(
      'M0-82C-50-122-88-162-80-232C-30-202 0-142 0-82ZM0-82C50-116 92-152 86-216C36-192 2-138 0-82Z',
      kit.tone(0.54, 0.1, hues.leaf, 0.1),
    ),
    path(
      'M0-76C-34-142-28-222 0-282C30-222 36-142 0-76ZM-2-74C-50-82-84-106-92-142C-46-146-10-116-2-74ZM2-74C46-80 82-102 90-134C52-140 12-114 2-74Z',
      kit.tone(0.62, 0.11, hues.leaf, 0.1),
    ),
    path('M-52-86H52L40 0H-40Z', pot(0.94, 0.02)),
    path('M16-86H52L40 0H12Z', pot(0.87, 0.03)),
    rect(-60, -96, 120, 22, pot(0.96, 0.02), 'rx="8"'),
  ]
  return at(x, foot, drawing.join(''))
}

/** Tufts of grass, the larger the nearer, with flowers in spring and, in gardens and fields, in summer. */
export function growth(kit: Kit, clumps: readonly Point[]): Thing[] {
  if (isSnowy(kit.setting)) return []
  const { season, place } = kit.setting
  const flowery = season === 'spring' || (season === 'summer' && (place === 'garden' || place === 'field'))
  const tuft = path(
    'M-4 0Q-6-13-16-22Q1-16 3 0ZM-3 0Q-4-18 2-33Q7-16 3 0ZM-2 0Q4-14 17-20Q9-8 4 0Z',
    landColor(kit, 0.15, 1.1),
  )
  return clumps.map(({ x, y }, index) => {
    const scale = (y - 640) / 200
    const flower = () => (flowery && index % 5 < 3 ? bloom(kit, x + 44 * scale, y - 8, 8 * scale, index) : '')
    return [x, () => at(x, y, tuft, scale) + flower()]
  })
}

const petals: readonly Tone[] = [
  [0.97, 0.01, 1.6],
  [0.8, 0.11, hues.rose],
  [0.88, 0.14, 1.6],
  [0.72, 0.12, 5],
]

/** The head of a flower. */
export function bloom({ thing }: Kit, x: number, y: number, size: number, which: number): string {
  const [l, c, h] = petals[which % petals.length] ?? [1, 0, 0]
  const petal = thing(l, c, h)
  const heart = which % petals.length === 2 ? '#fff' : thing(0.84, 0.15, hues.sun)
  const centers = around(5, (cos, sin) => `M${num(x + cos * size)} ${num(y + sin * size)}h.1`)
  return stroke(centers, petal, size * 1.44) + oval(x, y, size * 0.6, size * 0.6, heart)
}

const leafTones: readonly Tone[] = [
  [0.66, 0.16, 0.7],
  [0.74, 0.15, 1.05],
  [0.82, 0.15, 1.5],
  [0.58, 0.12, 0.8],
]

/** Fallen leaves, the larger the nearer unless a `scale` is given. Two heaps in one picture need two names. */
export function leaves({ thing }: Kit, name: string, spots: readonly Spot[], scale?: number): string {
  const shape = 'M-26 2C-18-16-2-20 10-16C20-14 26-6 30 0C22 10 8 18-6 14C-16 12-22 8-26 2L-36 6Z'
  const kinds = leafTones.map(
    ([l, c, h], index) =>
      `<g id="${name}${index}">${path(shape, thing(l, c, h))}${stroke('M-30 3Q0-4 20-1', thing(l - 0.12, c, h), 2.4)}</g>`,
  )
  const uses = spots.map(({ x, y, index }) => {
    const leaf = `<use href="#${name}${index % leafTones.length}"/>`
    return at(x, y, leaf, scale ?? 0.48 + (y - 740) / 540, (index * 67) % 360)
  })
  return `<defs>${kinds.join('')}</defs>${uses.join('')}`
}
