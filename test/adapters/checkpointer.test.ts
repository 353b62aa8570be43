import { statSync, writeFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createCheckpointer } from '../../src/adapters/sql/checkpointer.js'
import { openSqlite } from '../../src/adapters/sql/sqlite.js'
import { makeFolder } from '../helpers/app.js'

const checkpointer = suite('checkpointer')
const built = new URL('../../dist/adapters-sql-checkpoint.cjs', import.meta.url)

/** Commits 40 groups of rows, 40 MB in all, and gives the sizes of the write-ahead log and of the database file. */
async function commitGroups(workerUrl: URL): Promise<{ logBytes: number; fileBytes: number }> {
  const folder = makeFolder()
  const file = `${folder.path}/a.db`
  const database = openSqlite(file)
  const checkpoints = createCheckpointer(file, workerUrl)
  database.exec('create table rows (text text)')
  const insert = database.prepare('insert into rows values (?)')
  const insertGroup = database.transaction(() => {
    for (let row = 0; row < 4000; row++) insert.run('x'.repeat(250))
  })
  for (let group = 0; group < 40; group++) {
    insertGroup()
    await checkpoints.countCommit(4000)
  }
  const sizes = { logBytes: statSync(`${file}-wal`).size, fileBytes: statSync(file).size }
  await checkpoints.close()
  database.close()
  folder.remove()
  return sizes
}

checkpointer('brings rows from the log into the file in its thread, so that the log starts over', async () => {
  const { logBytes, fileBytes } = await commitGroups(built)
  assert.ok(logBytes < 12 << 20, `the log has ${logBytes} bytes`)
  assert.ok(fileBytes > 30 << 20, `the file has ${fileBytes} bytes`)
})

checkpointer('leaves it to SQLite where the thread does not start', async () => {
  const { logBytes, fileBytes } = await commitGroups(new URL('./missing.cjs', built))
  assert.ok(logBytes < 24 << 20, `the log has ${logBytes} bytes`)
  assert.ok(fileBytes > 20 << 20, `the file has ${fileBytes} bytes`)
})

checkpointer('survives a thread that dies, before or after its answer', async () => {
  const folder = makeFolder()
  for (const order of ['throw new Error()', "parentPort.postMessage('done'); throw new Error()", 'process.exit()']) {
    const dying = `${folder.path}/dying.cjs`
    writeFileSync(
      dying,
      `const { parentPort } = require('node:worker_threads'); parentPort.on('message', () => { ${order} })`,
    )
    const checkpoints = createCheckpointer(`${folder.path}/a.db`, new URL(`file://${dying}`))
    await checkpoints.countCommit(20_000)
    await checkpoints.countCommit(20_000)
    await checkpoints.close()
  }
  folder.remove()
})

checkpointer.run()
