import sharp from 'sharp'
import { clamp, type Lab, type Lch, labOfRgb, lchOfLab, toMillionths } from './rig/oklab.js'

/** One of a photo's main colours, and how much of the photo's middle and border it covers (each 0 to 1). */
export interface Cluster extends Lch {
  readonly middle: number
  readonly border: number
}

export interface PhotoColours {
  readonly clusters: readonly Cluster[]
  /** How busy the middle is: 0 for one colour, about 0.05 for short fur, over 0.1 for bold stripes. */
  readonly texture: number
}

const side = 64
const clusterCount = 6
const rounds = 12
/** Colour weighs more than light: the same coat in sun and shade is one cluster. */
const chromaWeight = 2.5

/** Reads the main colours from the part of the photo that draws the eye. `photo` must be a picture that sharp decodes. */
export async function readColours(photo: Uint8Array): Promise<PhotoColours> {
  const bytes = await sharp(photo)
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .flatten()
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  const pixels = Array.from({ length: side * side }, (_, index) =>
    labOfRgb(bytes[index * 3] ?? 0, bytes[index * 3 + 1] ?? 0, bytes[index * 3 + 2] ?? 0),
  )
  return { clusters: findClusters(pixels), texture: textureOf(pixels) }
}

/** K-means from a fixed start (quantiles of lightness), rounded in every round: the same on every machine. */
function findClusters(pixels: readonly Lab[]): Cluster[] {
  const byLight = [...pixels].sort((one, other) => one.l - other.l || one.a - other.a || one.b - other.b)
  let centres = Array.from({ length: clusterCount }, (_, index) => {
    return byLight[Math.floor(((index + 0.5) / clusterCount) * byLight.length)] ?? { l: 0, a: 0, b: 0 }
  })
  let nearest: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    nearest = pixels.map((pixel) => nearestOf(pixel, centres))
    centres = meansOf(pixels, nearest, centres)
  }
  const covered = centres.map(() => ({ middle: 0, border: 0 }))
  const whole = { middle: 0, border: 0 }
  for (const [index, cluster] of nearest.entries()) {
    const { middle, border } = weightsAt(index)
    for (const part of [covered[cluster] ?? whole, whole]) {
      part.middle += middle
      part.border += border
    }
  }
  return centres.map((centre, index) => ({
    ...lchOfLab(centre),
    middle: toMillionths((covered[index]?.middle ?? 0) / whole.middle),
    border: toMillionths((covered[index]?.border ?? 0) / whole.border),
  }))
}

function nearestOf(pixel: Lab, centres: readonly Lab[]): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  let index = 0
  // Run 300,000 times a photo: no array is made here.
  for (const { l, a, b } of centres) {
    const gap = (pixel.l - l) ** 2 + chromaWeight * ((pixel.a - a) ** 2 + (pixel.b - b) ** 2)
    if (gap < least) {
      best = index
      least = gap
    }
    index += 1
  }
  return best
}

/** The mean of the pixels nearest to each centre; a centre that has none stays. */
function meansOf(pixels: readonly Lab[], nearest: readonly number[], centres: readonly Lab[]): Lab[] {
  const sums = centres.map(() => ({ l: 0, a: 0, b: 0, count: 0 }))
  for (const [index, { l, a, b }] of pixels.entries()) {
    const sum = sums[nearest[index] ?? 0]
    if (sum === undefined) continue
    sum.l += l
    sum.a += a
    sum.b += b
    sum.count += 1
  }
  return centres.map((centre, index) => {
    const { l, a, b, count } = sums[index] ?? { ...centre, count: 0 }
    if (count === 0) return centre
    return { l: toMillionths(l / count), a: toMillionths(a / count), b: toMillionths(b / count) }
  })
}

/** A bell around the photo's centre, and a frame that begins where a pet seldom is. */
function weightsAt(index: number): { middle: number; border: number } {
  const centre = (side - 1) / 2
  const away = Math.hypot((index % side) - centre, Math.floor(index / side) - centre) / (side / 2)
  return { middle: Math.exp(-((away * 1.6) ** 2)), border: away > 0.85 ? 1 : 0 }
}

/** Mean step of lightness between pixels two apart in the middle half of the photo. */
function textureOf(pixels: readonly Lab[]): number {
  let [total, count] = [0, 0]
  for (let y = side / 4; y < (side * 3) / 4; y += 1) {
    for (let x = side / 4; x < (side * 3) / 4; x += 1) {
      const here = pixels[y * side + x]?.l ?? 0
      total +=
        Math.abs(here - (pixels[y * side + x + 2]?.l ?? 0)) + Math.abs(here - (pixels[(y + 2) * side + x]?.l ?? 0))
      count += 2
    }
  }
  return toMillionths(clamp(total / count, 0, 1))
}
