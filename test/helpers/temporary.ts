import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
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

/**
 * Returns a folder in memory, if there is one with enough space: a disk needs seven times the CPU time for the 300 files of
 * each database of PostgreSQL.
 */
export function findMemoryFolder(): string | undefined {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return undefined
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize < 2 ** 31 ? undefined : folder
}
