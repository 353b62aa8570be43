import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Creates a temporary folder. The test that opens it closes it. */
export function openTemporaryFolder(parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, 'svc-test-'))
  return {
    folder,
    /** Writes a file and returns its path. */
    write: (name: string, content: string | Uint8Array): string => {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
