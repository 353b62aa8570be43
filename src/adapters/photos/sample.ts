import { readFile } from 'node:fs/promises'
import { shippedUrl } from '../../runtime/entry.js'

/** Reads the bundled photo of a dog or a cat. */
export function readSamplePhoto(species: 'dog' | 'cat'): Promise<Uint8Array> {
  return readFile(shippedUrl(`fixtures/photos/${species}.jpg`))
}
