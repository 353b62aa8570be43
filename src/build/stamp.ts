import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { globSync } from 'tinyglobby'

const root = fileURLToPath(new URL('../../', import.meta.url))
const stamp = new URL('../generated/inputs.sha256', import.meta.url)

/** True if the last build finished, and nothing that it read or wrote changed since. */
export function isBuilt(): boolean {
  return existsSync(stamp) && existsSync(`${root}dist/cli.cjs`) && readFileSync(stamp, 'utf8') === hashInputs()
}

/** Forgets the last build, while the next one runs. */
export function clearStamp(): void {
  rmSync(stamp, { force: true })
}

export function writeStamp(): void {
  writeFileSync(stamp, hashInputs())
}

/** Also of the version of Node: V8 refuses a code cache of another one. */
function hashInputs(): string {
  const hash = createHash('sha256').update(process.version)
  const inputs = [
    'src/**',
    'catalog/**',
    'fixtures/**',
    'bin/**',
    'test/main-server/*.mjs',
    'package.json',
    'package-lock.json',
  ]
  const files = globSync(inputs, { cwd: root, dot: true, ignore: ['src/generated/*.sha256', '**/README.md'] })
  for (const file of files.sort()) {
    const content = readFileSync(`${root}${file}`)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
