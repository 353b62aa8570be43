import { type Kysely, PostgresAdapter } from 'kysely'

/** True on PostgreSQL, for the few statements that differ. */
export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
