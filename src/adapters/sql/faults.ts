import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { FaultStore, StoredFault } from '../../ports/faults.js'
import type { StoreParts } from './database.js'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** Returns the query that counts the rules that may fire at this time, in the words of both databases. */
export function toActiveFaultsText(now: number): string {
  const isCurrent = `coalesce(expires_at > ${Math.trunc(now)}, true)`
  return `select count(*) as active from faults where ${isCurrent} and coalesce(fired < times, true)`
}

/** A power loss may forget what a rule counted: `commit` does not wait for the disk. A crash of the process does not. */
export function createFaultStore({ db, engine, runDurably, commit }: StoreParts): FaultStore {
  return {
    async listFaults() {
      // By ID, which has the time of the machine: a test may set the clock of the service back.
      const rows = await commit(() => db.selectFrom('faults').selectAll().orderBy('id').execute())
      return rows.map(fromRow)
    },
    async countActiveFaults(now) {
      const { rows } = await commit(() => sql.raw<{ active: number }>(toActiveFaultsText(now)).execute(db))
      return Number(rows[0]?.active)
    },
    async insertFault({ id, fields, createdAt, expiresAt, times, every }) {
      const row = {
        ...{ id, fields: JSON.stringify(fields), times, every },
        created_at: createdAt.getTime(),
        expires_at: expiresAt?.getTime() ?? null,
      }
      await runDurably(() => db.insertInto('faults').values(row).execute())
    },
    deleteFault: (id) =>
      runDurably(() =>
        db.transaction().execute(async (tx) => {
          const { numDeletedRows } = await tx.deleteFrom('faults').where('id', '=', id).executeTakeFirst()
          // Later than the rule, which another process may be giving to a unit. Without rules, no unit needs its row.
          const anyRule = tx.selectFrom('faults').select('id')
          await tx
            .deleteFrom('fault_units')
            .where((where) => where.or([where('fault_id', '=', id), where.not(where.exists(anyRule))]))
            .execute()
          return numDeletedRows === 1n
        }),
      ),
    clearFaults: () =>
      runDurably(() =>
        db.transaction().execute(async (tx) => {
          const { numDeletedRows } = await tx.deleteFrom('faults').executeTakeFirst()
          await tx.deleteFrom('fault_units').execute()
          return Number(numDeletedRows)
        }),
      ),
    countFault: (id) => commit(() => count(db, id)),
    takeUnitFault: (unitId, ids) => commit(() => db.transaction().execute((tx) => takeUnit(tx, engine, unitId, ids))),
    findUnitFault: (unitId) => commit(() => findTaken(db, unitId)).then((id) => id || undefined),
  }
}

/** One statement, so that concurrent calls of any process count one after the other. */
async function count(db: Kysely<Tables>, id: string): Promise<boolean> {
  const isDue = sql`(matched + 1) % every = 0`
  const row = await db
    .updateTable('faults')
    .set({
      matched: sql<number>`matched + 1`,
      fired: sql<number>`fired + case when ${isDue} then 1 else 0 end`,
    })
    .where('id', '=', id)
    .where((where) => where.or([where('times', 'is', null), where('fired', '<', where.ref('times'))]))
    .returning(['matched', 'every'])
    .executeTakeFirst()
  return row !== undefined && row.matched % row.every === 0
}

async function findTaken(db: Kysely<Tables>, unitId: string): Promise<string | undefined> {
  const row = await db.selectFrom('fault_units').select('fault_id').where('unit_id', '=', unitId).executeTakeFirst()
  return row?.fault_id
}

async function takeUnit(
  tx: Transaction<Tables>,
  engine: Engine,
  unitId: string,
  ids: readonly string[],
): Promise<string | undefined> {
  await engine.takeTurn(tx, `faults of ${unitId}`)
  const taken = await findTaken(tx, unitId)
  if (taken !== undefined) return taken || undefined
  let fired: string | undefined
  for (const id of ids) {
    if (!(await count(tx, id))) continue
    fired = id
    break
  }
  await tx
    .insertInto('fault_units')
    .values({ unit_id: unitId, fault_id: fired ?? '' })
    .execute()
  return fired
}

function fromRow(row: Selectable<Tables['faults']>): StoredFault {
  return {
    id: row.id,
    fields: JSON.parse(row.fields),
    createdAt: new Date(row.created_at),
    expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
    times: row.times,
    every: row.every,
    matched: row.matched,
    fired: row.fired,
  }
}
