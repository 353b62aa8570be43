import open from 'open'

/** Opens an address in the browser of this desktop. Returns false if no browser could be started. */
export async function openInBrowser(address: string): Promise<boolean> {
  try {
    await open(address)
    return true
  } catch {
    // The address has been printed.
    return false
  }
}
