// run: takes 6 s
import { appendFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSqliteLog } from '../../src/adapters/sql/sqlite/log-file.js'
import type { RequestEntry } from '../../src/log/request-log.js'
import { openTableLog } from '../../src/log/writers.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { serveFolder } from '../helpers/app.js'
import { buildPayload } from '../helpers/payloads.js'
import { startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const logs = suite('svc logs')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
logs.before.each(() => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
})
logs.after.each(() => place.close())
const session = openSession()
const served = openTemporaryFolder()
logs.after(async () => {
  await session.close()
  served.close()
})

interface Calls {
  readonly key: string
  readonly generatedId: string
}

let made: ({ readonly dataDir: string } & Calls) | undefined

/** The folder of a server that answered some calls and has ended: a copy of one that did. */
async function serveCalls(): Promise<Calls> {
  if (made === undefined) {
    dataDir = join(served.folder, 'data')
    made = { dataDir, ...(await makeCalls()) }
    dataDir = join(place.folder, 'data')
  }
  cpSync(made.dataDir, dataDir, { recursive: true })
  return made
}

async function makeCalls(): Promise<Calls> {
  const { url, key, close } = await serveFolder(dataDir)
  const payload = { ...buildPayload({ metric: 'activity', viewWindow: 'week' }), previousPeriod: {} }
  const send = (id: string) =>
    fetch(`${url}/v1/health-detail-insights/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': id },
      body: JSON.stringify(payload),
    })
  assert.is((await send('caller-1')).status, 422)
  const odd = await send('caller [31m 2')
  assert.is((await fetch(`${url}/health`)).status, 200)
  await close()
  return { key, generatedId: odd.headers.get('x-request-id') ?? '' }
}

logs(
  'finds a refused payload by its request ID, with rule, pointer and sentence, while the server is stopped',
  async () => {
    const { generatedId } = await serveCalls()
    const { status, stdout } = await session.run(['logs', '--request-id', 'caller-1', '--data-dir', dataDir])
    assert.is(status, 0)
    assert.match(stdout, /422 {2}POST \/v1\/health-detail-insights\/generate .* key local \(key_.* request caller-1\n/)
    assert.match(stdout, /\n {4}breaks [a-z-]+ at \/previousPeriod {2}must be null or left out, but is an object\n$/)
    for (const id of [generatedId, 'caller [31m 2']) {
      const found = await session.run(['logs', '--request-id', id, '--json', '--data-dir', dataDir])
      assert.is(JSON.parse(found.stdout).request_id, generatedId)
      assert.is(JSON.parse(found.stdout).caller_request_id, 'caller [31m 2')
    }
    const unknown = await session.run(['logs', '--request-id', 'nobody', '--data-dir', dataDir])
    assert.equal([unknown.status, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, 'no call with the request ID nobody')
  },
)

logs('narrows the list by path, time and duration', async () => {
  await serveCalls()
  const count = async (...flags: string[]) => {
    const { stdout } = await session.run(['logs', ...flags, '--json', '--data-dir', dataDir])
    return stdout.split('\n').length - 1
  }
  assert.equal([await count('--path', 'health-detail'), await count('--path', 'diary')], [2, 0])
  assert.equal([await count('--since', '1h'), await count('--since', '2999-01-01')], [3, 0])
  assert.equal([await count('--slow', '0ms'), await count('--slow', '1h')], [3, 0])
  for (const [since, advice] of [
    ['yesterday', ''],
    ['1.5h', ' Did you mean 90m?'],
    ['26.10.2026', ' Did you mean 2026-10-26?'],
  ]) {
    const { status, stderr } = await session.run(['logs', '--since', since ?? '', '--data-dir', dataDir])
    assert.is(status, 2)
    const forms = 'a duration such as 15m, 2h or 3d, or a time such as 2026-10-14T08:00Z'
    assert.match(stderr, `--since is "${since}"; it must be ${forms}.${advice}\n`)
  }
})

logs('counts --since from the time of the service', async () => {
  const { key } = await serveCalls()
  const count = async (since: string, ...place: string[]) => {
    const { stdout } = await session.run(['logs', '--since', since, '--path', '/v1', '--json', ...place])
    return stdout.split('\n').length - 1
  }
  const folder = ['--data-dir', dataDir]
  const counts = async (...place: string[]) => [await count('1h', ...place), await count('3d', ...place)]
  assert.equal(await counts(...folder), [2, 2])
  await session.run(['clock', 'advance', '2d', ...folder])
  assert.equal(await counts(...folder), [0, 2])
  const server = await serveFolder(dataDir)
  assert.equal(await counts('--url', server.url, '--key', key), [0, 2])
  await session.run(['clock', 'reset', ...folder])
  await server.close()
  const production = await serveFolder(dataDir, { SVC_ENV: 'production' })
  assert.equal(await counts('--url', production.url, '--key', key), [2, 2])
  await production.close()
})

logs('reads the log of a database, follows it, and prunes it', async () => {
  // The value of an earlier version.
  const env = { SVC_LOG: 'database' }
  const { url, close } = await serveFolder(dataDir, env)
  const following = startSvc(['logs', '--follow', '--json', '--status', '404', '--data-dir', dataDir], env)
  await fetch(`${url}/none`, { headers: { 'x-request-id': 'one' } })
  const { instance, request_id } = JSON.parse(await following.nextLine())
  assert.is(request_id, 'one')
  assert.match(instance, new RegExp(`-${process.pid}-`))
  await fetch(`${url}/none`, { headers: { 'x-request-id': 'two' } })
  assert.is(JSON.parse(await following.nextLine()).request_id, 'two')
  await stopFollowing(following)
  await close()
  const found = await session.run(['logs', '--request-id', 'two', '--data-dir', dataDir], { env })
  assert.is(found.status, 0)
  assert.match(found.stdout, / 404 {2}GET \/none .* request two\n$/)
  const pruned = await session.run(['data', 'prune', '--older-than', '0s', '--json', '--data-dir', dataDir], { env })
  assert.is(JSON.parse(pruned.stdout).log_lines, 2)
})

logs('says where to look if the log goes to standard output, which has JSON lines only', async () => {
  const env = { SVC_LOG: 'stdout' }
  const server = startSvc(['serve', '--port', '0', '--data-dir', dataDir], env)
  await awaitError(server, 'is ready on')
  const [, url] = /ready on (\S+)/.exec(server.errors()) ?? []
  await fetch(`${url}/none`, { headers: { 'x-request-id': 'one' } })
  assert.is(JSON.parse(await server.nextLine()).request_id, 'one')
  for (const flags of [[], ['--url', url ?? '']]) {
    const { status, stdout, stderr } = await session.run(['logs', ...flags, '--data-dir', dataDir], { env })
    assert.equal([status, stdout], [2, ''])
    assert.match(stderr, /look at what collects the output/)
  }
  server.child.kill()
  await server.ended
})

async function awaitError({ errors }: ReturnType<typeof startSvc>, text: string): Promise<void> {
  for (let round = 0; round < 10_000 && !errors().includes(text); round++) await delay(10)
  assert.match(errors(), text)
}

/** Follows the log of `dataDir`; ends with Ctrl-C, which is not a failure. */
async function stopFollowing({ child, ended, errors }: ReturnType<typeof startSvc>): Promise<void> {
  child.kill('SIGINT')
  assert.equal(await ended, { code: 0, signal: null }, errors())
}

logs('waits for a data directory, goes on after its log was removed, and ends with Ctrl-C', async () => {
  const following = startSvc(['logs', '--follow', '--json', '--data-dir', dataDir])
  await awaitError(following, 'Waiting for a service')
  await writeLog({ ...call, request_id: 'one' })
  assert.is(JSON.parse(await following.nextLine()).request_id, 'one')
  for (const file of readdirSync(dataDir)) if (file.startsWith('log.db')) rmSync(join(dataDir, file))
  await writeLog({ ...call, request_id: 'two' })
  assert.is(JSON.parse(await following.nextLine()).request_id, 'two')
  await stopFollowing(following)
})

logs('names the folder with the lines of an earlier version', async () => {
  await writeLog(call)
  const former = join(dataDir, 'logs')
  mkdirSync(former)
  writeFileSync(join(former, '20261121T101917273Z-1.jsonl'), `${JSON.stringify(call)}\n`)
  const { status, stdout, stderr } = await session.run(['logs', '--data-dir', dataDir])
  assert.equal([status, stdout.split('\n').length - 1], [0, 1])
  assert.match(stderr, `The log lines of an earlier version are in ${former}, as files of JSON lines.`)
})

logs('prints the same for a task from the folder and from a server', async () => {
  const { url, close } = await serveFolder(dataDir)
  const photo = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
  const flags = ['--species', 'dog', '--pet-id', 'rex', '--pose', 'lying', '--wait', '--data-dir', dataDir]
  const following = startSvc(['logs', '--follow', '--pet', 'rex', '--url', url, '--data-dir', dataDir, '--json'])
  assert.is((await session.run(['avatar', 'generate', photo, ...flags, '--url', url])).status, 0)
  const { request_id: id, task_id: taskId } = JSON.parse(await following.nextLine())
  const near = await session.run(['logs', '--request-id', id, '--data-dir', dataDir])
  const far = await session.run(['logs', '--request-id', id, '--data-dir', dataDir, '--url', url])
  assert.equal([near.status, far.status], [0, 0])
  assert.match(
    near.stdout,
    new RegExp(`  pet rex  task ${taskId}  request ${id}\n    task ${taskId}  avatar  success after`),
  )
  assert.match(
    near.stdout,
    /\n {6}lying {2}success\n.* queued\n.* started .*\n.* succeeded .*\n +image\/png {2}[\d,]+ bytes\n/,
  )
  assert.match(near.stdout, /\n {6}usage {2}stub-avatar-1 {2}1 image {2}\$0\.00\n$/)
  assert.is(far.stdout, near.stdout.replace(/ \(key_\w+\)/, ''))
  const json = ['--json', '--data-dir', dataDir]
  const findTask = async (...more: string[]) =>
    JSON.parse((await session.run(['logs', '--request-id', id, ...json, ...more])).stdout).task
  assert.equal(await findTask(), await findTask('--url', url))
  assert.equal((await session.run(['logs', '--pet', 'nobody', ...json])).stdout, '')
  assert.is((await session.run(['logs', '--request-id', 'nobody', ...json, '--url', url])).status, 1)
  await stopFollowing(following)
  await close()
})

logs('shows rules from a server, and its own calls if asked to', async () => {
  const { key } = await serveCalls()
  const { url, close } = await serveFolder(dataDir)
  const flags = ['--url', url, '--key', key]
  const { stdout } = await session.run(['logs', '--status', '422', ...flags])
  assert.match(stdout, /request caller-1\n {4}breaks [a-z-]+ at \/previousPeriod {2}.+\n/)
  const show = async (...args: string[]) => (await session.run(['logs', '--data-dir', dataDir, ...args])).stdout
  // The server writes its log in groups.
  while (!(await show('--all')).includes('/_svc/requests')) await new Promise(setImmediate)
  assert.not.match(await show(), '/_svc/')
  assert.match((await session.run(['logs', '--all', ...flags])).stdout, '/_svc/requests')
  await close()
})

logs('shows the log without pets where the database cannot be opened', async () => {
  await writeLog({ ...call, method: 'POST', path: '/v1/home-insights/generate', status: 200, call_id: 'c' })
  writeFileSync(join(dataDir, 'svc.db'), 'x'.repeat(5000))
  const { status, stdout, stderr } = await session.run(['logs', '--data-dir', dataDir])
  assert.is(status, 0)
  assert.match(stdout, /^2026\S+ {2}200 {2}POST \/v1\/home-insights\/generate .*\n$/)
  assert.match(stderr, /svc\.db.* Pets and tasks are not shown\.\n$/)
  assert.is((await session.run(['logs', '--pet', 'rex', '--data-dir', dataDir])).status, 2)
})

/** A call as the server writes it. */
const call = {
  time: '2026-10-20T08:00:00.000Z',
  status: 404,
  method: 'GET',
  path: '/x',
  duration_ms: 1,
  request_id: 'req_1',
}

/** Writes lines into the log of the data directory, as a server does. */
async function writeLog(...calls: readonly RequestEntry[]): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  appendFileSync(join(dataDir, 'svc.db'), '')
  const file = openSqliteLog(describeDataDir(dataDir).log)
  const log = openTableLog(file, 'test', 500_000)
  for (const one of calls) log.write(one)
  await log.close()
  await file.close()
}

logs('lets no character of a log line reach the terminal as a command', async () => {
  await writeLog({ ...call, path: '/\u001b[31m\u009b\u202e', request_id: 'r\n' })
  for (const flags of [[], ['--json']]) {
    const { stdout } = await session.run(['logs', ...flags, '--data-dir', dataDir])
    assert.not.match(stdout.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    assert.match(stdout, '\\u009b')
  }
})

logs('prints one line for each call and rule, even if a caller puts line breaks into a name', async () => {
  const forged = '\n2026-10-20T08:00:00.000Z  200  GET /forged  1 ms'
  const warnings = [{ rule: `odd${forged}`, path: `/x${forged}` }]
  await writeLog({ ...call, path: `/x${forged}`, key_id: 'key_1', key_name: `n${forged}`, warnings })
  const { stdout } = await session.run(['logs', '--data-dir', dataDir])
  assert.is(stdout.split('\n').length, 3)
  assert.not.match(stdout, /^2026\S+ {2}200 /m)
})

logs('keeps every value whole with --json', async () => {
  const path = '/\u{e0041}\u{1f600}\u202e\u2028'
  await writeLog({ ...call, path })
  const { stdout } = await session.run(['logs', '--json', '--data-dir', dataDir])
  assert.match(stdout, '\\udb40\\udc41')
  assert.is(JSON.parse(stdout).path, path)
})

logs('says why a log cannot be read', async () => {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'svc.db'), '')
  writeFileSync(join(dataDir, 'log.db'), 'x'.repeat(5000))
  const { status, stderr } = await session.run(['logs', '--data-dir', dataDir])
  assert.is(status, 2)
  assert.match(stderr, /^svc: Cannot use .*log\.db: it is not a database of svc; .*\.\n$/)
})

logs('ends quietly when its reader goes away', async () => {
  await writeLog(...Array.from({ length: 5000 }, () => call))
  const { child, nextLine, ended, errors } = startSvc(['logs', '--data-dir', dataDir])
  await nextLine()
  child.stdout.destroy()
  assert.equal([(await ended).code, errors()], [0, ''])
})

logs.run()
