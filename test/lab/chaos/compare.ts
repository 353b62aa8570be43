import { join } from 'node:path'
import { parseS3Address } from '../../../src/adapters/objects/s3/address.js'
import { openS3Objects } from '../../../src/adapters/objects/s3/store.js'
import { createUrlSignatures, toSecret } from '../../../src/adapters/secret.js'
import { type Connection, Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { toSqliteUpkeep } from '../../../src/adapters/sql/sqlite/upkeep-database.js'
import { iterateNamedObjects } from '../../../src/adapters/sql/upkeep/named-objects.js'
import { fleetSecret, type TestFleet } from '../../helpers/fleet.js'
import { query } from '../../helpers/postgres.js'
import { s3Credentials } from '../../helpers/s3.js'
import { filesQuery } from '../power/examine.js'
import type { Promised } from '../power/workload.js'
import { findFault } from '../soak/compare.js'
import { compareRows } from '../soak/rows.js'
import type { FleetProgram } from './fleet-program.js'
import { budgetMicros, pictureMicros } from './limits.js'

export interface ChaosFacts {
  readonly program: FleetProgram
  readonly fleet: TestFleet
  readonly promised: readonly Promised[]
  readonly lateMs: number
  /** The number of API keys. */
  readonly keys: number
  readonly budgetKey: string
  /** The number of pictures that the model was asked for. */
  readonly bought: number
}

const leftoversPerOutage = 20

/** Compares the database and the bucket with the answers, when all work has ended and no machine runs. */
export async function compareFleet(
  folder: string,
  { program, fleet, promised, lateMs, keys, budgetKey, bought }: ChaosFacts,
) {
  const file = join(folder, 'rows.db')
  await copyRows(fleet.database, file)
  const { entries } = await program.run('usage', '--by', 'pet')
  const { caller, outages } = program
  const database = new Database(file)
  const bucket = openBucket(fleet)
  try {
    const facts = { caller, promised, outages, lateMs, keys, usage: entries, mayStoreRefused: true, mayFail: true }
    const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
    const differences = [
      ...compareRows(database, facts),
      ...[...sums, toBudgetQuery(budgetKey)].flatMap(list),
      ...comparePurchases(database, bought),
    ]
    // An error that nobody expected is only in the log.
    differences.push(...list('select line from log_lines where status = 500'))
    for (const key of list(filesQuery)) differences.push(...findFault(key, await bucket.read(key)))
    const leftovers = await findLeftovers(database, bucket.listKeys())
    const { photos, results } = leftovers
    if (photos + results > leftoversPerOutage * outages.length) differences.push('too much is left over')
    return { differences, leftovers }
  } finally {
    database.close()
    await bucket.close()
  }
}

/** The sums of budgets must be those of the ledger. */
const sums: readonly string[] = [
  `select owner_kind || ' ' || owner_id || ' has spent ' || micros || ', not ' || booked from (
     select owner_kind, owner_id, sum(micros) as micros,
       (select coalesce(sum(cost_micros), 0) from usage_ledger
         where case when owner_kind like 'key%' then key_id else pet_id end = owner_id) as booked
       from spending where starts_at > 0 group by 1, 2) where micros <> booked`,
  `select owner_kind || ' ' || owner_id || ' still has reserved ' || micros
     from spending where starts_at = 0 and micros <> 0`,
]

/** The second purchase of a picture may exceed a budget, since no process knew of the first. */
function toBudgetQuery(keyId: string): string {
  return `select 'a key with a budget of ${budgetMicros} has pictures for ' || count(*) * ${pictureMicros}
    from units where task_id in (select id from tasks where key_id = '${keyId}')
    having count(*) * ${pictureMicros} > ${budgetMicros}`
}

/** Each picture that is delivered was bought, and each that was bought is booked. */
function comparePurchases(database: Connection, bought: number): string[] {
  const text =
    "select count(*) as booked, sum(delivered) as delivered from usage_ledger where model <> 'stub' and unit = 'image'"
  const row = database.prepare<[], { booked: number; delivered: number }>(text).get()
  const { booked = 0, delivered = 0 } = row ?? {}
  return delivered <= bought && bought <= booked
    ? []
    : [`${bought} pictures were bought: ${delivered} are delivered, ${booked} booked`]
}

function openBucket({ s3 }: TestFleet) {
  const signatures = createUrlSignatures(toSecret(fleetSecret), 60)
  const objects = openS3Objects(parseS3Address(s3.address), s3Credentials, signatures)
  return {
    read: (key: string) => objects.get(key).catch(() => undefined),
    async *listKeys() {
      for await (const { key } of objects.list('ai-gateway/')) yield key
    },
    close: () => objects.close(),
  }
}

/**
 * Counts the files that outages have left in the bucket, which `svc data prune` removes: photos of tasks that were not
 * created, and results of attempts that lost their lease, or could not tell of them.
 */
async function findLeftovers(database: Connection, stored: AsyncIterable<string>) {
  const named = new Set<string>()
  for await (const key of iterateNamedObjects(toSqliteUpkeep(database))) named.add(key)
  const leftovers = { photos: 0, results: 0 }
  for await (const key of stored) {
    if (!named.has(key)) leftovers[key.startsWith('ai-gateway/photos/') ? 'photos' : 'results']++
  }
  return leftovers
}

/** Copies the rows of a PostgreSQL database to a new file of SQLite: the same queries compare both engines. */
async function copyRows(address: string, file: string): Promise<void> {
  await (await openSqliteStore(file)).close()
  const database = new Database(file)
  const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  // They keep sums, which are copied too.
  for (const trigger of list("select name from sqlite_master where type = 'trigger'")) {
    database.exec(`drop trigger "${trigger}"`)
  }
  const tables = list(
    "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
  )
  for (const table of tables) {
    const columns = list(`select name from pragma_table_info('${table}')`)
    const names = columns.map((name) => `"${name}"`).join(', ')
    const rows = await query(address, `select ${names} from "${table}"`)
    database.exec(`delete from "${table}"`)
    const insert = database.prepare(`insert into "${table}" (${names}) values (${columns.map(() => '?').join(', ')})`)
    database.transaction(() => {
      for (const row of rows) insert.run(columns.map((name) => row[name]))
    })()
  }
  database.close()
}
