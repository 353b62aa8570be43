import { type Kysely, sql, type Transaction } from 'kysely'
import { SvcError } from '../../errors.js'
import { codeOf } from '../../runtime/reason.js'
import { findSetting, saveSetting } from './database.js'
import { migrations, type SchemaSteps } from './migrations.js'
import type { Tables } from './tables.js'

/** The steps of a database, as this program sees them. */
export interface SchemaState {
  /** Steps that the next start runs. */
  readonly pending: readonly string[]
  /** True if a newer version has worked on the database, and this program must not. */
  readonly isTooNew: boolean
}

const floorName = 'schema_floor'

export const tooNew =
  'A newer version of svc has changed the database so that this one cannot use it. Install that version.'

/** Compares the steps of a database with those that the program knows. `floor` is the last contract step of the database. */
export function compareSteps(
  applied: readonly string[],
  floor: string | undefined,
  known: SchemaSteps = migrations,
): SchemaState {
  const names = Object.keys(known).sort()
  const isOlder = applied.some((name) => !names.includes(name))
  const pending = names.filter((name) => !applied.includes(name))
  const newest = names.at(-1) ?? ''
  return { pending, isTooNew: isOlder && (pending.length > 0 || floor === undefined || newest < floor) }
}

/** Reads the state of a database. Takes no lock. Throws `unavailable` if this program is too old for it. */
export async function findPending(db: Kysely<Tables>, known: SchemaSteps = migrations): Promise<readonly string[]> {
  const applied = await readApplied(db)
  const isNewer = applied.some((name) => !(name in known))
  // The step that made the table is older than all that this program may not know.
  const floor = isNewer ? await findSetting(db, floorName) : undefined
  const { pending, isTooNew } = compareSteps(applied, floor, known)
  if (!isTooNew) return pending
  throw new SvcError('unavailable', tooNew)
}

/**
 * Runs the pending steps in one transaction. `lock` makes other processes wait until its end. Returns the names of the steps
 * that ran here: an empty list if another process was first.
 */
export async function runPending(
  db: Kysely<Tables>,
  lock: (tx: Transaction<Tables>) => Promise<void>,
  known: SchemaSteps = migrations,
): Promise<readonly string[]> {
  return db.transaction().execute(async (tx) => {
    await lock(tx)
    await tx.schema
      .createTable('kysely_migration')
      .ifNotExists()
      .addColumn('name', 'varchar(255)', (column) => column.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute()
    const pending = await findPending(tx, known)
    for (const name of pending) {
      await known[name]?.up(tx).catch(explainForeign)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
        tx,
      )
    }
    if (pending.length > 0) await raiseFloor(tx, known)
    return pending
  })
}

/** A table that no step has made is of another program. */
function explainForeign(cause: Error): never {
  if (!/already exists$/.test(cause.message)) throw cause
  throw new SvcError('unavailable', `The database is of another program: ${cause.message}. Name an empty one.`, {
    cause,
  })
}

/** Creates or updates the tables of a database in one process. */
export async function migrate(db: Kysely<Tables>, known: SchemaSteps = migrations): Promise<void> {
  if ((await findPending(db, known)).length > 0) await runPending(db, async () => {}, known)
}

async function raiseFloor(tx: Transaction<Tables>, known: SchemaSteps): Promise<void> {
  const floor = Object.keys(known)
    .sort()
    .findLast((name) => known[name]?.isContract)
  if (floor !== undefined) await saveSetting(tx, floorName, floor)
}

/** Returns the names of the steps of a database; an empty list if it has no tables yet. */
async function readApplied(db: Kysely<Tables>): Promise<readonly string[]> {
  try {
    return (await sql<{ name: string }>`select name from kysely_migration`.execute(db)).rows.map(({ name }) => name)
  } catch (error) {
    if (codeOf(error) === '42P01' || (error instanceof Error && /^no such table/.test(error.message))) return []
    throw error
  }
}
