import sharp from 'sharp'
import { clamp, type Lab, type Lch, labOfRgb, lchOfLab, toMillionths } from './rig/oklab.js'

/** One of a photo's main colors, with its share of the photo's center and border (each 0 to 1). */
export interface Cluster extends Lch {
  readonly middle: number
  readonly border: number
}

export interface PhotoColors {
  readonly clusters: readonly Cluster[]
  /** Texture of the center: 0 for one color, about 0.05 for short fur, over 0.1 for bold stripes. */
  readonly texture: number
}

const side = 64
const clusterCount = 6
const rounds = 12
/** Color has more weight than lightness: a coat in sun and shade is one cluster. */
const chromaWeight = 2.5

/** Reads the main colors from the part of the photo that draws the eye. sharp must be able to decode `photo`. */
export async function readColors(photo: Uint8Array): Promise<PhotoColors> {
  const bytes = await sharp(photo)
    .resize(side, side, { fit: 'cover', position: 'attention' })
    .flatten()
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  const pixels = readPixels(bytes)
  return { clusters: findClusters(pixels), texture: textureOf(pixels) }
}

/** OKLab, three numbers per pixel: objects would be too slow for so many reads. */
function readPixels(bytes: Uint8Array): Float64Array {
  const pixels = new Float64Array(bytes.length)
  for (let at = 0; at < bytes.length; at += 3) {
    const { l, a, b } = labOfRgb(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0)
    pixels[at] = l
    pixels[at + 1] = a
    pixels[at + 2] = b
  }
  return pixels
}

/** K-means from a fixed start (quantiles of lightness), rounded in every iteration, so that all machines agree. */
function findClusters(pixels: Float64Array): Cluster[] {
  let centers = firstCenters(pixels)
  const nearest = new Uint8Array(pixels.length / 3)
  for (let round = 0; round < rounds; round += 1) {
    assignNearest(nearest, pixels, centers)
    centers = meansOf(pixels, nearest, centers)
  }
  const covered = centers.map(() => ({ middle: 0, border: 0 }))
  const whole = { middle: 0, border: 0 }
  for (const [index, cluster] of nearest.entries()) {
    const { middle, border } = weightsAt(index)
    for (const part of [covered[cluster] ?? whole, whole]) {
      part.middle += middle
      part.border += border
    }
  }
  return centers.map((center, index) => ({
    ...lchOfLab(center),
    middle: toMillionths((covered[index]?.middle ?? 0) / whole.middle),
    border: toMillionths((covered[index]?.border ?? 0) / whole.border),
  }))
}

function firstCenters(pixels: Float64Array): Lab[] {
  const at = (index: number, part: number) => pixels[index * 3 + part] ?? 0
  const byLight = Uint16Array.from({ length: pixels.length / 3 }, (_, index) => index).sort(
    (one, other) => at(one, 0) - at(other, 0) || at(one, 1) - at(other, 1) || at(one, 2) - at(other, 2),
  )
  return Array.from({ length: clusterCount }, (_, cluster) => {
    const index = byLight[Math.floor(((cluster + 0.5) / clusterCount) * byLight.length)] ?? 0
    return { l: at(index, 0), a: at(index, 1), b: at(index, 2) }
  })
}

/** Writes the index of the nearest center for each pixel. */
function assignNearest(nearest: Uint8Array, pixels: Float64Array, centers: readonly Lab[]): void {
  for (let index = 0; index < nearest.length; index += 1) {
    const l = pixels[index * 3] ?? 0
    const a = pixels[index * 3 + 1] ?? 0
    const b = pixels[index * 3 + 2] ?? 0
    let least = Number.POSITIVE_INFINITY
    let cluster = 0
    for (const center of centers) {
      const gap = (l - center.l) ** 2 + chromaWeight * ((a - center.a) ** 2 + (b - center.b) ** 2)
      if (gap < least) {
        nearest[index] = cluster
        least = gap
      }
      cluster += 1
    }
  }
}

/** Returns the mean of the pixels nearest to each center; a center without pixels stays. */
function meansOf(pixels: Float64Array, nearest: Uint8Array, centers: readonly Lab[]): Lab[] {
  const sums = addUp(pixels, nearest, centers.length)
  return centers.map((center, cluster) => {
    const [l = 0, a = 0, b = 0, count = 0] = sums.subarray(cluster * 4, cluster * 4 + 4)
    if (count === 0) return center
    return { l: toMillionths(l / count), a: toMillionths(a / count), b: toMillionths(b / count) }
  })
}

/** Four numbers per cluster: the sums of its pixels, and their count. A plain loop, which V8 keeps compiled. */
function addUp(pixels: Float64Array, nearest: Uint8Array, clusters: number): Float64Array {
  const sums = new Float64Array(clusters * 4)
  for (let index = 0; index < nearest.length; index += 1) {
    const at = (nearest[index] ?? 0) * 4
    sums[at] = (sums[at] ?? 0) + (pixels[index * 3] ?? 0)
    sums[at + 1] = (sums[at + 1] ?? 0) + (pixels[index * 3 + 1] ?? 0)
    sums[at + 2] = (sums[at + 2] ?? 0) + (pixels[index * 3 + 2] ?? 0)
    sums[at + 3] = (sums[at + 3] ?? 0) + 1
  }
  return sums
}

/** A bell around the photo's center, and a frame that begins outside the area of most pets. */
function weightsAt(index: number): { middle: number; border: number } {
  const center = (side - 1) / 2
  const away = Math.hypot((index % side) - center, Math.floor(index / side) - center) / (side / 2)
  return { middle: Math.exp(-((away * 1.6) ** 2)), border: away > 0.85 ? 1 : 0 }
}

/** Mean difference of lightness between pixels two apart in the center of the photo. */
function textureOf(pixels: Float64Array): number {
  const lightAt = (x: number, y: number) => pixels[(y * side + x) * 3] ?? 0
  let [total, count] = [0, 0]
  for (let y = side / 4; y < (side * 3) / 4; y += 1) {
    for (let x = side / 4; x < (side * 3) / 4; x += 1) {
      total += Math.abs(lightAt(x, y) - lightAt(x + 2, y)) + Math.abs(lightAt(x, y) - lightAt(x, y + 2))
      count += 2
    }
  }
  return toMillionths(clamp(total / count, 0, 1))
}
