import { type Kysely, PostgresAdapter } from 'kysely'

/** True on PostgreSQL, for the few migrations that differ. */
export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
