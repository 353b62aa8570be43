import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteLog, type SqliteLog } from '../../../../src/adapters/sql/sqlite/log-file.js'
import { openTableLog } from '../../../../src/log/writers.js'
import type { LogLine } from '../../../../src/ports/log-lines.js'
import { compiledUrl, runOnSmallDisk } from '../../../helpers/small-disk.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const log = suite('request log in a file')
let place: ReturnType<typeof openTemporaryFolder>
let file: string
let reports: string[]
let opened: SqliteLog
log.before.each(() => {
  place = openTemporaryFolder()
  file = join(place.folder, 'log.db')
  reports = []
  opened = openSqliteLog(file, (message) => reports.push(message))
})
log.after.each(async () => {
  await opened.close()
  place.close()
})

const toText = (request_id: string) => JSON.stringify({ time: '1970-01-01T00:00:01.000Z', request_id, status: 200 })
const toLine = (id: string, text = toText(id)): LogLine => ({ instance: 'one', number: 1, text })
const query = { first: 0, last: Number.MAX_SAFE_INTEGER, kind: 'call', newestFirst: false, limit: 1000 } as const
const listIds = async () => (await opened.listLogLines(query)).map(({ text }) => JSON.parse(text).request_id)

log('is readable by its owner only, and is not created by a reader', async () => {
  assert.equal(await opened.findLogRange(), { first: 1, last: 0 })
  assert.equal(readdirSync(place.folder), [])
  await opened.appendLogLines([toLine('a')])
  for (const name of readdirSync(place.folder)) assert.is(statSync(join(place.folder, name)).mode & 0o777, 0o600, name)
})

log('goes on in a new file after it was removed, with greater IDs', async () => {
  await opened.appendLogLines([toLine('a')])
  const { last } = await opened.findLogRange()
  for (const name of readdirSync(place.folder)) rmSync(join(place.folder, name))
  await opened.appendLogLines([toLine('b')])
  assert.equal(await listIds(), ['b'])
  assert.ok((await opened.findLogRange()).first > last)
  assert.ok(existsSync(file))
})

const damages: [what: string, damage: () => void, says: RegExp][] = [
  ['no database', () => writeFileSync(file, 'x'.repeat(5000)), /log\.db: it is not a database/],
  ['a folder', () => mkdirSync(file), /log\.db: there is a folder of that name/],
]
for (const [what, damage, says] of damages) {
  log(`says once that it is ${what}, and goes on after it was removed`, async () => {
    damage()
    const requests = openTableLog(opened, 'one', 1000)
    const call = { time: new Date().toISOString(), method: 'GET', path: '/x', status: 200, duration_ms: 1 }
    requests.write({ ...call, request_id: 'a' })
    for (let round = 0; round < 3; round++) await requests.flush()
    assert.is(reports.length, 1)
    assert.match(reports[0] ?? '', says)
    assert.match(reports[0] ?? '', /The service goes on/)
    const error = await opened.findLogRange().catch((thrown: Error) => thrown)
    assert.match(String(error), /request log cannot be read at the moment/)
    rmSync(file, { recursive: true })
    await requests.close()
    assert.equal(await listIds(), ['a'])
    assert.is(reports.length, 1)
  })
}

log('deletes its oldest lines beyond 64 MB', async () => {
  const text = JSON.stringify({ text: 'x'.repeat(100_000) })
  for (let group = 0; group < 6; group++) await opened.appendLogLines(Array(100).fill(toLine('a', text)))
  const excess = await opened.findLogExcess(500_000)
  await opened.deleteLogLines(excess)
  await opened.appendLogLines(Array(20).fill(toLine('b', text)))
  const again = await opened.findLogExcess(500_000)
  assert.ok(again.last < again.first, 'the freed pages are used again')
  const { first, last } = await opened.findLogRange()
  const bytes = (last - first + 1) * 100_000
  assert.ok(bytes > 40e6 && bytes < 60e6, `${bytes} bytes are kept`)
})

log('says once that the disk is full, and rejects if its last lines are lost', () => {
  const script = `
    import { openSqliteLog } from '${compiledUrl('adapters/sql/sqlite/log-file')}'
    import { openTableLog } from '${compiledUrl('log/writers')}'
    const log = openSqliteLog(${JSON.stringify(file)}, (message) => console.log(message))
    const requests = openTableLog(log, 'one', 1000)
    const call = { time: new Date().toISOString(), method: 'GET', path: 'x'.repeat(1000), status: 200, duration_ms: 1 }
    for (let count = 0; count < 100; count++) requests.write({ ...call, request_id: 'r' + count })
    await requests.flush()
    await requests.flush()
    try { await requests.close() } catch (error) { console.log(error.code, error.message) }
    await log.close()`
  const { stdout, stderr } = runOnSmallDisk(script)
  const [first = '', last = '', ...others] = stdout.trim().split('\n')
  assert.match(first, /^Cannot use .*log\.db: .*\. The service goes on, but lines of the request log may be lost\.$/)
  assert.match(last, /^unavailable The last lines of the log could not be written/)
  assert.equal([others, stderr], [[], ''])
})

log.run()
