import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SvcError } from '../../src/errors.js'
import { type LogDatabase, openDatabaseLog } from '../../src/log/database-log.js'
import { createDatabaseReader } from '../../src/log/database-reader.js'
import { openFolderLog } from '../../src/log/folder-log.js'
import { createFolderReader } from '../../src/log/folder-reader.js'
import { openStreamLog } from '../../src/log/stdout-log.js'
import type { LogLine } from '../../src/ports/log-lines.js'
import type { Store } from '../../src/ports/store.js'
import { storeSuite } from '../helpers/stores.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { all, buildEntry, checkLog, idsOf, readOn, startAt, type TestLog } from './check-log.js'

let place: ReturnType<typeof openTemporaryFolder>
let log: TestLog

const folder = suite('log in a folder')
folder.before.each(() => {
  place = openTemporaryFolder()
  log = { open: async () => openFolderLog(place.folder), reader: createFolderReader(place.folder) }
})
folder.after.each(() => place.close())
checkLog(folder, () => log)
folder.run()

// Standard output is a file here, whose name makes it readable as that of a log.
const stream = suite('log on standard output')
stream.before.each(() => {
  place = openTemporaryFolder()
  let files = 0
  log = {
    async open(instance) {
      const descriptor = openSync(join(place.folder, `20261020T00000000${files++}Z-1.jsonl`), 'a')
      const { write, flush, close } = openStreamLog(descriptor, instance)
      let isOpen = true
      return {
        write,
        flush,
        async close() {
          await close()
          if (isOpen) closeSync(descriptor)
          isOpen = false
        },
      }
    },
    reader: createFolderReader(place.folder),
  }
})
stream.after.each(() => place.close())
checkLog(stream, () => log)
stream.run()

const database = storeSuite('log in the database')
let store: Store
database.before.each(async ({ open }) => {
  store = await open()
  log = { open: async (instance) => openDatabaseLog(store, instance), reader: createDatabaseReader(store) }
})
checkLog(database, () => log)

const toLine = (instance: string, number: number, second: number): LogLine => ({
  ...{ instance, number, at: startAt + second * 1000, requestId: `${instance}-${number}` },
  ...{ callerRequestId: null, traceId: null, status: 200 },
  text: JSON.stringify(buildEntry(`${instance}-${number}`, second)),
})

database('returns each line once, for any number of processes, pages and pauses of days', async () => {
  const calls = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(90_000)), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 9 }), async (pauses, limit) => {
      await store.deleteLogLines(1000)
      const numbers = new Map<string, number>()
      let second = 0
      const lines = pauses.map(([writer, pause]) => {
        const instance = `host-${writer}`
        const number = (numbers.get(instance) ?? 0) + 1
        numbers.set(instance, number)
        second += pause
        return toLine(instance, number, second)
      })
      const read: string[] = []
      let cursor: string | undefined
      for (let written = 0; written <= lines.length; written += limit) {
        await store.appendLogLines(lines.slice(written, written + limit))
        const scan = log.reader.scanForward(cursor, all)
        // Some reads stop before the end.
        read.push(...idsOf(await scan.next(Math.max(1, limit - 1))))
        cursor = scan.cursor()
      }
      read.push(...(await readOn(log.reader, cursor)).ids)
      assert.equal([...read].sort(), lines.map(({ requestId }) => requestId ?? '').sort())
      const back = idsOf(await log.reader.scanBackward(all).next(99))
      assert.equal(back.reverse(), (await readOn(log.reader)).ids)
    }),
    { numRuns: 30 },
  )
})

database('has short cursors after many restarts', async () => {
  const day = 86_400
  await store.appendLogLines(Array.from({ length: 300 }, (_, restart) => toLine(`host-${restart}`, 1, restart * day)))
  const { ids, cursor } = await readOn(log.reader)
  assert.is(ids.length, 300)
  assert.ok(cursor.length < 60, cursor)
  await store.appendLogLines([toLine('host-7', 2, 300 * day)])
  assert.equal((await readOn(log.reader, cursor)).ids, ['host-7-2'])
})

database('names the process in each line', async () => {
  const written = await log.open('web-1-7')
  written.write(buildEntry('a', 1))
  await written.close()
  const [entry] = await log.reader.scanForward(undefined, all).next(1)
  assert.is(entry?.instance, 'web-1-7')
})

database('keeps the newest lines of all processes, up to its limits', async () => {
  const day = 86_400
  const now = Math.round((Date.now() - startAt) / 1000)
  await store.appendLogLines([toLine('old', 1, now - 31 * day), toLine('new', 1, now - 29 * day)])
  const limits = { lines: 5, ageMs: 30 * day * 1000, checkedEvery: 4 }
  const written = openDatabaseLog(store, 'one', limits)
  for (let second = 0; second < 6; second++) written.write(buildEntry(`r${second}`, now + second))
  await written.close()
  assert.equal((await readOn(log.reader)).ids, ['r1', 'r2', 'r3', 'r4', 'r5'])
  assert.is(await store.countLogLines(new Date()), 0)
})

database('ignores lines that are appended again', async () => {
  const lines = [toLine('one', 1, 1), toLine('one', 2, 2)]
  await store.appendLogLines(lines.slice(0, 1))
  await store.appendLogLines(lines)
  assert.equal((await readOn(log.reader)).ids, ['one-1', 'one-2'])
})

/** The store, while its database cannot be written. */
const refuseAppends = (isDown: () => boolean): LogDatabase => ({
  ...store,
  appendLogLines: async (lines) => {
    if (isDown()) throw new SvcError('unavailable', 'down')
    await store.appendLogLines(lines)
  },
})

database('writes the lines of an outage after it, and keeps no caller waiting', async () => {
  let attempts = 0
  const written = openDatabaseLog(
    refuseAppends(() => ++attempts < 3),
    'one',
  )
  written.write(buildEntry('a', 1))
  while (attempts < 2) await new Promise(setImmediate)
  written.write(buildEntry('b', 2))
  while ((await readOn(log.reader)).ids.length < 2) await new Promise(setImmediate)
  await written.close()
})

database('drops lines beyond a bound while the database is down, and rejects at the close', async () => {
  const written = openDatabaseLog(
    refuseAppends(() => true),
    'one',
  )
  const path = 'x'.repeat(1 << 20)
  const before = process.memoryUsage().heapUsed
  for (let second = 0; second < 200; second++) written.write(buildEntry('a', second, { path: path + second }))
  assert.ok(process.memoryUsage().heapUsed - before < 100 << 20)
  const error = await written.close().catch((thrown: Error) => thrown)
  assert.match(error?.message ?? 'none', /last lines of the log could not be written to the database/)
})
database.run()
