/**
 * The tests of the main server, as its developers would write them. They need a server of svc:
 *
 *   svc exec --fault 'route=GET /v1/models,status=503,retry-after=1,times=1' -- node --test suite.mjs
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const { SVC_URL, SVC_API_KEY } = process.env
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const program = pathOf('main-server.mjs')
const photo = readFileSync(pathOf('../../fixtures/photos/dog.jpg'))

let folder
let server
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'main-server-'))
  server = await startServer()
})
after(async () => {
  await server.stop('SIGTERM')
  rmSync(folder, { recursive: true })
})
afterEach(async () => {
  await tell('DELETE', '/_svc/faults')
  await tell('POST', '/_svc/clock', { reset: true })
})

const final = ['success', 'partial_success', 'failed']

async function startServer() {
  const child = spawn(process.execPath, [program, 'serve', folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the main server ended: ${code}`)))
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  const url = String(line).trim()
  return {
    send: (method, path, body) => fetch(url + path, { method, body }),
    /** Resolves with what the app sees of a pet, once it has this status. */
    async waitFor(pet, status) {
      for (;;) {
        const seen = await (await fetch(`${url}/pets/${pet}`)).json()
        if (seen.status === status) return seen
        assert.ok(!final.includes(seen.status), JSON.stringify(seen))
        await sleep(50)
      }
    },
    async stop(signal) {
      if (child.exitCode !== null || !child.kill(signal)) return
      await once(child, 'exit')
    },
  }
}

/** Calls the tools of svc: faults, the clock and the records of its calls. */
async function tell(method, path, body) {
  const headers = { authorization: `Bearer ${SVC_API_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(SVC_URL + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response.json()
}

const addFault = (rule) => tell('POST', '/_svc/faults', { rule })
const create = 'route=POST /v1/pet-avatar/generate'
const makePictures = (pet) => server.send('PUT', `/pets/${pet}`, photo)
/** The calls that svc has answered, newest last. Its records follow the answers a little later, in their order. */
async function listCalls(path) {
  const id = `last-${randomUUID()}`
  const headers = { authorization: `Bearer ${SVC_API_KEY}`, 'x-request-id': id }
  await fetch(`${SVC_URL}/v1/pet-avatars`, { headers })
  for (;;) {
    const { data } = await tell('GET', '/_svc/requests')
    if (data.some((call) => call.request_id === id)) return data.filter((call) => call.path === path)
    await sleep(20)
  }
}
/** The number of tasks that svc has created for a pet. */
async function countTasks(pet) {
  const { entries } = await tell('GET', '/_svc/usage?by=pet')
  return entries.find((entry) => entry.pet_id === pet)?.requests ?? 0
}

/** Runs a command of svc. */
function svc(args, input) {
  const run = spawnSync(process.execPath, [pathOf('../../bin/svc.js'), ...args], { input, encoding: 'utf8' })
  return { status: run.status, output: run.stdout + run.stderr }
}
const newWeek = (...more) =>
  svc(['payload', 'new', '--metric', 'activity', '--window', 'week', '--seed', '7', ...more]).output

test('starts and makes pictures although svc answers 503 at first', async () => {
  const statuses = (await listCalls('/v1/models')).map(({ status }) => status)
  assert.deepEqual(statuses, [503, 200])
  await addFault(`${create},status=503,retry-after=1,times=2`)
  await makePictures('anna')
  const { pictures } = await server.waitFor('anna', 'success')
  assert.deepEqual(pictures.toSorted(), ['lying', 'running', 'sitting', 'walking'])
})

test('waits as long as Retry-After says after a 429', async () => {
  await addFault(`${create},status=429,retry-after=2,times=1`)
  await makePictures('bella')
  await server.waitFor('bella', 'success')
  const [refused, accepted] = (await listCalls('/v1/pet-avatar/generate')).slice(-2)
  assert.deepEqual([refused.status, accepted.status], [429, 200])
  assert.ok(Date.parse(accepted.time) - Date.parse(refused.time) >= 1900)
})

test('orders once although the answer is lost', async () => {
  await addFault(`${create},drop=after,times=1`)
  await makePictures('coco')
  await server.waitFor('coco', 'success')
  assert.equal(await countTasks('coco'), 1)
})

test('goes on after kill -9 with the task that it has ordered', async () => {
  await addFault('pet=daisy,slow=2s')
  await makePictures('daisy')
  await server.waitFor('daisy', 'processing')
  await server.stop('SIGKILL')
  server = await startServer()
  await server.waitFor('daisy', 'success')
  assert.equal(await countTasks('daisy'), 1)
})

test('shows the pictures that there are if some fail', async () => {
  await addFault('pet=emma,pose=running,code=content_refused')
  await makePictures('emma')
  const { pictures, missing } = await server.waitFor('emma', 'partial_success')
  assert.deepEqual(pictures.toSorted(), ['lying', 'sitting', 'walking'])
  assert.deepEqual(missing, { running: 'content_refused' })
})

test('opens pictures whose address has expired', async () => {
  await makePictures('frida')
  await server.waitFor('frida', 'success')
  await tell('POST', '/_svc/clock', { advance_seconds: 26 * 3600 })
  const response = await server.send('GET', '/pets/frida/pictures/sitting')
  assert.equal(response.status, 200)
  assert.ok((await response.arrayBuffer()).byteLength > 1000)
})

test('tells its app when a task has not ended within a day', async () => {
  await makePictures('svc-never-ends')
  await server.waitFor('svc-never-ends', 'processing')
  await tell('POST', '/_svc/clock', { advance_seconds: 25 * 3600 })
  const { missing } = await server.waitFor('svc-never-ends', 'failed')
  assert.equal(missing.sitting, 'timed_out')
})

test('polls again after an answer that is cut off or not JSON', async () => {
  for (const body of ['cut', 'malformed'])
    await addFault(`route=GET /v1/pet-avatar/tasks/{task_id},body=${body},times=1`)
  await makePictures('greta')
  await server.waitFor('greta', 'success')
  const fired = (await tell('GET', '/_svc/faults')).data.map((fault) => fault.fired)
  assert.deepEqual(fired, [1, 1])
})

test('computes the averages of weeks that svc accepts, and CI finds it if they are wrong', () => {
  const compute = (records, env) => {
    const run = spawnSync(process.execPath, [program, 'payload'], { input: records, env: { ...process.env, ...env } })
    return run.stdout
  }
  const soFar = newWeek('--so-far', '--end', '2026-10-22')
  for (const records of [newWeek(), soFar]) {
    const { status, output } = svc(['validate', '--strict', '-'], compute(records))
    assert.equal(status, 0, output)
  }
  const wrong = compute(soFar, { AVERAGE: 'of seven days' })
  const { status, output } = svc(['validate', '-'], wrong)
  assert.equal(status, 1)
  assert.match(output, /averageDailyActivityMinutes/)
  assert.match(output, /activity-average-agrees/)
})

test('has a paragraph for each valid week, and passes on the request ID of one that is refused', async () => {
  const send = async (records) => (await server.send('POST', '/pets/hugo/insight', records)).json()
  for (const records of newWeek('--count', '5').trim().split('\n')) assert.match((await send(records)).summary, /Mochi/)
  const rule = 'period-week-monday-to-sunday'
  const { error } = await send(readFileSync(pathOf(`../../fixtures/invalid/${rule}.json`)))
  const [, requestId] = /\(422 invalid_request, request ID (req_\w+)\)/.exec(error) ?? []
  const { violations } = await tell('GET', `/_svc/requests/${requestId}`)
  assert.deepEqual(
    violations.map((violation) => violation.rule),
    [rule],
  )
})
