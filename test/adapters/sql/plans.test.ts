// run: PostgreSQL, fleet, only if named
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { openPostgresUpkeep } from '../../../src/adapters/sql/postgres/upkeep-database.js'
import { pruneTasks } from '../../../src/adapters/sql/upkeep/task-pruner.js'
import type { UpkeepDatabase } from '../../../src/adapters/sql/upkeep/upkeep-database.js'
import { pruneRows, pruneUsage } from '../../../src/adapters/sql/upkeep/usage-pruner.js'
import { sumDays } from '../../../src/adapters/sql/usage-days.js'
import type { Store } from '../../../src/ports/store.js'
import { createDatabase, dropDatabase, findPostgres, query } from '../../helpers/postgres.js'
import { reportSkip } from '../../helpers/skip.js'
import { newAvatar } from '../../helpers/tasks.js'
import { makeUnits } from '../../lab/bench/fleet/member.js'

const plans = suite('statements on a million rows')
const programs = findPostgres()
const tasks = 150_000
const calls = 350_000
const cards = 100_000
/** A statement that reads a table, or an index, would read more. */
const readsAtMost = 3000
const startedAt = Date.now()
let address = ''

/** Finished work of a year, of ten thousand users. */
const fill = `
  insert into tasks (id, kind, status, request_id, call_id, key_id, user_id, pet_id, missing, provider, model, input, units,
      created_at, updated_at, finished_at, species, scene_id, recipe)
    select case n % 3 when 0 then 'avatar_' when 1 then 'anim_' else 'diary_' end || lpad(n::text, 26, '0'),
      case n % 3 when 0 then 'avatar' when 1 then 'animation' else 'diary' end, case when n in (300, 600, 900) then 'failed' else 'success' end, 'req_' || n,
      'call_' || lpad(n::text, 12, '0'), 'key_' || n % 20, 'user-' || n % 10000, 'pet-' || n % 10000, '[]', 'stub', 'm', '{}',
      '[{"name":"lying","status":"success","output":{"files":{}},"failure":null}]', at, at, at, 'dog', 'rain_walk', 'r' || n
    from (select n, NOW_MS - (${tasks} - n) * 200000::bigint as at from generate_series(1, ${tasks}) as n) as made;
  insert into units (id, task_id, name, provider, status, run_at, deadline_at)
    select id || '/000', id, 'lying', 'stub', 'success', created_at, created_at from tasks;
  insert into usage_entries (request_id, call_id, key_id, endpoint, user_id, pet_id, missing_id, created_at, missing, model)
    select 'req_' || n, 'call_' || lpad(n::text, 12, '0'), 'key_' || n % 20, 'e', 'user-' || n % 10000, 'pet-' || n % 10000, 0,
      NOW_MS - (${calls} - n) * 90000::bigint, '[]', '' from generate_series(1, ${calls}) as n;
  insert into usage_ledger (unit_id, attempt, task_id, key_id, user_id, pet_id, missing, model, unit, quantity, delivered,
      cost_micros, certain, maybe_duplicate, created_at)
    select 'avatar_' || lpad(n::text, 26, '0') || '/000', 1, 't', 'key_' || n % 20, 'user-' || n % 10000, 'pet-' || n % 10000,
      '[]', 'm', 'image', 1, 1, 0, 1, 0, NOW_MS - (${calls} - n) * 90000::bigint from generate_series(1, ${calls}) as n;
  insert into home_insights (id, source, user_id, pet_id, locale, local_date, type, title, body, priority, created_at)
    select 'ins_' || n, 'rules', 'user-' || n % 10000, 'pet-' || n % 10000, 'en-US', '2026-01-01', 't', 't', 'b', 1,
      NOW_MS - (${cards} - n) * 316000::bigint from generate_series(1, ${cards}) as n;
  insert into selections (id, user_id, pet_id, day, image_id, scene_id, score, matched, created_at)
    select 'sel_' || n, 'user-' || n % 10000, 'pet-' || n % 10000, '2026-01-01', 'd', 's', 1, '[]',
      NOW_MS - (${cards} - n) * 316000::bigint from generate_series(1, ${cards}) as n;
  insert into log_lines (instance, line_number, at, request_id, status, line)
    select 'web-' || n % 4, n, NOW_MS - (${cards} - n) * 1000::bigint, 'req_' || n, 200, '{}'
    from generate_series(1, ${cards}) as n;
  insert into diary_counts select '', count(*) from tasks where kind = 'diary';
  insert into diary_counts select user_id, count(*) from tasks where kind = 'diary' group by user_id;
  analyze`

plans.before(async () => {
  if (programs === undefined) return
  address = await createDatabase(programs)
  await (await openPostgresStore(address)).close()
  await query(address, fill.replaceAll('NOW_MS', String(startedAt)))
  const { db, engine, commit, close } = openPostgresUpkeep(address)
  await sumDays(db, engine, commit, Date.now())
  await close()
})
plans.after(async () => {
  if (address !== '') await dropDatabase(address)
})

/** Returns the rows and index entries that were read, when all connections of stores have told. */
async function countReads(): Promise<number> {
  for (;;) {
    const sessions = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'svc'`
    if ((await query(address, sessions)).length === 0) break
    await delay(5)
  }
  const sums = `(select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes)`
  const [row] = await query(address, `select ${sums} as reads`)
  return Number(row?.reads)
}

const owner = { userId: 'user-7', petId: 'pet-7', missing: [] }
const spending = { unitMicros: 100, limits: [{ of: 'key', micros: 1e12, per: 'month' }] } as const
const works: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'create a task': (store) => store.createTask(newAvatar({ owner }), 'pet-avatar'),
  'create a task within a budget': (store) => store.createTask(newAvatar({ owner, spending }), 'pet-avatar'),
  'claim and settle units': async (store) => {
    const holder = await store.openHolder()
    assert.ok((await makeUnits(store, holder.id, 4)) > 0)
  },
  'list the newest tasks': async (store) => assert.is((await store.listTasks({}, 20)).length, 20),
  'list the newest tasks that succeeded': async (store) =>
    assert.is((await store.listTasks({ status: 'success' }, 20)).length, 20),
  'list failed tasks': async (store) => assert.is((await store.listTasks({ status: 'failed' }, 20)).length, 3),
  'list pending tasks': (store) => store.listTasks({ status: 'pending' }, 20),
  'list the tasks of a user': async (store) => assert.is((await store.listTasks({ userId: 'user-9' }, 20)).length, 15),
  'list the tasks of a pet': async (store) => assert.is((await store.listTasks({ petId: 'pet-9' }, 20)).length, 15),
  'list the tasks of a pet that failed': (store) => store.listTasks({ petId: 'pet-7', status: 'failed' }, 20),
  'list the home cards of a user': (store) => store.listInsights({ userId: 'user-7' }, 1, 20),
  'find the range of the log': (store) => store.findLogRange(),
  'find what exceeds the log': (store) => store.findLogExcess(500_000),
  'list the newest lines of a log': (store) =>
    store.listLogLines({ first: 1, last: 1e9, kind: 'call', newestFirst: true, limit: 100 }),
  'list the lines of a call': (store) =>
    store.listLogLines({ first: 1, last: 1e9, kind: 'call', id: 'req_7', newestFirst: true, limit: 100 }),
  'list fault rules': (store) => store.listFaults(),
  'find the newest animations of avatars': (store) => store.findNewestAnimations([`avatar_${'3'.padStart(26, '0')}`]),
  'find a task': (store) => store.findTask(`avatar_${'3'.padStart(26, '0')}`),
  'list the avatars of a user': (store) => store.listFinishedAvatars('user-6', 1, 20),
  'list the diary of a user': (store) => store.listDiaryTasks('user-8', 1, 20),
  'list the diary of all users': (store) => store.listDiaryTasks(undefined, 1, 20),
  'find the subjects of calls': (store) => store.findSubjects(['call_000000000007']),
  'list the paid calls of a task': (store) => store.listLedger(`avatar_${'9'.padStart(26, '0')}`),
  'count a call': async (store) => {
    const now = store.now()
    await store.grantCalls({ keyId: 'key_1', limit: 600, wanted: 1, usedBy: now + 100, now })
  },
  'reserve an idempotency key': (store) => store.beginIdempotent('k', 'f', new Date(store.now()), 1000, 1000),
  'save feedback': (store) =>
    store.saveFeedback([{ objectKey: 'ai-gateway/x.png', liked: true }], new Date(store.now())),
  'find deletions': (store) => store.takeDeletions(),
  'measure the queue': (store) => store.measureQueue(),
  'list keys': (store) => store.listKeys(),
  'report the usage of a year by key': (store) => store.sumUsage('key', {}, 1, 100),
  'report the usage of a year by day': (store) => store.sumUsage('day', {}, 1, 1000),
}
/** The upkeep of the few rows that ended a year ago. */
const upkeeps: Readonly<Record<string, (upkeep: UpkeepDatabase, longAgo: number) => Promise<unknown>>> = {
  'delete the oldest usage and insights': async (upkeep, before) =>
    assert.ok((await pruneUsage(upkeep, { before, now: Date.now(), dryRun: false })) > 0),
  'count the oldest usage and insights': async (upkeep, before) =>
    assert.is(await pruneUsage(upkeep, { before, now: Date.now(), dryRun: true }), 0),
  'delete the oldest cards and selections': async (upkeep, before) => {
    const { home_insights, selections } = await pruneRows(upkeep, { before, now: Date.now(), dryRun: false })
    assert.ok(home_insights > 0 && selections > 0)
  },
  'find the tasks to prune': async (upkeep) => {
    const options = { before: startedAt - (tasks - 200) * 200_000, identityAssets: false }
    const found: Record<string, number> = {}
    for await (const { tasks } of pruneTasks(upkeep, options)) Object.assign(found, tasks)
    assert.ok((found.diary ?? 0) > 50 && (found.animation ?? 0) > 50, JSON.stringify(found))
  },
}
/** Some windows of 2,000 tasks of each kind, in three passes. */
const pruneReadsAtMost = 60_000
/** A sum per key and day of a year, twice: to count entries and to list them. */
const reportReadsAtMost = 40_000

for (const [title, work] of Object.entries(works)) {
  plans(`${title} without reading finished work`, async () => {
    if (programs === undefined) return reportSkip(`plans: ${title}: PostgreSQL is not installed`)
    const before = await countReads()
    const store = await openPostgresStore(address, { mayMoveClock: false })
    await work(store).finally(() => store.close())
    const reads = (await countReads()) - before
    const limit = title.startsWith('report') ? reportReadsAtMost : readsAtMost
    assert.ok(reads <= limit, `${reads} rows and index entries were read`)
  })
}

for (const [title, work] of Object.entries(upkeeps)) {
  plans(`${title} without reading the younger ones`, async () => {
    if (programs === undefined) return reportSkip(`plans: ${title}: PostgreSQL is not installed`)
    const before = await countReads()
    const upkeep = openPostgresUpkeep(address)
    await work(upkeep, startedAt - (calls - 200) * 90_000).finally(() => upkeep.close())
    const reads = (await countReads()) - before
    const limit = title.startsWith('find') ? pruneReadsAtMost : readsAtMost
    assert.ok(reads <= limit, `${reads} rows and index entries were read`)
  })
}

plans.run()
