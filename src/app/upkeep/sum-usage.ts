import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { sumDays } from '../../adapters/sql/usage-days.js'
import type { DataDir } from '../../runtime/data-dir.js'

/** Sums the usage of days that are over in a data directory. */
export async function sumUsage({ database: file }: DataDir, now: number): Promise<void> {
  const { db, engine, commit, close } = openSqliteUpkeep(file)
  try {
    await sumDays(db, engine, commit, now)
  } finally {
    await close()
  }
}
