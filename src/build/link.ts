/**
 * Links `node_modules/.bin/svc` to this checkout's program, so that `npx svc` here starts it at once and offline.
 * Without the link npx installs the checkout into its own cache first. Windows needs more than a link: there npx does that.
 */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

if (process.platform !== 'win32') {
  const folder = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  rmSync(`${folder}svc`, { force: true })
  symlinkSync('../../bin/svc.js', `${folder}svc`)
}
