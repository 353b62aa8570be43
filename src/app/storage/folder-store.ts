import { existsSync } from 'node:fs'
import { tooNew } from '../../adapters/sql/migrate.js'
import { migrations } from '../../adapters/sql/migrations.js'
import { openSqliteStore, type SqliteOptions } from '../../adapters/sql/sqlite/open-store.js'
import { inspectDatabase } from '../../adapters/sql/upkeep/inspect.js'
import { SvcError } from '../../errors.js'
import type { Store } from '../../ports/store.js'
import { type DataDir, openPart, requireNoInterruptedRestore } from '../../runtime/data-dir.js'

/**
 * Opens the database of a data directory. Rejects with `unavailable` if it cannot be used or a restore was interrupted.
 */
export async function openFolderStore(
  { path, database }: DataDir,
  options?: Pick<SqliteOptions, 'report' | 'mayMoveClock' | 'storage'>,
): Promise<Store> {
  const store = await openPart(database, () => openSqliteStore(database, options))
  try {
    // A restore may have started and been killed since the last check. None can start while the store is open.
    requireNoInterruptedRestore(path)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Returns the names of the steps that the database lacks. With `runs`, runs them. */
export async function migrateFolder(folder: DataDir, runs: boolean): Promise<readonly string[]> {
  const pending = existsSync(folder.database) ? findPending(folder.database) : Object.keys(migrations)
  if (runs) await (await openFolderStore(folder)).close()
  return pending
}

function findPending(file: string): readonly string[] {
  const { isTooNew, pendingMigrations } = inspectDatabase(file)
  if (isTooNew) throw new SvcError('unavailable', tooNew)
  return pendingMigrations
}
