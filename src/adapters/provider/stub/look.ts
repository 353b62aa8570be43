import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { readColours } from './clusters.js'
import { backdropHue, coatOf, type Palette, paletteOf } from './palette.js'
import { type Traits, traitsOf } from './traits.js'

export type Species = 'dog' | 'cat'

/** All that is drawn of one pet, as plain data: made once of its photo, sent to any thread. */
export interface Look {
  readonly species: Species
  readonly palette: Palette
  readonly traits: Traits
  readonly surroundings: Surroundings
  /** A square of the photo's most telling part, as a data URI. */
  readonly medallion: string
}

export interface Surroundings {
  /** In radians of OKLab, far enough from the coat's for the pet to stand out. */
  readonly hue: number
  /** How light the coat is, 0 to 1: pale pets get deeper scenes. */
  readonly coatLight: number
}

const medallionSide = 160

/**
 * Reads from a photo how the pet is drawn. The same bytes give the same look everywhere, always.
 * `photo` must be a picture that was checked before: sharp's error is thrown for what it cannot decode.
 */
export async function readLook(photo: Uint8Array, species: Species): Promise<Look> {
  const { clusters, texture } = await readColours(photo)
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
    .toColourspace('srgb')
    .jpeg({ quality: 82 })
    .toBuffer()
  return `data:image/jpeg;base64,${crop.toString('base64')}`
}
