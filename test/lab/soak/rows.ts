import type { Connection } from '../../../src/adapters/sql/sqlite/driver.js'
import type { Json } from '../../helpers/media.js'
import { findLosses, unbookedQuery } from '../power/examine.js'
import type { Promised } from '../power/workload.js'
import type { Call, Caller } from './caller.js'

/** A time in which answers were given whose late facts may be lost. */
export interface Outage {
  readonly atMs: number
  readonly readyAtMs: number
}

/** The facts that the rows must agree with. */
export interface Acknowledged {
  readonly caller: Caller
  readonly promised: readonly Promised[]
  readonly outages: readonly Outage[]
  /** Insights may be lost that were answered so long before an outage. */
  readonly lateMs: number
  /** The number of API keys besides those that calls made. */
  readonly keys: number
  /** The answer of `svc usage --by pet`. */
  readonly usage: readonly Json[]
  /** True if a call that was refused with 503 may have been stored: the database was lost when it was committed. */
  readonly mayStoreRefused?: boolean
  /** True if tasks may fail: real models are not asked more than twice whether a picture was made. */
  readonly mayFail?: boolean
}

/** Compares the rows of a database with the answers, when all work has ended. Returns a sentence per difference. */
export function compareRows(database: Connection, acknowledged: Acknowledged): string[] {
  loadCalls(database, acknowledged)
  const list = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  return [
    ...findLosses(database, chooseDue(acknowledged), Date.now()),
    ...[...contradictions, ...(acknowledged.mayFail ? failures : stubFailures)].flatMap(list),
    ...compareNumbers(database, acknowledged),
  ]
}

/** Lists the facts that must hold. The log keeps its newest lines only. */
function chooseDue({ promised, outages, lateMs }: Acknowledged): Promised[] {
  const mayBeLost = ({ isLate, timeMs }: Promised) =>
    isLate && outages.some(({ atMs, readyAtMs }) => timeMs > atMs - lateMs && timeMs < readyAtMs)
  return promised.filter((fact) => fact.what !== 'log line' && fact.endsAt === undefined && !mayBeLost(fact))
}

/** Makes the calls a table, and rows easy to find. */
function loadCalls(database: Connection, { caller: { sent }, mayStoreRefused = false }: Acknowledged): void {
  database.exec(`
    create temp table calls (request_id text primary key, name text, may_create integer, may_draw integer);
    create index calls_by_name on calls (name);
    create index soak_usage on usage_entries (request_id);
    create index soak_archive on insight_archive (insight_id);
    create index soak_ledger on usage_ledger (task_id);`)
  const insert = database.prepare('insert into calls values (?, ?, ?, ?)')
  const mayCreate = ({ isRepeat, answered }: Call) =>
    !isRepeat && [undefined, 200, ...(mayStoreRefused ? [503] : [])].includes(answered?.status)
  database.transaction(() => {
    for (const call of sent) {
      const { requestId, method, path, answered } = call
      // A picture of the shared library is drawn although the call that waited for it is refused.
      const mayDraw = mayCreate(call) || answered?.status === 503
      insert.run(requestId, `${method} ${path}`, Number(mayCreate(call)), Number(mayDraw))
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
  `select unit_id || ' is booked ' || count(*) || ' times' from usage_ledger
   where delivered > 0 group by unit_id having count(*) > 1`,
  `select task_id || ' is gone, but no call deleted it' from (${gone})
   where 'DELETE /v1/pet-animation/tasks/' || task_id not in (select name from calls)`,
  `select unit_id || ' has a reservation, but its work has ended' from reservations`,
  `select "key" || ' is held, but its call has ended' from idempotency_keys where body is null`,
]

/** The stub never fails. */
const stubFailures: readonly string[] = [
  `select id || ' is ' || status from tasks where status <> 'success'`,
  `select id || ' is ' || status from units where status <> 'success'`,
  unbookedQuery,
]

/** A unit fails if it is twice unknown whether its picture was made; each unknown attempt is booked. */
const failures: readonly string[] = [
  `select id || ' is ' || status from tasks where status not in ('success', 'failed')`,
  `select id || ' is ' || status from units where status not in ('success', 'failed')`,
  `select id || ' succeeded without a booking' from units where status = 'success'
   and id not in (select unit_id from usage_ledger where delivered > 0)`,
  `select id || ' failed after ' || (select count(*) from usage_ledger where unit_id = id and certain = 0) ||
   ' attempts whose outcome is unknown' from units where status = 'failed'
   and (select count(*) from usage_ledger where unit_id = id and certain = 0) < 2`,
  `select unit_id || ' was bought again without a note' from usage_ledger group by unit_id
   having count(*) > 1 and max(maybe_duplicate) = 0`,
]

/** Compares numbers of rows with each other, with the calls and with `svc usage`. */
function compareNumbers(database: Connection, { caller, promised, usage, keys }: Acknowledged): string[] {
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
    ['tasks with a key', keyedTasks, caller.keyed.length],
    ['idempotency keys', 'select count(*) from idempotency_keys', caller.keyed.length],
    ['API keys', 'select count(*) from api_keys', facts('key') + keys],
    ['revoked API keys', 'select count(*) from api_keys where revoked_at is not null', facts('revocation')],
    ['requests of svc usage', 'select count(*) from usage_entries', sum('requests')],
    ['units of svc usage', 'select sum(delivered) from usage_ledger', sum('units')],
    ['cost of svc usage', 'select round(sum(cost_micros) / 1e6, 6) from usage_ledger', Number(sum('cost').toFixed(6))],
  ]
  const read = (sql: string) => Number(database.prepare(sql).pluck().get())
  return pairs.flatMap(([what, sql, expected]) => {
    const [found, wanted] = [read(sql), typeof expected === 'number' ? expected : read(expected)]
    return found === wanted ? [] : [`${what}: the tables have ${found}, not ${wanted}`]
  })
}
