/** A part of a picture, in pixels. */
export interface Crop {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly top: number
}

/** Aspects that differ by less are equal: sizes of videos are multiples of 8 or 16. */
const tolerance = 0.03

/**
 * Returns the middle of a picture in another aspect (width divided by height), in even pixels, as video needs; undefined if
 * the picture has about that aspect.
 */
export function findCrop(width: number, height: number, aspect: number | undefined): Crop | undefined {
  if (aspect === undefined || Math.abs(width / height / aspect - 1) <= tolerance) return undefined
  const isWide = width / height > aspect
  const part = { width: toEven(isWide ? height * aspect : width), height: toEven(isWide ? height : width / aspect) }
  return { ...part, left: Math.max(0, (width - part.width) >> 1), top: Math.max(0, (height - part.height) >> 1) }
}

const toEven = (pixels: number) => Math.max(2, Math.floor(pixels / 2) * 2)
