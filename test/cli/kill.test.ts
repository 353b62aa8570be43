// run: takes 15 s
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, utimesSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { insightFixtures } from '../helpers/fixtures.js'
import type { Json } from '../helpers/media.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { makeForm } from '../lab/power/workload.js'

const kill = suite('svc serve that is killed')
const shared = openTemporaryFolder()
/** A data directory with an API key. Each test works on a copy. */
const prepared = join(shared.folder, 'data')
let session: ReturnType<typeof openSession>
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let key: string
let running: RunningSvc[]
kill.before(async () => {
  session = openSession()
  const args = ['key', 'create', '--name', 'a', '--rate-limit', '0', '--admin', '--data-dir', prepared, '--json']
  key = JSON.parse((await session.run(args)).stdout).key
})
kill.after(async () => {
  await session.close()
  shared.close()
})
kill.before.each(() => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
  cpSync(prepared, dataDir, { recursive: true })
  running = []
})
kill.after.each(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  // The processes that draw hold the pipes of their server until they have ended, too.
  const pipes = running.flatMap(({ child }) => [child.stdout, child.stderr])
  await Promise.all(pipes.map((pipe) => pipe.closed || once(pipe.resume(), 'close')))
  place.close()
})

interface Served {
  readonly url: string
  readonly svc: RunningSvc
}

async function serve(variables: Record<string, string> = {}): Promise<Served> {
  const svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], variables)
  running.push(svc)
  return { url: JSON.parse(await svc.nextLine()).url, svc }
}

async function end({ svc }: Served, signal: NodeJS.Signals): Promise<number | null> {
  svc.child.kill(signal)
  return (await svc.ended).code
}

interface Answered {
  readonly status: number
  readonly body: Json
}

/** Sends a call on a connection of its own; undefined if the answer is lost. */
async function send(
  url: string,
  path: string,
  body?: Buffer | object,
  headers: Record<string, string> = {},
): Promise<Answered | undefined> {
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const call = request(url + path, {
    method: bytes === undefined ? 'GET' : 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  })
  try {
    call.end(bytes)
    const [response] = await once(call, 'response')
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  } catch {
    // The server was killed: the caller does not know what became of the call.
    return undefined
  }
}

type Create = (url: string) => Promise<Answered | undefined>

/** A create call that is sent the same each time. */
async function avatarCall(poses = ['sitting', 'lying']): Promise<Create> {
  const form = await makeForm(poses)
  return (url) => send(url, '/v1/pet-avatar/generate', form, { 'content-type': 'multipart/form-data; boundary=x' })
}

/** The task as it is when it has ended. */
async function waitForEnd(url: string, taskId: string): Promise<Json> {
  for (;;) {
    const answered = await send(url, `/v1/pet-avatar/tasks/${taskId}`)
    assert.is(answered?.status, 200, `${taskId} is lost`)
    if (!['pending', 'processing'].includes(answered?.body.status)) return answered?.body
    await delay(20)
  }
}

function query<Row>(text: string): Row[] {
  const database = new Database(join(dataDir, 'svc.db'), { readonly: true })
  try {
    return database.prepare(text).all() as Row[]
  } finally {
    database.close()
  }
}

/** Checks the files of the data directory when all work is done and no server runs. */
async function checkDataDir(): Promise<void> {
  assert.equal(query('pragma integrity_check'), [{ integrity_check: 'ok' }])
  const tasks = query<{ id: string; status: string; input: string; units: string }>('select * from tasks')
  assert.equal([...new Set(tasks.map(({ status }) => status))], ['success'])
  const units = tasks.flatMap((task) => JSON.parse(task.units))
  const keys = units.flatMap(({ output }) => Object.values<string>(output.files))
  for (const key of keys) assert.ok(existsSync(join(dataDir, 'objects', key)), `${key} is missing`)
  const { stdout } = await session.run(['usage', '--json', '--key', key, '--data-dir', dataDir])
  const { entries } = JSON.parse(stdout)
  const delivered = entries.reduce((sum: number, entry: Json) => sum + entry.units, 0)
  assert.is(delivered, units.length)
  assert.is(query('select 1 from usage_ledger where delivered = 1 group by unit_id').length, units.length)
  assert.is(query('select 1 from usage_entries').length, tasks.length)
}

kill('has the units of a server that was killed taken over before their lease ends', async () => {
  const first = await serve({ SVC_STUB_DELAY_MS: '600000' })
  const id = (await (await avatarCall())(first.url))?.body.task_id
  const leased = () => query<{ at: number }>("select lease_expires_at as at from units where status = 'processing'")
  while (leased().length < 2) await delay(10)
  await end(first, 'SIGKILL')
  // An hour more than it was, which is not over soon on any machine.
  const database = new Database(join(dataDir, 'svc.db'))
  database.exec("update units set lease_expires_at = lease_expires_at + 3600000 where status = 'processing'")
  database.close()
  const [lease] = leased()
  const second = await serve()
  assert.is((await waitForEnd(second.url, id)).status, 'success')
  assert.ok(Date.now() < Number(lease?.at), 'the units were taken over no sooner than their lease ended')
  assert.is(await end(second, 'SIGTERM'), 0)
  await checkDataDir()
})

kill('lets the other server on its data directory end its tasks', async () => {
  const variables = { SVC_STUB_DELAY_MS: '50' }
  const [one, other] = [await serve(variables), await serve(variables)]
  const create = await avatarCall()
  const answers = await Promise.all([one, other, one, other, one].map(({ url }) => create(url)))
  await end(one, 'SIGKILL')
  for (const answered of answers) {
    assert.is((await waitForEnd(other.url, answered?.body.task_id)).status, 'success')
  }
  assert.is(await end(other, 'SIGTERM'), 0)
  await checkDataDir()
})

kill('releases on SIGTERM the units that it cannot end, and the next start ends them', async () => {
  const first = await serve({ SVC_STUB_DELAY_MS: '40' })
  const create = await avatarCall(['sitting', 'lying', 'walking', 'running'])
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(first.url)))
  assert.is(await end(first, 'SIGTERM'), 0)
  assert.equal(query("select 1 from units where status = 'processing'"), [])
  assert.equal(readdirSync(join(dataDir, 'objects', '.drafts')), [])
  const second = await serve()
  for (const answered of answers) {
    assert.is((await waitForEnd(second.url, answered?.body.task_id)).status, 'success')
  }
  assert.is(await end(second, 'SIGTERM'), 0)
  await checkDataDir()
})

kill('removes the files that a killed server had begun to write', async () => {
  const first = await serve()
  const drafts = join(dataDir, 'objects', '.drafts')
  const create = await avatarCall()
  const sent = Array.from({ length: 10 }, () => create(first.url))
  while (readdirSync(drafts).length === 0) await delay(1)
  await end(first, 'SIGKILL')
  await Promise.all(sent)
  const longAgo = Date.now() / 1000 - 86_400
  for (const name of readdirSync(drafts)) utimesSync(join(drafts, name), longAgo, longAgo)
  const second = await serve()
  for (const { id } of query<{ id: string }>('select id from tasks')) await waitForEnd(second.url, id)
  assert.is(await end(second, 'SIGTERM'), 0)
  assert.equal(readdirSync(drafts), [])
})

const callers = 64

/** Calls again and again on kept connections until the server is gone. Adds the ID of each insight to `ids`. */
async function generateUntilGone({ url, svc }: Served, ids: string[]): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const bodies = insightFixtures.map(({ payload }) => JSON.stringify(payload))
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let isGone = false
  void svc.ended.then(() => {
    isGone = true
  })

  async function generate(body: string): Promise<void> {
    const call = request(`${url}/v1/health-detail-insights/generate`, { method: 'POST', agent, headers })
    call.end(body)
    const [response] = await once(call, 'response')
    const text = Buffer.concat(await response.toArray()).toString()
    assert.is(response.statusCode, 200)
    ids.push(JSON.parse(text).insightId)
  }

  async function goOn(caller: number): Promise<void> {
    for (let turn = caller; !isGone; turn++) {
      // A caller that receives no response does not know whether one was sent.
      await generate(bodies[turn % bodies.length] ?? '').catch((error) => {
        if (error instanceof assert.Assertion) throw error
      })
    }
  }

  await Promise.all(Array.from({ length: callers }, (_, caller) => goOn(caller)))
  agent.destroy()
}

kill('archives each insight until it is stopped, and loses the last alone when it is killed', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const archivedBefore = query('select 1 from insight_archive').length
    const served = await serve()
    const answered: string[] = []
    const answering = generateUntilGone(served, answered)
    while (answered.length < 300) await delay(10)
    const code = await end(served, signal)
    await answering
    const archive = query<{ id: string }>('select insight_id as id from insight_archive order by rowid')
    const ids = archive.slice(archivedBefore).map(({ id }) => id)
    const archived = new Set(ids)
    assert.equal([...archived].sort(), ids)
    const lost = answered.sort().filter((id) => !archived.has(id))
    assert.ok(ids.length > 0, 'no insight was archived')
    if (signal === 'SIGTERM') assert.equal([code, lost], [0, []])
    // IDs rise with the calls.
    const earlier = lost.filter((id) => id < (ids.at(-1) ?? ''))
    assert.equal(earlier, [])
    const bookings = query("select 1 from usage_entries where endpoint = 'health-detail-insights'")
    assert.is(bookings.length, archive.length)
  }
  assert.equal(query('pragma integrity_check'), [{ integrity_check: 'ok' }])
})

kill.run()
