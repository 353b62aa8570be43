import { readFile } from 'node:fs/promises'
import { shippedUrl } from '../../entry.js'

/** The photo of a dog or a cat that travels with the program. */
export function readSamplePhoto(species: 'dog' | 'cat'): Promise<Uint8Array> {
  return readFile(shippedUrl(`fixtures/photos/${species}.jpg`))
}
