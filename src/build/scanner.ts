import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../insight/scan/assembly/index.ts', import.meta.url))
const options = ['-O3', '--noAssert', '--runtime', 'stub', '--importMemory', '--noExportMemory']

/**
 * Returns the source of `src/generated/scanner.ts`: the scanner as WebAssembly. The compiler prints errors to standard
 * error, then this throws. It runs as a process of its own: under the loader of TypeScript sources all of it would be
 * read again.
 */
export async function generateScanner(): Promise<string> {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js')
  const folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  const file = join(folder, 'scanner.wasm')
  try {
    execFileSync(process.execPath, [compiler, source, '--outFile', file, ...options], { stdio: 'inherit' })
    return `/** WebAssembly, as base64. */\nexport const scannerCode = '${readFileSync(file, 'base64')}'\n`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
