import open from 'open'

/** Opens an address in the browser of this desktop; answers whether one could be started. */
export async function openInBrowser(address: string): Promise<boolean> {
  try {
    await open(address)
    return true
  } catch {
    // Whatever the desktop lacks, the address has been printed.
    return false
  }
}
