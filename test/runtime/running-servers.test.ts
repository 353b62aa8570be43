import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { listRunningServers, recordServer } from '../../src/runtime/running-servers.js'
import { refusalOf } from '../helpers/refusal.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const servers = suite('running servers')
const { folder, close } = openTemporaryFolder()
servers.after(close)

const dataDir = describeDataDir(folder)
const urls = () => listRunningServers(dataDir).map(({ url }) => url)
const record = (port: number, pid: number, second: number) =>
  recordServer(dataDir, { url: `http://127.0.0.1:${port}`, pid, startedAt: `2026-10-14T08:00:0${second}.000Z` })

servers('are listed while they run, the newest first', () => {
  assert.equal(urls(), [])
  const removeFirst = record(8787, process.ppid, 1)
  const removeSecond = record(8788, process.ppid, 2)
  assert.equal(urls(), ['http://127.0.0.1:8788', 'http://127.0.0.1:8787'])
  removeSecond()
  assert.equal(urls(), ['http://127.0.0.1:8787'])
  removeFirst()
  assert.equal(urls(), [])
})

servers('are not recorded where a file has the place of their folder', async () => {
  const other = describeDataDir(join(folder, 'other'))
  mkdirSync(other.path)
  writeFileSync(other.servers, '')
  const server = { url: 'http://127.0.0.1:8787', pid: process.pid, startedAt: '' }
  assert.is(
    await refusalOf(() => recordServer(other, server)),
    `Cannot use ${other.servers}: there is a file of that name.`,
  )
})

servers('do not count once their process was killed, and leave the port to the next one', () => {
  // A process that has ended.
  const { pid } = spawnSync(process.execPath, ['--version'])
  const removeKilled = record(8787, pid, 1)
  assert.equal(urls(), [])
  // In a container, a server has the ID of the one before it.
  const removeSame = record(8788, process.pid, 1)
  assert.equal(urls(), [])
  removeSame()
  const removeNext = record(8787, process.ppid, 2)
  removeKilled()
  assert.equal(urls(), ['http://127.0.0.1:8787'])
  removeNext()
})

servers('can be read by nobody else, also in a folder that an earlier version made', () => {
  if (process.platform === 'win32') return
  chmodSync(dataDir.servers, 0o755)
  const remove = record(8787, process.ppid, 1)
  const modeOf = (path: string) => statSync(path).mode & 0o777
  assert.equal([dataDir.servers, join(dataDir.servers, '8787.json')].map(modeOf), [0o700, 0o600])
  remove()
})

servers.run()
