/** Color arithmetic in OKLab, where equal steps look equal. Lightness and chroma are 0 to 1, hue is in radians. */

export interface Lab {
  readonly l: number
  readonly a: number
  readonly b: number
}

/** A color in OKLab: lightness, chroma, hue. */
export type Tone = readonly [lightness: number, chroma: number, hue: number]

export interface Lch {
  readonly l: number
  readonly c: number
  readonly h: number
}

/** Converts sRGB bytes to OKLab, rounded so that machines whose `cbrt` differs in the last bit agree. */
export function labOfRgb(red: number, green: number, blue: number): Lab {
  const [r, g, b] = [linear[red] ?? 0, linear[green] ?? 0, linear[blue] ?? 0]
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    l: toMillionths(0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short),
    a: toMillionths(1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short),
    b: toMillionths(0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short),
  }
}

/** Converts `#rrggbb` to OKLab. */
export function labOfHex(hex: string): Lab {
  const byte = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return labOfRgb(byte(1), byte(3), byte(5))
}

export function lchOfLab({ l, a, b }: Lab): Lch {
  return { l, c: toMillionths(Math.hypot(a, b)), h: toMillionths(Math.atan2(b, a)) }
}

/** Formats a color as `#rrggbb`, clipped to sRGB. */
export function hexOf(l: number, c: number, h: number): string {
  const [a, b] = [c * Math.cos(h), c * Math.sin(h)]
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const rgb = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
  return `#${rgb.map((channel) => gammaByte(channel).toString(16).padStart(2, '0')).join('')}`
}

/** The smaller angle between two hues, 0 to pi. */
export function hueGap(one: number, other: number): number {
  return Math.abs(Math.atan2(Math.sin(one - other), Math.cos(one - other)))
}

/** Returns the hue at a fraction of the shorter way from one to the other. */
export function mixHue(from: number, to: number, fraction: number): number {
  return from + Math.atan2(Math.sin(to - from), Math.cos(to - from)) * fraction
}

export function toMillionths(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}

/** The light of each sRGB byte: a photo has thousands of pixels, and a power is slow. */
const linear = Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
})

function gammaByte(value: number): number {
  const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
  // Rounded twice, so that a last bit that differs between machines does not change a byte.
  return Math.round(toMillionths(255 * clamp(encoded, 0, 1)))
}
