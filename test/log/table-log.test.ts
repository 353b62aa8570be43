// run: PostgreSQL
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { SvcError } from '../../src/errors.js'
import { type LogFilter, scanLog } from '../../src/log/read-log.js'
import type { RequestEntry, TaskEntry } from '../../src/log/request-log.js'
import { openTableLog } from '../../src/log/writers.js'
import type { LogLine, LogLineStore } from '../../src/ports/log-lines.js'
import type { Store } from '../../src/ports/store.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'

const log = storeSuite('request log')
let store: Store
let database: TestDatabase
log.before.each(async (given) => {
  database = given
  store = await given.open()
})

const startAt = Date.parse('2026-10-20T08:00:00Z')
const linesAtMost = 500_000

function buildEntry(id: string, second: number, change: Partial<RequestEntry> = {}): RequestEntry {
  const time = new Date(startAt + second * 1000).toISOString()
  return { time, request_id: id, method: 'GET', path: '/v1/models', status: 200, duration_ms: 1, ...change }
}

const all: LogFilter<RequestEntry> = { kind: 'call', matches: () => true }
const idsOf = (entries: readonly RequestEntry[]) => entries.map(({ request_id }) => request_id)

/** Reads from a cursor to the end. */
async function readOn(cursor?: string, filter = all) {
  const scan = scanLog(store, filter, { cursor })
  return { ids: idsOf(await scan.next(Number.POSITIVE_INFINITY)), cursor: scan.cursor() }
}

/** Writes entries as another process does. */
async function write(instance: string, ...entries: readonly RequestEntry[]): Promise<void> {
  const opened = openTableLog(store, instance, linesAtMost)
  for (const entry of entries) opened.write(entry)
  await opened.close()
}

log('reads the lines of all processes in the order of writing, in both directions and in pages', async () => {
  await write('one', buildEntry('a', 1), buildEntry('b', 3))
  await write('two', buildEntry('c', 2), buildEntry('d', 4))
  assert.equal((await readOn()).ids, ['a', 'b', 'c', 'd'])
  const named = await scanLog(store, all, {}).next(4)
  assert.is(named.map(({ instance }) => instance).join(), 'one,one,two,two')
  const forward = scanLog(store, all, {})
  assert.equal(idsOf(await forward.next(3)), ['a', 'b', 'c'])
  assert.equal((await readOn(forward.cursor())).ids, ['d'])
  assert.equal(idsOf(await forward.next(3)), ['d'])
  assert.equal((await readOn(forward.cursor())).ids, [])
  const backward = scanLog(store, all)
  assert.equal(idsOf(await backward.next(2)), ['d', 'c'])
  assert.equal((await readOn(backward.cursor())).ids, [])
  assert.equal(idsOf(await backward.next(9)), ['b', 'a'])
})

log('shows the lines so far to readers after a flush, also during a write', async () => {
  const opened = openTableLog(store, 'one', linesAtMost)
  opened.write(buildEntry('a', 1))
  const first = opened.flush()
  // The write has begun.
  await Promise.resolve()
  opened.write(buildEntry('b', 2))
  await Promise.all([first, opened.flush()])
  assert.equal((await readOn()).ids, ['a', 'b'])
  opened.write(buildEntry('c', 3))
  await opened.flush()
  await opened.flush()
  assert.equal((await readOn()).ids, ['a', 'b', 'c'])
  await opened.close()
  await opened.flush()
  assert.equal((await readOn()).ids, ['a', 'b', 'c'])
})

log('goes on after a cursor with later lines of known and of new processes, also with older times', async () => {
  await write('one', buildEntry('a', 10))
  const { cursor } = await readOn()
  await write('two', buildEntry('late', 9), buildEntry('b', 11))
  const next = await readOn(cursor)
  assert.equal(next.ids, ['late', 'b'])
  await write('three', buildEntry('c', 12))
  assert.equal((await readOn(next.cursor)).ids, ['c'])
  assert.equal((await readOn(cursor)).ids, ['late', 'b', 'c'])
})

log('finds lines by request ID, by the ID that was sent, by trace, by status and by time', async () => {
  const trace_id = '0af7651916cd43dd8448eb211c80319c'
  await write('one', buildEntry('a', 1), buildEntry('b', 2, { caller_request_id: 'mine "7" \\ ä' }))
  await write('two', buildEntry('c', 3, { trace_id }), buildEntry('d', 4, { status: 404 }))
  const found = async (conditions: Partial<LogFilter<RequestEntry>>) => {
    const forward = await readOn(undefined, { ...all, ...conditions })
    const backward = await scanLog(store, { ...all, ...conditions }).next(9)
    assert.equal(idsOf(backward), [...forward.ids].reverse())
    return forward
  }
  assert.equal((await found({ id: 'a' })).ids, ['a'])
  assert.equal((await found({ id: 'mine "7" \\ ä' })).ids, ['b'])
  assert.equal((await found({ id: trace_id })).ids, ['c'])
  assert.equal((await found({ status: 404 })).ids, ['d'])
  assert.equal((await found({ since: new Date(startAt + 3000) })).ids, ['c', 'd'])
  assert.equal((await found({ matches: ({ request_id }) => request_id > 'b' })).ids, ['c', 'd'])
  const none = await found({ id: 'nobody' })
  assert.equal(none.ids, [])
  assert.equal((await readOn(none.cursor)).ids, [])
})

log('finds the events of units by the request that created their task', async () => {
  const opened = openTableLog(store, 'worker', linesAtMost)
  const time = new Date(startAt).toISOString()
  opened.write({ time, event: 'started', task_id: 'avatar_1', request_id: 'r1', unit: 'sitting', attempt: 1 })
  opened.write({ time, event: 'breaker_opened', provider: 'openai' })
  opened.write(buildEntry('r1', 1))
  opened.write({ time, event: 'succeeded', task_id: 'avatar_1', request_id: 'r1', unit: 'sitting', attempt: 1 })
  await opened.close()
  const events = await scanLog<TaskEntry>(store, { kind: 'event', id: 'r1', matches: () => true }, {}).next(9)
  assert.equal(
    events.map(({ event, unit }) => [event, unit]),
    [
      ['started', 'sitting'],
      ['succeeded', 'sitting'],
    ],
  )
})

log('writes lines before it is closed, and no lines after', async () => {
  const opened = openTableLog(store, 'one', linesAtMost)
  opened.write(buildEntry('a', 1))
  // Other work of the machine may delay it.
  for (let ids: string[] = []; ids.length === 0; ids = (await readOn()).ids) await new Promise(setImmediate)
  await opened.close()
  opened.write(buildEntry('b', 2))
  assert.equal((await readOn()).ids, ['a'])
})

log('keeps the order of thousands of lines, written at once, and finds rare ones among them', async () => {
  const ids = Array.from({ length: 6000 }, (_, place) => `r${place}`)
  await write('one', ...ids.map((id, place) => buildEntry(id, 1, { status: place % 2000 === 1999 ? 404 : 200 })))
  assert.equal((await readOn()).ids, ids)
  const rare = { ...all, status: 404 }
  assert.equal((await readOn(undefined, rare)).ids, ['r1999', 'r3999', 'r5999'])
  assert.equal(idsOf(await scanLog(store, rare).next(2)), ['r5999', 'r3999'])
})

const toLine = (instance: string, number: number, second: number): LogLine => ({
  ...{ instance, number },
  text: JSON.stringify(buildEntry(`${instance}-${number}`, second)),
})

log('returns each line once, for any number of processes that write at once, and pages', async () => {
  const groups = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }), { maxLength: 10 })
  const others = [store, await database.open(), await database.open(), await database.open()]
  const numbers = [0, 0, 0, 0]
  await fc.assert(
    fc.asyncProperty(groups, fc.integer({ min: 1, max: 9 }), async (rounds, limit) => {
      let { cursor } = await readOn()
      const written: string[] = []
      const read: string[] = []
      for (const writers of rounds) {
        const appends = [...new Set(writers)].map(async (writer) => {
          const number = ++(numbers[writer - 1] as number)
          await others[writer - 1]?.appendLogLines([toLine(`host-${writer}`, number, number)])
          written.push(`host-${writer}-${number}`)
        })
        const scan = scanLog(store, all, { cursor })
        // Some reads stop before the end, and all run next to the appends.
        read.push(...idsOf(await scan.next(limit)))
        cursor = scan.cursor()
        await Promise.all(appends)
      }
      read.push(...(await readOn(cursor)).ids)
      assert.equal([...read].sort(), [...written].sort())
    }),
    { numRuns: 10 },
  )
})

log('reads on after a cursor that is later than the last line', async () => {
  await write('one', buildEntry('a', 1))
  const { ids, cursor } = await readOn(`3${'z'.repeat(11)}`)
  assert.equal(ids, [])
  await write('two', buildEntry('b', 2))
  assert.equal((await readOn(cursor)).ids, ['b'])
})

log('keeps the newest lines of all processes, up to its bound', async () => {
  await write('one', ...['a', 'b', 'c', 'd', 'e'].map((id, second) => buildEntry(id, second)))
  const opened = openTableLog(store, 'two', 3)
  opened.write(buildEntry('f', 6))
  await opened.close()
  assert.equal((await readOn()).ids, ['d', 'e', 'f'])
})

log('on PostgreSQL keeps no line that is more than 30 days older than the newest', async () => {
  await write('one', buildEntry('a', 0), buildEntry('b', 1))
  await write('two', buildEntry('c', 30 * 86_400 + 1))
  assert.equal((await readOn()).ids, database.isPostgres ? ['b', 'c'] : ['a', 'b', 'c'])
})

/** The store, while its database cannot be written. */
const refuseAppends = (isDown: () => boolean): LogLineStore => ({
  ...store,
  appendLogLines: async (lines) => {
    if (isDown()) throw new SvcError('unavailable', 'down')
    await store.appendLogLines(lines)
  },
})

log('writes the lines of an outage after it, and keeps no caller waiting', async () => {
  let attempts = 0
  const opened = openTableLog(
    refuseAppends(() => ++attempts < 3),
    'one',
    linesAtMost,
  )
  opened.write(buildEntry('a', 1))
  while (attempts < 2) await new Promise(setImmediate)
  opened.write(buildEntry('b', 2))
  while ((await readOn()).ids.length < 2) await new Promise(setImmediate)
  await opened.close()
})

log.onSqlite('drops lines beyond a bound while the database is down, and rejects at the close', async () => {
  const opened = openTableLog(
    refuseAppends(() => true),
    'one',
    linesAtMost,
  )
  const path = 'x'.repeat(1 << 20)
  const before = process.memoryUsage().heapUsed
  for (let second = 0; second < 200; second++) opened.write(buildEntry('a', second, { path: path + second }))
  assert.ok(process.memoryUsage().heapUsed - before < 100 << 20)
  const error = await opened.close().catch((thrown: Error) => thrown)
  assert.match(error?.message ?? 'none', /last lines of the log could not be written/)
})
log.run()
