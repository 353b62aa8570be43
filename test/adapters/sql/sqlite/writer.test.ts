import { renameSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCheckpointer } from '../../../../src/adapters/sql/sqlite/checkpointer.js'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { Database } from '../../../../src/adapters/sql/sqlite/driver.js'
import type { Write } from '../../../../src/adapters/sql/sqlite/write-all.js'
import { createWriter, createWriterThread, type Writer } from '../../../../src/adapters/sql/sqlite/writer.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
import { thrownBy } from '../../../helpers/thrown.js'

const writer = suite('writer')
const startFrom = (url: URL) => () => new Worker(url)

let place: ReturnType<typeof openTemporaryFolder>
let file: string
const opened: { close(): unknown }[] = []
writer.before.each(() => {
  place = openTemporaryFolder()
  file = `${place.folder}/a.db`
})
writer.after.each(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  place.close()
})

function openRows(path = file) {
  const database = openSqlite(path)
  database.exec('create table rows (id integer primary key, text text)')
  opened.push(database)
  return database
}

/** Starts a thread that handles each request with the code `answer`. */
function startDying(answer: string): () => Worker {
  const script = `${place.folder}/dying.cjs`
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads')
     parentPort.postMessage('ready')
     parentPort.on('message', () => { ${answer} })`,
  )
  return startFrom(new URL(`file://${script}`))
}

/** Opens a writer with a thread of its own. */
function openWriter(start?: () => Worker): Writer {
  const thread = createWriterThread(start)
  const through = createWriter(file, thread)
  opened.push(thread, through)
  return through
}

const insert = (...rows: readonly [number, string][]): Write => ({
  sql: 'insert into rows values (?, ?)',
  parameters: rows.flat(),
  columns: 2,
})

/** Retries until the thread runs. */
async function write(through: Writer, writes: readonly Write[]): Promise<void> {
  for (let tries = 0; tries < 10_000; tries++) {
    const writing = through.write(writes)
    if (writing !== undefined) return writing
    await delay(10)
  }
  throw new Error('the thread does not run')
}

/** Commits groups of rows, 1 MB each. Returns the sizes of the write-ahead log and the database file. */
async function commitGroups(count: number, start?: () => Worker) {
  const database = openRows()
  const through = openWriter(start)
  const checkpointer = createCheckpointer(through)
  const insertOne = database.prepare('insert into rows (text) values (?)')
  const insertGroup = database.transaction(() => {
    for (let row = 0; row < 4000; row++) insertOne.run('x'.repeat(250))
  })
  for (let group = 0; group < count; group++) {
    insertGroup()
    checkpointer.count(4000)
    await checkpointer.wait(Number.POSITIVE_INFINITY)
  }
  const sizes = { logBytes: statSync(`${file}-wal`).size, fileBytes: statSync(file).size }
  return sizes
}

writer('runs checkpoints in its thread, so that the log restarts', async () => {
  const { logBytes, fileBytes } = await commitGroups(20)
  assert.ok(logBytes < 12 << 20, `the log has ${logBytes} bytes`)
  assert.ok(fileBytes > 12 << 20, `the file has ${fileBytes} bytes`)
})

writer('leaves checkpoints to SQLite if the thread does not start', async () => {
  const { logBytes, fileBytes } = await commitGroups(40, startFrom(new URL('./missing.cjs', import.meta.url)))
  assert.ok(logBytes < 36 << 20, `the log has ${logBytes} bytes`)
  assert.ok(fileBytes > 20 << 20, `the file has ${fileBytes} bytes`)
})

writer('survives a thread that crashes before or after its reply', async () => {
  for (const answer of ['throw new Error()', "parentPort.postMessage('done'); throw new Error()", 'process.exit()']) {
    const through = openWriter(startDying(answer))
    const checkpointer = createCheckpointer(through)
    for (let round = 0; round < 2; round++) {
      checkpointer.count(20_000)
      await checkpointer.wait(Number.POSITIVE_INFINITY)
    }
  }
})

writer('delays archived rows briefly for a checkpoint, groups until its end, all commits of a long log', async () => {
  const running: (() => void)[] = []
  const checkpointer = createCheckpointer({ checkpoint: () => new Promise((resolve) => running.push(resolve)) })
  const isPending = async (work: Promise<void> | undefined) =>
    (await Promise.race([work, new Promise((resolve) => setImmediate(resolve, 'pending'))])) === 'pending'
  assert.is(checkpointer.count(12_000), undefined)
  await checkpointer.wait(1)
  const group = checkpointer.wait(Number.POSITIVE_INFINITY)
  assert.ok(await isPending(group))
  running.shift()?.()
  await group
  // Its commit came before the checkpoint, so the log has restarted.
  assert.is(checkpointer.count(36_000), undefined)
  const commit = checkpointer.count(12_000)
  assert.ok(await isPending(commit))
  assert.ok(await isPending(checkpointer.wait(1)))
  running.shift()?.()
  await commit
  assert.is(running.length, 0)
})

writer('starts on the first write, which the caller must run, and runs later writes in order', async () => {
  const database = openRows()
  const through = openWriter()
  assert.is(through.write([insert([1, 'a'])]), undefined)
  await write(through, [insert([1, 'a'], [2, 'b'])])
  const copy: Write = { sql: 'insert into rows select id + ?, text from rows', parameters: [10], columns: 1 }
  const double: Write = { sql: 'insert into rows select id + ?, text from rows', parameters: [100], columns: 1 }
  await Promise.all([through.write([insert([3, 'c']), copy]), through.write([double])])
  const ids = database.prepare('select id from rows order by id').pluck().all()
  assert.equal(ids, [1, 2, 3, 11, 12, 13, 101, 102, 103, 111, 112, 113])
})

writer('inserts rows in groups of 50 and one by one, in order and each once', async () => {
  const database = openRows()
  const through = openWriter()
  const rows = Array.from({ length: 101 }, (_, index): [number, string] => [index + 1, `text ${index}`])
  for (const count of [49, 50, 51, 101]) {
    await write(through, [{ sql: 'delete from rows where id > ?', parameters: [0], columns: 1 }])
    await write(through, [insert(...rows.slice(0, count))])
    assert.equal(database.prepare('select id, text from rows order by rowid').raw().all(), rows.slice(0, count))
  }
})

writer("writes all rows or none, and rejects with SQLite's error", async () => {
  const database = openRows()
  const through = openWriter()
  await write(through, [insert([1, 'a'])])
  const error = await thrownBy(write(through, [insert([2, 'b']), insert([3, 'c'], [1, 'again'])]))
  assert.is(error.code, 'SQLITE_CONSTRAINT_PRIMARYKEY')
  assert.match(error.message, 'rows.id')
  const other = new Database(file)
  other.exec('begin immediate')
  assert.is((await thrownBy(write(through, [insert([2, 'b'])]))).code, 'SQLITE_BUSY')
  other.close()
  await write(through, [insert([4, 'd'])])
  assert.equal(database.prepare('select id from rows order by id').pluck().all(), [1, 4])
})

writer('rejects pending writes when the thread crashes, and accepts no more', async () => {
  const through = openWriter(startDying('process.exit()'))
  const error = await thrownBy(write(through, [insert([1, 'a'])]))
  assert.match(error.message, 'The thread that writes the database ended.')
  assert.is(through.write([insert([1, 'a'])]), undefined)
  assert.is(through.checkpoint(), undefined)
})

writer('returns undefined if the system has no thread for it', async () => {
  const through = openWriter(() => {
    throw new Error('no thread')
  })
  assert.is(through.write([insert([1, 'a'])]), undefined)
  assert.is(through.checkpoint(), undefined)
  const checkpointer = createCheckpointer(through)
  assert.is(checkpointer.count(20_000), undefined)
  await checkpointer.wait(Number.POSITIVE_INFINITY)
})

writer('matches replies to requests if a request cannot be sent', async () => {
  openRows()
  const through = openWriter()
  await write(through, [])
  const unsent = thrownBy(write(through, [{ ...insert([1, 'a']), parameters: [() => 1] }]))
  const sent = write(through, [insert([1, 'a'])])
  const failing = thrownBy(write(through, [insert([1, 'again'])]))
  assert.is((await unsent).name, 'DataCloneError')
  await sent
  assert.is((await failing).code, 'SQLITE_CONSTRAINT_PRIMARYKEY')
})

writer('does not write to a file that replaced its own', async () => {
  openRows()
  const through = openWriter()
  const replacement = `${place.folder}/b.db`
  openRows(replacement)
  renameSync(replacement, file)
  const error = await thrownBy(through.checkpoint() ?? Promise.resolve())
  assert.is(error.code, 'SQLITE_READONLY_DBMOVED')
  assert.is(through.write([insert([1, 'a'])]), undefined)
})

writer.run()
