import type { Holders } from './database.js'

/** Returns the ID of the holder for what this process holds besides units. Opened on first use, closed with the store. */
export function createProcessHolder(holders: Holders): () => Promise<string> {
  let holder: Promise<{ readonly id: string }> | undefined
  return async () => {
    holder ??= holders.open()
    try {
      return (await holder).id
    } catch (error) {
      holder = undefined
      throw error
    }
  }
}
