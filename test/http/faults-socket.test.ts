// run: fleet
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Listener } from '../../src/server/node/listen.js'
import { type Json, type MediaApp, startMediaApp } from '../helpers/media.js'
import { openRaw } from '../helpers/raw.js'

const socket = suite('faults of connections')
let app: MediaApp
let listener: Listener
let source: Json
socket.before(async () => {
  app = await startMediaApp()
  source = await app.makeAvatar({ pose: 'sitting' })
  listener = await app.app.listen()
})
socket.after.each(async () => {
  await app.send('DELETE', '/_svc/faults')
})
socket.after(() => app.close())

async function add(rule: string): Promise<string> {
  return (await app.send('POST', '/_svc/faults', { rule })).body.id
}

const readModels = () => {
  const raw = openRaw(listener.port)
  raw.write(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)
  return raw
}

function animate(key: string) {
  const raw = openRaw(listener.port)
  const body = JSON.stringify({ avatar_task_id: source.task_id, pose: 'sitting' })
  raw.write(
    `POST /v1/pet-animation/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n` +
      `Idempotency-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  )
  return raw
}

const countAnimations = async () => (await app.query("select id from tasks where kind = 'animation'")).length

socket('closes the connection before anything is done, without a byte', async () => {
  await add('route=POST /v1/pet-animation/generate,drop=before,times=1')
  const before = await countAnimations()
  assert.is(await animate('before').ended(), '')
  assert.is(await countAnimations(), before)
  const retry = await animate('before').ended()
  assert.match(retry, /^HTTP\/1\.1 200 /)
  assert.not.match(retry, /idempotent-replayed/i)
})

socket('closes the connection after the work; the task exists, and a retry gets its answer', async () => {
  await add('route=POST /v1/pet-animation/generate,drop=after,times=1')
  const before = await countAnimations()
  assert.is(await animate('after').ended(), '')
  assert.is(await countAnimations(), before + 1)
  const retry = await animate('after').ended()
  assert.match(retry, /^HTTP\/1\.1 200 [\s\S]*idempotent-replayed: true/)
  assert.is(await countAnimations(), before + 1)
})

socket('closes the connection during the work, which a retry at once finds in flight', async () => {
  await add('route=POST /v1/pet-animation/generate,drop=during,times=1')
  assert.is(await animate('during').ended(), '')
  assert.match(await animate('during').ended(), /^HTTP\/1\.1 409 /)
  let answer = ''
  while (!answer.startsWith('HTTP/1.1 200 ')) {
    // As a client does: without it, the retries of two seconds exceed the key's rate.
    await delay(100)
    answer = await animate('during').ended()
  }
  assert.match(answer, /idempotent-replayed: true/)
})

socket('cuts an answer short: fewer bytes than its length', async () => {
  const id = await add('route=GET /v1/models,body=cut,times=1')
  const [head = '', body = ''] = (await readModels().ended()).split('\r\n\r\n')
  assert.ok(head.includes(`svc-fault: ${id}`), head)
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
  assert.is(body.length, Math.floor(length / 2))
})

socket('stops in the middle of an answer, and goes on', async () => {
  await add('route=GET /v1/models,stall=400ms,times=1')
  const raw = readModels()
  const half = await raw.until(/\r\n\r\n\{"data"/)
  const startedAt = performance.now()
  const whole = await raw.until(/\}\]\}$/)
  assert.ok(performance.now() - startedAt >= 350)
  assert.ok(whole.startsWith(half))
  assert.not.match(half, /\}\]\}$/)
  // The connection stays usable.
  raw.write(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${app.key}\r\n\r\n`)
  await raw.until(/\}\]\}HTTP\/1\.1 200 [\s\S]*\}\]\}$/)
  raw.socket.destroy()
})

socket('cuts a picture short', async () => {
  await add('route=GET /objects/{key},body=cut,times=1')
  const { pathname, search } = new URL(source.images.sitting.generated_url)
  const raw = openRaw(listener.port)
  raw.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [head = '', ...rest] = (await raw.ended()).split('\r\n\r\n')
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
  assert.is(rest.join('\r\n\r\n').length, Math.floor(length / 2))
})

socket.run()
