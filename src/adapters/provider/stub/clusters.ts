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
    centres = centres.map((centre, index) => meanOf(pixels.filter((_, at) => nearest[at] === index)) ?? centre)
  }
  const weights = pixels.map((_, index) => weightsAt(index))
  const share = (cluster: number, part: 'middle' | 'border') => {
    const sum = weights.reduce((total, weight, at) => total + (nearest[at] === cluster ? weight[part] : 0), 0)
    return toMillionths(sum / weights.reduce((total, weight) => total + weight[part], 0))
  }
  return centres.map((centre, index) => ({
    ...lchOfLab(centre),
    middle: share(index, 'middle'),
    border: share(index, 'border'),
  }))
}

function nearestOf(pixel: Lab, centres: readonly Lab[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [index, { l, a, b }] of centres.entries()) {
    const gap = (pixel.l - l) ** 2 + chromaWeight * ((pixel.a - a) ** 2 + (pixel.b - b) ** 2)
    if (gap < least) [best, least] = [index, gap]
  }
  return best
}

function meanOf(pixels: readonly Lab[]): Lab | undefined {
  if (pixels.length === 0) return undefined
  const mean = (pick: (pixel: Lab) => number) =>
    toMillionths(pixels.reduce((total, pixel) => total + pick(pixel), 0) / pixels.length)
  return { l: mean((pixel) => pixel.l), a: mean((pixel) => pixel.a), b: mean((pixel) => pixel.b) }
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
