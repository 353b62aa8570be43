/** Prints a digest of all drawings of a photo: `artwork-digest.ts PHOTO SPECIES`. Run in a process of its own. */
import { readFile } from 'node:fs/promises'
import { readLook, type Species } from '../../src/adapters/provider/stub/look.js'
import { digestOf } from './artwork.js'

const [photo = '', species] = process.argv.slice(2)
process.stdout.write(digestOf(await readLook(await readFile(photo), species as Species)))
