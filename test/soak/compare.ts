import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { iterateStoredFiles } from '../../src/adapters/objects/inventory.js'
import { type Connection, Database } from '../../src/adapters/sql/sqlite/driver.js'
import { iterateNamedObjects } from '../../src/adapters/sql/upkeep/named-objects.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import type { Json } from '../helpers/media.js'
import { filesQuery, findLosses, runDoctor, unbookedQuery } from '../power/examine.js'
import type { Promised } from '../power/workload.js'
import type { KilledProgram } from './program.js'

/** The number of files that kills have left in a data directory. Later starts remove them. */
export interface Leftovers {
  /** Photos of tasks that were not created. */
  readonly photos: number
  readonly drafts: number
  readonly locks: number
}

const leftoversPerKill = 20

/**
 * Compares a data directory with the answers, when all work has ended and no server runs. Returns a sentence per
 * difference. Insights may be lost that were answered in the last `lateMs` before a kill.
 */
export async function compare(
  program: KilledProgram,
  promised: readonly Promised[],
  lateMs: number,
): Promise<{ readonly differences: readonly string[]; readonly leftovers: Leftovers }> {
  const { objects, workers } = describeDataDir(program.dataDir)
  const problems = await runDoctor(program.dataDir)
  const { entries } = await program.run('usage', '--by', 'pet')
  return withDatabase(program.dataDir, (database) => {
    loadCalls(database, program)
    const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
    const named = new Set(iterateNamedObjects(database))
    const unnamed = [...iterateStoredFiles(objects)].map(({ key }) => key).filter((key) => !named.has(key))
    const photos = unnamed.filter((key) => key.startsWith('ai-gateway/photos/')).length
    const [drafts, locks] = [readdirSync(join(objects, '.drafts')).length, readdirSync(workers).length]
    const differences = [
      ...problems,
      ...list('pragma integrity_check').filter((line) => line !== 'ok'),
      ...findLosses(database, chooseDue(promised, program, lateMs), Date.now()),
      ...contradictions.flatMap(list),
      ...compareNumbers(database, program, promised, entries),
      ...list(filesQuery).flatMap((key) => findFault(join(objects, key))),
      ...(unnamed.length > photos ? [`${unnamed.length - photos} files of no task: ${unnamed.join(', ')}`] : []),
      ...(Math.max(photos, drafts, locks) > leftoversPerKill * program.kills.length ? ['too much is left over'] : []),
    ]
    return { differences, leftovers: { photos, drafts, locks } }
  })
}

export function withDatabase<T>(dataDir: string, use: (database: Connection) => T): T {
  const database = new Database(describeDataDir(dataDir).database)
  try {
    return use(database)
  } finally {
    database.close()
  }
}

/** Lists the facts that must hold. The log keeps its newest lines only. */
function chooseDue(promised: readonly Promised[], { kills }: KilledProgram, lateMs: number): Promised[] {
  const mayBeLost = ({ isLate, timeMs }: Promised) =>
    isLate && kills.some(({ atMs, readyAtMs }) => timeMs > atMs - lateMs && timeMs < readyAtMs)
  return promised.filter((fact) => fact.what !== 'log line' && fact.endsAt === undefined && !mayBeLost(fact))
}

/** Makes the calls a table, and rows easy to find. */
function loadCalls(database: Connection, { sent }: KilledProgram): void {
  database.exec(`
    create temp table calls (request_id text primary key, name text, may_create integer, may_draw integer);
    create index calls_by_name on calls (name);
    create index soak_usage on usage_entries (request_id);
    create index soak_archive on insight_archive (insight_id);
    create index soak_ledger on usage_ledger (task_id);`)
  const insert = database.prepare('insert into calls values (?, ?, ?, ?)')
  database.transaction(() => {
    for (const { requestId, method, path, isRepeat, answered } of sent) {
      const status = answered?.status ?? 200
      const mayCreate = !isRepeat && status === 200
      // A picture of the shared library is drawn although the call that waited for it is refused.
      insert.run(requestId, `${method} ${path}`, Number(mayCreate), Number(mayCreate || status === 503))
    }
  })()
}

const insightCall = 'POST /v1/health-detail-insights/generate'
const gone = 'select distinct task_id from usage_ledger where delivered > 0 and task_id not in (select id from tasks)'

/** Queries that return a sentence per row that contradicts another or the calls. */
const contradictions: readonly string[] = [
  ...[
    ['usage_entries', 'may_create'],
    ['insight_archive', 'may_create'],
    ['tasks', 'may_draw'],
  ].flatMap(([table, permission]) => [
    `select request_id || ' has ' || count(*) || ' rows in ${table}' from ${table} group by request_id having count(*) > 1`,
    `select request_id || ' has a row in ${table}, but must not' from ${table}
     where request_id not in (select request_id from calls where ${permission})`,
  ]),
  `select request_id || ' is archived, but not counted' from insight_archive
   where request_id not in (select request_id from usage_entries)`,
  `select request_id || ' is counted, but not archived' from usage_entries join calls using (request_id)
   where name = '${insightCall}' and request_id not in (select request_id from insight_archive)`,
  `select pet_id || ' has ' || count(*) || ' selections' from selections group by pet_id having count(*) > 1`,
  `select pet_id || ' has ' || count(*) || ' cards of the type ' || type from home_insights
   group by pet_id, type having count(*) > 1`,
  `select id || ' is ' || status from tasks where status <> 'success'`,
  `select id || ' is ' || status from units where status <> 'success'`,
  unbookedQuery,
  `select unit_id || ' is booked ' || count(*) || ' times' from usage_ledger
   where delivered > 0 group by unit_id having count(*) > 1`,
  `select task_id || ' is gone, but no call deleted it' from (${gone})
   where 'DELETE /v1/pet-animation/tasks/' || task_id not in (select name from calls)`,
  `select unit_id || ' has a reservation, but its work has ended' from reservations`,
  `select "key" || ' is held, but its call has ended' from idempotency_keys where body is null`,
]

/** Compares numbers of rows with each other, with the calls and with `svc usage`. */
function compareNumbers(
  database: Connection,
  { keyed }: KilledProgram,
  promised: readonly Promised[],
  usage: readonly Json[],
): string[] {
  const counted = (path: string) =>
    `select count(*) from usage_entries join calls using (request_id) where name = 'POST /v1/${path}'`
  const facts = (what: string) => promised.filter((fact) => fact.what === what).length
  const sum = (member: string) => usage.reduce((total, entry) => total + entry[member], 0)
  const animations = `select count(*) + (select count(*) from (${gone})) from tasks where kind = 'animation'`
  const keyedTasks = `select count(*) from tasks where kind <> 'animation' and user_id <> 'shared'`
  const pairs: readonly (readonly [what: string, sql: string, expected: string | number])[] = [
    ['selections', 'select count(*) from selections', counted('pet-diary-image-libraries/select')],
    ['pets with cards', 'select count(distinct pet_id) from home_insights', counted('home-insights/generate')],
    ['animations', animations, counted('pet-animation/generate')],
    ['tasks with a key', keyedTasks, keyed.length],
    ['idempotency keys', 'select count(*) from idempotency_keys', keyed.length],
    // One is the key of the calls.
    ['API keys', 'select count(*) from api_keys', facts('key') + 1],
    ['revoked API keys', 'select count(*) from api_keys where revoked_at is not null', facts('revocation')],
    ['requests of svc usage', 'select count(*) from usage_entries', sum('requests')],
    ['units of svc usage', 'select sum(delivered) from usage_ledger', sum('units')],
    ['cost of svc usage', 'select sum(cost_micros) / 1e6 from usage_ledger', sum('cost')],
  ]
  const read = (sql: string) => Number(database.prepare(sql).pluck().get())
  return pairs.flatMap(([what, sql, expected]) => {
    const [found, wanted] = [read(sql), typeof expected === 'number' ? expected : read(expected)]
    return found === wanted ? [] : [`${what}: the tables have ${found}, not ${wanted}`]
  })
}

/** Checks that a file exists, and that it ends where its format says. */
function findFault(path: string): string[] {
  if (!existsSync(path)) return [`${path} is missing`]
  return isWhole[extname(path)]?.(readFileSync(path)) === true ? [] : [`${path} is not whole`]
}

const isWhole: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  '.png': (bytes) => bytes.toString('latin1', bytes.length - 8, bytes.length - 4) === 'IEND',
  '.webp': (bytes) => bytes.readUInt32LE(4) + 8 === bytes.length,
  '.mp4': (bytes) => {
    let end = 0
    while (end + 8 <= bytes.length && bytes.readUInt32BE(end) > 0) end += bytes.readUInt32BE(end)
    return end === bytes.length
  },
}
