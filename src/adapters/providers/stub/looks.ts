import { webcrypto } from 'node:crypto'
import type { Look, Species } from '../../../artist/look.js'

/** A cache of pet looks by photo and species. */
export interface Looks {
  /** Throws the error of `read`, and does not cache it. */
  find(photo: Uint8Array, species: Species): Promise<Look>
}

/** One look takes about 10 kB. */
const looksKept = 16

/** Reads every look once, even if it is requested again before it is ready: the poses of a pet arrive together. */
export function createLooks(read: (photo: Uint8Array, species: Species) => Promise<Look>): Looks {
  const looks = new Map<string, Promise<Look>>()
  return {
    async find(photo, species) {
      // Unlike `createHash`, this does not block the main thread.
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
