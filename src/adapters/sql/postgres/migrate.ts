import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { SvcError } from '../../../errors.js'
import { codeOf } from '../../../runtime/reason.js'
import { findPending, runPending } from '../migrate.js'
import { migrations, type SchemaSteps } from '../migrations.js'
import type { Tables } from '../tables.js'
import { connect } from './connection.js'
import { postgresEngine } from './engine.js'

/** A step waits no longer for the transactions of a running service, because all others would wait after it. */
const lockSeconds = 3
const attemptsAtMost = 10

/**
 * Runs the steps that the database lacks, in one process while the others wait, on a connection of its own to `directUrl`.
 * Returns their names. Throws `unavailable` if this program is too old, `invalid_request` if the user may not change tables.
 */
export async function migratePostgres(
  db: Kysely<Tables>,
  directUrl: string,
  known: SchemaSteps = migrations,
): Promise<readonly string[]> {
  // Most starts find nothing to do, and need neither the lock nor the rights.
  if ((await findPending(db, known)).length === 0) return []
  const direct = connect(directUrl, 1)
  try {
    return await runWithRetries(direct.db, known)
  } finally {
    await direct.close()
  }
}

async function runWithRetries(db: Kysely<Tables>, known: SchemaSteps): Promise<readonly string[]> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await runPending(db, lock, known)
    } catch (error) {
      const code = codeOf(error)
      if (code === '42501') {
        const message =
          'The user of the database may not change its tables. Run svc migrate once as a user who may, or grant CREATE on the schema.'
        throw new SvcError('invalid_request', message, { cause: error })
      }
      if (code !== '55P03' || attempts === attemptsAtMost) throw error
    }
    await delay(Math.random() * 1000)
  }
}

/** Takes a lock of the transaction: one of the session would stay at the pooler's server. Waits as long as the steps take. */
async function lock(tx: Transaction<Tables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(tx)
  await sql`set local lock_timeout = 0`.execute(tx)
  await postgresEngine.takeTurn(tx, 'migrations')
  await sql`set local lock_timeout = ${sql.lit(`${lockSeconds}s`)}`.execute(tx)
}
