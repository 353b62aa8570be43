/** Prints a digest of all drawings of a dog and of a cat: `artwork-digest.ts PHOTO PHOTO`. Runs in its own process. */
import { readFile } from 'node:fs/promises'
import { readLook } from '../../src/artist/look.js'
import { digestOf } from './artwork.js'

const [dog = '', cat = ''] = process.argv.slice(2)
async function print(): Promise<void> {
  process.stdout.write(`${digestOf(await readLook(await readFile(dog), 'dog'))}\n`)
  process.stdout.write(`${digestOf(await readLook(await readFile(cat), 'cat'))}\n`)
}
void print()
