import { webcrypto } from 'node:crypto'
import type { Look, Species } from './look.js'

/** The looks of the pets that were drawn last, by photo and species. */
export interface Looks {
  /** Throws what `read` throws, and forgets it. */
  find(photo: Uint8Array, species: Species): Promise<Look>
}

/** A look takes about 10 kB. */
const looksKept = 16

/** Has every look read once, also when it is asked for again before it is there: the poses of a pet come together. */
export function createLooks(read: (photo: Uint8Array, species: Species) => Promise<Look>): Looks {
  const looks = new Map<string, Promise<Look>>()
  return {
    async find(photo, species) {
      // Unlike `createHash`, this leaves the main thread free.
      const digest = await webcrypto.subtle.digest('SHA-256', photo)
      const key = `${species} ${Buffer.from(digest).toString('base64')}`
      const known = looks.get(key)
      if (known !== undefined) return known
      const look = read(photo, species)
      const [oldest] = looks.keys()
      if (oldest !== undefined && looks.size >= looksKept) looks.delete(oldest)
      looks.set(key, look)
      look.catch(() => {
        if (looks.get(key) === look) looks.delete(key)
      })
      return look
    },
  }
}
