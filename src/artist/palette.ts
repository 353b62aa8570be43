import type { Cluster } from './clusters.js'
import { clamp, hexOf, hueGap, type Lch, type Tone } from './rig/oklab.js'

/** The colors of a pet, each `#rrggbb`. */
export interface Palette {
  readonly coat: string
  /** The coat in light, in its own shadow, on the far legs, and the outline. */
  readonly lit: string
  readonly shade: string
  readonly far: string
  readonly line: string
  /** Muzzle, belly and socks, and their shadow. */
  readonly pale: string
  readonly paleShade: string
  /** Saddle, stripes, patches. */
  readonly mark: string
  /** Inside of the ears. */
  readonly ear: string
  readonly nose: string
  readonly iris: string
  readonly irisDark: string
  readonly whisker: string
  readonly ink: string
  /** Collar. */
  readonly accent: string
  readonly accentDark: string
  readonly tongue: string
  /** Inside of the mouth. */
  readonly mouth: string
}

/** The coat, as read from the photo. */
export interface Coat {
  /** As in the photo, and as drawn. */
  readonly seen: Cluster
  readonly base: Lch
  readonly second: Cluster
  readonly backdrop: Cluster
}

/** Hues that no coat has: grass, sky, most carpets. */
const foreign = { from: 1.95, to: 5.4, leastChroma: 0.04 }
/** A coat without color of its own looks dead when drawn, so it gets a touch of brown. */
const neutral = { below: 0.02, hue: 1.3, chroma: 0.002 }

/** The coat has the colors of the photo's center that are not in its border; the backdrop has those of the border. */
export function coatOf(clusters: readonly Cluster[]): Coat {
  const ranked = [...clusters].sort((one, other) => petness(other) - petness(one))
  const [first, ...others] = ranked
  if (!first) throw new RangeError('a photo has colors')
  const contrasting = others.find((other) => Math.abs(other.l - first.l) > 0.14 && isMarking(other))
  const border = [...clusters].sort((one, other) => other.border - one.border)[0] ?? first
  return { seen: first, base: drawnCoat(first), second: contrasting ?? first, backdrop: border }
}

function petness(cluster: Cluster): number {
  return cluster.middle - 0.55 * cluster.border - (isForeign(cluster) ? 0.7 : 0)
}

/** True if a color belongs to the pet and not to its surroundings. */
function isMarking(cluster: Cluster): boolean {
  return cluster.middle > 0.06 && cluster.middle > cluster.border && !isForeign(cluster)
}

function isForeign({ c, h }: Lch): boolean {
  const turned = h < 0 ? h + 2 * Math.PI : h
  return c > foreign.leastChroma && turned > foreign.from && turned < foreign.to
}

/** Photos look dull as flat colors, so the drawn coat is clearer; the range leaves room for shadow and light. */
function drawnCoat(seen: Cluster): Lch {
  const { l, c, h } = seen
  const gray = c < neutral.below || isForeign(seen)
  // A brown coat keeps its color, which would look orange; a ginger one gets more.
  const chroma = gray ? Math.min(c, neutral.below) + neutral.chroma : c * clamp(0.55 + c * 7, 0.9, 1.25)
  return { l: clamp(l * 0.94 + 0.065, 0.36, 0.955), c: clamp(chroma, 0.004, 0.12), h: gray ? neutral.hue : h }
}

/** `seed` selects the color of the eyes, which photos rarely show well enough. */
export function paletteOf({ seen, base, second }: Coat, species: 'dog' | 'cat', seed: number): Palette {
  const { l, c, h } = base
  const pale = second.l > seen.l + 0.14 ? second : { l: l + 0.18, c: c * 0.4, h }
  const dark = second.l < seen.l - 0.1 ? second : { l: l - 0.19, c: c * 0.85, h }
  const tan = isTan(base, second)
  const paleLight = tan ? clamp(pale.l + 0.16, 0.64, 0.8) : clamp(pale.l + 0.07, 0.82, 0.975)
  const paleChroma = tan ? clamp(pale.c * 2.4, 0.05, 0.085) : Math.min(pale.c, 0.04)
  const accentHue = accentHueFor(base, seed >> 2)
  const eyes = species === 'cat' ? catEyes : dogEyes
  const [eyeLight, eyeChroma, eyeHue] = eyes[seed % eyes.length] ?? [0.5, 0.08, 1]
  const darkEar = l < 0.5
  const shadow = shadowOf(l, c, h)
  const paleShadow = shadowOf(paleLight, paleChroma, pale.h)
  return {
    coat: hexOf(l, c, h),
    lit: hexOf(clamp(l + (l < 0.5 ? 0.08 : 0.055), 0, 0.985), c * 0.95, h + 0.08),
    shade: hexOf(l - 0.07, shadow.c, shadow.h),
    far: hexOf(l - 0.105, shadow.c, shadow.h),
    line: hexOf(clamp(l - 0.27, 0.17, 0.56), clamp(shadow.c * 0.8 + 0.006, 0, 0.075), shadow.h),
    pale: hexOf(paleLight, paleChroma, pale.h),
    paleShade: hexOf(paleLight - 0.085, paleShadow.c, paleShadow.h),
    mark: hexOf(clamp(Math.min(dark.l, l - 0.13), 0.24, 0.72), clamp(dark.c, 0.008, 0.09), dark.c < 0.02 ? h : dark.h),
    ear: darkEar ? hexOf(0.5, 0.06, 0.35) : hexOf(0.76, 0.085, 0.45),
    nose: species === 'cat' && l > 0.45 ? hexOf(0.68, 0.1, 0.4) : hexOf(0.25, 0.015, 0.6),
    iris: hexOf(eyeLight, eyeChroma, eyeHue),
    irisDark: hexOf(eyeLight - 0.16, eyeChroma * 0.9, eyeHue - 0.15),
    whisker: l > 0.78 ? hexOf(0.62, 0.01, 1) : '#ffffff',
    ink: hexOf(0.22, 0.018, h),
    accent: hexOf(0.62, 0.16, accentHue),
    accentDark: hexOf(0.5, 0.14, accentHue),
    tongue: hexOf(0.7, 0.13, 0.25),
    mouth: hexOf(0.34, 0.08, 0.3),
  }
}

/** The color of a shadow on fur: cool on white, where a brown one would look like dirt. */
function shadowOf(l: number, c: number, h: number): Omit<Lch, 'l'> {
  return l > 0.86 && c < 0.03 ? { c: 0.01, h: 5 } : { c: c + 0.006, h: h - 0.1 }
}

/** True if a dark coat has markings that are paler than it, but not white. */
export function isTan(base: Lch, second: Lch): boolean {
  return base.l < 0.42 && second.l > base.l + 0.08 && second.l < 0.78
}

/** Collars are blue, red, teal or violet, whichever has the best contrast. */
function accentHueFor({ c, h }: Lch, seed: number): number {
  const distinct = collarHues.filter((hue) => c < 0.03 || hueGap(hue, h) > 1)
  return distinct[seed % distinct.length] ?? collarHues[0]
}

const collarHues = [4.35, 0.45, 3.3, 5.1] as const

const catEyes: readonly Tone[] = [
  [0.82, 0.15, 2.05],
  [0.8, 0.14, 1.6],
  [0.79, 0.15, 2.45],
  [0.77, 0.14, 1.35],
]
const dogEyes: readonly Tone[] = [
  [0.45, 0.08, 1],
  [0.5, 0.09, 1.1],
  [0.4, 0.06, 0.9],
]

/** The hue of the surroundings: that of the photo, unless it is the coat's, in which the pet would vanish. */
export function backdropHue({ base, backdrop }: Coat): number {
  const hue = backdrop.c < 0.03 ? 3.9 : backdrop.h
  if (base.c < 0.03 || hueGap(hue, base.h) > 0.9) return hue
  return base.l > 0.6 ? 3.4 : 2.6
}
