import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import open from 'open'
import { escapeHtml } from '../../text/html.js'

/** The time in which the browser reads the file. */
const lifeMs = 60_000

/**
 * Opens an address with a key in the browser of this desktop, or says that it cannot. The browser gets a file that redirects,
 * which other users cannot read: they can read its arguments (`ps`). Returns the function that removes the file; a minute does.
 */
export async function openInBrowser(address: string): Promise<() => void> {
  let folder: string | undefined
  const remove = () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    // Its mode is 0700.
    folder = mkdtempSync(join(tmpdir(), 'svc-open-'))
    const file = join(folder, 'open.html')
    const page = `<!doctype html><meta http-equiv="refresh" content="0; url=${escapeHtml(address)}"><title>svc</title>\n`
    writeFileSync(file, page, { mode: 0o600 })
    setTimeout(remove, lifeMs).unref()
    await open(file)
  } catch {
    remove()
    process.stderr.write('svc: No browser could be opened; open the address yourself.\n')
  }
  return remove
}
