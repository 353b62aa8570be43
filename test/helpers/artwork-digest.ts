/** Prints a digest of all drawings of a photo: `artwork-digest.ts PHOTO SPECIES`. Runs in its own process. */
import { readFile } from 'node:fs/promises'
import { readLook, type Species } from '../../src/artist/look.js'
import { digestOf } from './artwork.js'

const [photo = '', species] = process.argv.slice(2)
async function print(): Promise<void> {
  const look = await readLook(await readFile(photo), species as Species)
  process.stdout.write(`${digestOf(look)}\n`)
}
void print()
