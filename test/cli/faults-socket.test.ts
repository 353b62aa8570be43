// run: fleet
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeDataDir, findLocalKey } from '../../src/runtime/data-dir.js'
import { findFleetFolder } from '../helpers/fleet-folder.js'
import type { Json } from '../helpers/media.js'
import { openRaw } from '../helpers/raw.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

/** Tests what rules do to connections of the built program, whose parts are bundles that are loaded with the first fault. */
const socket = suite('faults of connections of the built server')
let place: ReturnType<typeof openTemporaryFolder>
let server: RunningSvc
let url: string
let key: string
socket.before.each(async () => {
  place = openTemporaryFolder()
  const dataDir = join(place.folder, 'data')
  server = startSvc(['serve', '--port', '0', '--data-dir', dataDir, '--json'], { SVC_DRAIN_SECONDS: '0' })
  url = JSON.parse(await server.nextLine()).url
  key = findFleetFolder(dataDir)?.key ?? findLocalKey(describeDataDir(dataDir)) ?? ''
})
socket.after.each(async () => {
  server.child.kill('SIGKILL')
  await server.ended
  place.close()
})

async function send(method: string, path: string, body?: unknown): Promise<Json> {
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return response.json()
}
const add = async (rule: string): Promise<string> => (await send('POST', '/_svc/faults', { rule })).id

function get(address: URL) {
  const raw = openRaw(Number(address.port))
  raw.write(
    `GET ${address.pathname}${address.search} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      'X-Request-ID: raw-1\r\n\r\n',
  )
  return raw
}
const readModels = () => get(new URL(`${url}/v1/models`))

/** Repeats a call until its answer is as expected; only a fault of the program makes it wait long. */
async function until(read: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await read()); turn++) {
    assert.ok(turn < 2000, 'it did not happen')
    await delay(50)
  }
}

const isEnded = () => Promise.race([server.ended, delay(100_000, undefined, { ref: false })])

socket('gives up a call that it delays when its caller leaves', async () => {
  const id = await add('route=GET /v1/models,delay=10m')
  const raw = readModels()
  await until(async () => (await send('GET', '/_svc/faults')).data[0].fired === 1)
  raw.socket.destroy()
  let call: Json = {}
  await until(async () => {
    call = await send('GET', '/_svc/requests/raw-1')
    return call.error === undefined
  })
  assert.equal([call.status, call.fault], [499, id])
  server.child.kill('SIGTERM')
  assert.equal(await isEnded(), { code: 0, signal: null })
})

socket('ends while callers wait for calls that it delays', async () => {
  await add('route=GET /v1/models,delay=10m')
  const callers = Array.from({ length: 12 }, () => readModels())
  await until(async () => (await send('GET', '/_svc/faults')).data[0].fired === callers.length)
  server.child.kill('SIGTERM')
  for (const raw of callers) assert.is(await raw.ended(), '')
  assert.equal(await isEnded(), { code: 0, signal: null })
  // Node warns of a leak from the eleventh listener on.
  assert.not.match(server.errors(), 'MaxListeners')
})

socket.run()
