import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../src/adapters/sql/sqlite/open-store.js'
import { checkService } from '../../../src/app/doctor/run-checks.js'
import { loadConfig } from '../../../src/config.js'
import { describeDataDir } from '../../../src/runtime/data-dir.js'
import { runSvcAsync } from '../../helpers/svc.js'
import type { Promised } from './workload.js'

/** The checks of `svc doctor` that a power loss could make fail. */
const checks = ['folder', 'rights', 'database']

/**
 * Examines a data directory after a power loss. Returns a sentence per defect and per lost fact of `promised`. `readBefore`
 * returns a file as it was before the loss, which happened at `nowMs`.
 */
export async function examine(
  path: string,
  promised: readonly Promised[],
  nowMs: number,
  readBefore: (path: string) => Buffer | undefined,
): Promise<string[]> {
  const dataDir = describeDataDir(path)
  if (existsSync(dataDir.restore)) {
    const { status, stderr } = await runSvcAsync(['data', 'reset', '--yes', '--data-dir', path])
    if (status !== 0) return [`svc data reset: ${stderr}`]
  }
  const problems = await runDoctor(path)
  const hasFiles = existsSync(dataDir.objects)
  const isSecret = (file: string) => existsSync(file) && /^[0-9a-f]{64}\n$/.test(readFileSync(file, 'utf8'))
  if (hasFiles && !isSecret(dataDir.secret)) problems.push('the secret is lost')
  mkdirSync(path, { recursive: true })
  // Recovers and migrates the database, as a start does.
  await (await openSqliteStore(dataDir.database)).close()
  const database = new Database(dataDir.database)
  try {
    loadLogLines(database, dataDir.log)
    // Without these indexes, the look-up of each fact reads all rows of its table.
    database.exec(
      'create index usage_by_call on usage_entries (request_id); create index by_id on insight_archive (insight_id)',
    )
    const files = database.prepare<[], string>(filesQuery).pluck().all()
    return [
      ...problems,
      ...findLosses(database, promised, nowMs),
      ...findReturned(dataDir.objects, promised),
      ...database.prepare<[], string>(unbookedQuery).pluck().all(),
      ...files.flatMap((key) => {
        const file = join(dataDir.objects, key)
        if (!existsSync(file)) return [`${key} is missing`]
        return readBefore(key)?.equals(readFileSync(file)) === true ? [] : [`${key} was changed`]
      }),
    ]
  } finally {
    database.close()
  }
}

/** Returns a sentence per fact that is not in the database. */
export function findLosses(database: Connection, promised: readonly Promised[], nowMs: number): string[] {
  const statements = new Map([...new Set(promised.map(({ sql }) => sql))].map((sql) => [sql, database.prepare(sql)]))
  return promised
    .filter(({ sql, parameters }) => statements.get(sql)?.get(...parameters) === undefined)
    .map(
      ({ what, parameters, timeMs }) => `${what} ${parameters.join(' ')} is lost ${nowMs - timeMs} ms after its answer`,
    )
}

/** Returns a sentence per file that was removed, and is there. */
export function findReturned(objects: string, promised: readonly Promised[]): string[] {
  return promised
    .flatMap(({ removedKeys = [] }) => removedKeys)
    .filter((key) => existsSync(join(objects, key)))
    .map((key) => `${key} of a deleted task is back`)
}

/** Returns what `svc doctor` finds wrong. */
export async function runDoctor(path: string): Promise<string[]> {
  const results = await checkService(loadConfig({ dataDir: path, port: '0' }, {}), false)
  return results
    .filter(({ check, state }) => state === 'problem' && checks.includes(check))
    .map(({ check, message }) => `svc doctor, ${check}: ${message}`)
}

/** Makes the request IDs of the log a table. */
function loadLogLines(database: InstanceType<typeof Database>, file: string): void {
  database.exec('create temp table log_lines (request_id text primary key)')
  if (!existsSync(file)) return
  const log = new Database(file)
  try {
    const insert = database.prepare('insert or ignore into log_lines values (?)')
    // A power cut may have come before the table.
    const tables = log.prepare("select 1 from sqlite_master where name = 'log_lines'").all()
    const ids = 'select request_id from log_lines where request_id is not null'
    if (tables.length > 0) for (const id of log.prepare<[], string>(ids).pluck().all()) insert.run(id)
  } finally {
    log.close()
  }
}

/** The object keys of the tasks that succeeded. */
export const filesQuery = `
  select file.value from tasks, json_each(tasks.units) as unit, json_each(unit.value, '$.output.files') as file
  where tasks.status = 'success'`

/** Each unit that succeeded is booked once. */
export const unbookedQuery = `
  select tasks.id || ' succeeded with ' || count(usage_ledger.unit_id) || ' bookings' from tasks
  left join usage_ledger on usage_ledger.task_id = tasks.id and usage_ledger.delivered > 0
  where tasks.status = 'success' and tasks.provider = 'stub'
  group by tasks.id having count(usage_ledger.unit_id) <> json_array_length(tasks.units)`
