import { renameSync, statSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type CheckpointStart, createCheckpointRunner } from '../../../../src/adapters/sql/sqlite/checkpoint-runner.js'
import { createCheckpointer } from '../../../../src/adapters/sql/sqlite/checkpointer.js'
import { openSqlite } from '../../../../src/adapters/sql/sqlite/dialect.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const checkpoints = suite('checkpoints')
const built = new URL('../../../../dist/adapters-sql-sqlite-checkpoint-thread.cjs', import.meta.url)
const startFrom = (url: URL) => (workerData: CheckpointStart) => new Worker(url, { workerData })

let place: ReturnType<typeof openTemporaryFolder>
let file: string
checkpoints.before.each(() => {
  place = openTemporaryFolder()
  file = `${place.folder}/a.db`
})
checkpoints.after.each(() => place.close())

function openRows(path = file) {
  const database = openSqlite(path)
  database.exec('create table rows (id integer primary key, text text)')
  return database
}

/** Starts a thread that answers its checkpoints, which it counts, with the code `answer`. */
function startAnswering(answer: string): (workerData: CheckpointStart) => Worker {
  const script = `${place.folder}/answering.cjs`
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads')
     let count = 0
     parentPort.on('message', (request) => {
       if (request === 'close') process.exit()
       count++
       ${answer}
     })`,
  )
  return startFrom(new URL(`file://${script}`))
}

async function errorOf(work: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  return work.then(
    () => assert.unreachable('nothing was thrown'),
    (error) => error,
  )
}

/** Commits 40 groups of rows, 40 MB in total. Returns the sizes of the write-ahead log and the database file. */
async function commitGroups(start?: (workerData: CheckpointStart) => Worker) {
  const database = openRows()
  const through = createCheckpointRunner(file, start)
  const checkpointer = createCheckpointer(through)
  const insertOne = database.prepare('insert into rows (text) values (?)')
  const insertGroup = database.transaction(() => {
    for (let row = 0; row < 4000; row++) insertOne.run('x'.repeat(250))
  })
  for (let group = 0; group < 40; group++) {
    insertGroup()
    checkpointer.count(4000)
    await checkpointer.wait(Number.POSITIVE_INFINITY)
  }
  const sizes = { logBytes: statSync(`${file}-wal`).size, fileBytes: statSync(file).size }
  await through.close()
  database.close()
  return sizes
}

for (const [from, start] of [
  ['built', startFrom(built)],
  ['sources', undefined],
] as const) {
  checkpoints(`runs checkpoints in its thread, so that the log restarts (${from})`, async () => {
    const { logBytes, fileBytes } = await commitGroups(start)
    assert.ok(logBytes < 12 << 20, `the log has ${logBytes} bytes`)
    assert.ok(fileBytes > 30 << 20, `the file has ${fileBytes} bytes`)
  })
}

checkpoints('leaves checkpoints to SQLite if the thread does not start', async () => {
  const { logBytes, fileBytes } = await commitGroups(startFrom(new URL('./missing.cjs', built)))
  assert.ok(logBytes < 36 << 20, `the log has ${logBytes} bytes`)
  assert.ok(fileBytes > 20 << 20, `the file has ${fileBytes} bytes`)
})

checkpoints('survives a thread that crashes before or after its reply', async () => {
  for (const answer of ['throw new Error()', "parentPort.postMessage('done'); throw new Error()", 'process.exit()']) {
    const through = createCheckpointRunner(file, startAnswering(answer))
    const checkpointer = createCheckpointer(through)
    for (let round = 0; round < 2; round++) {
      checkpointer.count(20_000)
      await checkpointer.wait(Number.POSITIVE_INFINITY)
    }
    await through.close()
  }
})

checkpoints(
  'delays archived rows briefly for a checkpoint, other groups until its end, and all commits if the log is long',
  async () => {
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
  },
)

checkpoints('rejects waiting checkpoints when the thread crashes, and runs no more', async () => {
  const through = createCheckpointRunner(file, startAnswering('process.exit()'))
  const [one, other] = [through.checkpoint(), through.checkpoint()]
  for (const work of [one, other]) {
    assert.match((await errorOf(work ?? Promise.resolve())).message, 'The thread that runs checkpoints ended.')
  }
  assert.is(through.checkpoint(), undefined)
  await through.close()
})

checkpoints("rejects with SQLite's error, and runs later ones", async () => {
  const error = "{ message: 'disk I/O error', code: 'SQLITE_IOERR' }"
  const through = createCheckpointRunner(
    file,
    startAnswering(`parentPort.postMessage(count === 1 ? ${error} : 'done')`),
  )
  const [first, second] = [through.checkpoint(), through.checkpoint()]
  assert.is((await errorOf(first ?? Promise.resolve())).code, 'SQLITE_IOERR')
  await second
  await through.close()
})

checkpoints('returns undefined if the system has no thread for it', async () => {
  const through = createCheckpointRunner(file, () => {
    throw new Error('no thread')
  })
  assert.is(through.checkpoint(), undefined)
  const checkpointer = createCheckpointer(through)
  assert.is(checkpointer.count(20_000), undefined)
  await checkpointer.wait(Number.POSITIVE_INFINITY)
  await through.close()
})

checkpoints('does not touch a file that replaced its own', async () => {
  openRows().close()
  const through = createCheckpointRunner(file)
  const replacement = `${place.folder}/b.db`
  openRows(replacement).close()
  renameSync(replacement, file)
  // Starts the thread, which ends immediately.
  const error = await errorOf(through.checkpoint() ?? Promise.resolve())
  assert.match(error.message, 'ended')
  assert.is((error.cause as { code?: string }).code, 'SQLITE_READONLY_DBMOVED')
  await through.close()
})

checkpoints.run()
