import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { readColors } from './clusters.js'
import { backdropHue, coatOf, type Palette, paletteOf } from './palette.js'
import { type Traits, traitsOf } from './traits.js'

export type Species = 'dog' | 'cat'

/** The appearance of one pet as plain data, read from its photo and sent to any thread. */
export interface Look {
  readonly species: Species
  readonly palette: Palette
  readonly traits: Traits
  readonly surroundings: {
    /** OKLab hue in radians, far enough from the coat's for the pet to stand out. */
    readonly hue: number
    /** Lightness of the coat, 0 to 1: pale pets get darker surroundings. */
    readonly coatLight: number
  }
  /** A square of the photo's most expressive part, as a data URI; empty if the pictures must not show the photo. */
  readonly medallion: string
}

const medallionSide = 160

/**
 * Reads a pet's appearance from a photo. The same bytes always give the same look, on every machine. The photo must
 * have been checked before: an error of sharp is thrown if it cannot be decoded.
 */
export async function readLook(photo: Uint8Array, species: Species): Promise<Look> {
  const { clusters, texture } = await readColors(photo)
  const digest = createHash('sha256').update(photo).digest()
  const coat = coatOf(clusters)
  return {
    species,
    palette: paletteOf(coat, species, digest[7] ?? 0),
    traits: traitsOf(coat, texture, species, digest),
    surroundings: { hue: backdropHue(coat), coatLight: coat.base.l },
    medallion: await cropMedallion(photo),
  }
}

async function cropMedallion(photo: Uint8Array): Promise<string> {
  const crop = await sharp(photo)
    .resize(medallionSide, medallionSide, { fit: 'cover', position: 'attention' })
    .flatten()
    .toColorspace('srgb')
    .jpeg({ quality: 82 })
    .toBuffer()
  return `data:image/jpeg;base64,${crop.toString('base64')}`
}
