// run: fleet
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type MediaApp, startMediaApp } from '../helpers/media.js'
import { openRaw } from '../helpers/raw.js'
import { refusalOf } from '../helpers/refusal.js'

const measures = suite('measures of a server')
let app: MediaApp
let origin: string
/** The ports by a path that each answers. */
let ports: Readonly<Record<string, number>>
measures.before(async () => {
  app = await startMediaApp({
    ...{ SVC_METRICS_PORT: '0', SVC_STUB_FAIL: 'running' },
    ...{ SVC_ALLOWED_HOSTS: 'inner.example, other.example', SVC_PUBLIC_URL: 'https://api.example' },
  })
  const { metricsUrl = '', port } = await app.app.listen()
  ports = { '/live': Number(new URL(metricsUrl).port), '/health': port }
  origin = new URL(metricsUrl).origin
})
measures.after(() => app.close())

const read = async () => (await fetch(`${origin}/metrics`)).text()

measures('counts calls by the path of the contract, and all unknown paths as one', async () => {
  await app.get('/v1/pet-avatar/tasks/avatar_1', { authorization: `Bearer ${app.key}` })
  for (const path of ['/secret-1', '/secret-2', '/demo', '/', '/files/ai-gateway/none']) await app.get(path)
  const text = await read()
  const counts = [...text.matchAll(/^svc_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
  const labels = counts.map(([, label]) => label)
  for (const expected of [
    'route="/v1/pet-avatar/tasks/{task_id}",method="GET",status="404"',
    'route="/demo",method="GET",status="200"',
    'route="/",method="GET",status="302"',
  ]) {
    assert.ok(labels.includes(expected), `${expected} of ${labels.join(' ')}`)
  }
  assert.is(labels.filter((label) => label?.startsWith('route="other"')).length, 1)
  assert.not.match(text, /secret-1|avatar_1/)
})

measures('counts units by outcome, and their cost, without the pet', async () => {
  await app.makeAvatar({ poses: ['sitting', 'running'], user_id: 'user-of-a-call', pet_id: 'pet-of-a-call' })
  const text = await read()
  const unit = 'svc_unit_attempt_duration_seconds_count{provider="stub",kind="avatar",outcome='
  assert.ok(text.includes(`${unit}"succeeded"} 1`) && text.includes(`${unit}"failed"} 1`))
  assert.match(text, /\nsvc_cost_dollars_total\{provider="stub",certain="yes"\} 0\n/)
  assert.match(text, /\nsvc_slots\{provider="stub"\} [1-9]/)
  assert.not.match(text, /of-a-call/)
})

measures('answers probes, and nothing else', async () => {
  const statusOf = async (path: string, method = 'GET') => (await fetch(origin + path, { method })).status
  assert.equal([await statusOf('/live'), await statusOf('/ready'), await statusOf('/metrics', 'HEAD')], [200, 200, 200])
  assert.equal([await statusOf('/v1/models'), await statusOf('/metrics', 'POST')], [404, 404])
})

measures('answers on both ports for loopback and the hosts that the operator allows, and for no other', async () => {
  const statusFor = async (path: string, host: string) => {
    const connection = openRaw(ports[path] ?? 0)
    connection.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    return /^HTTP\/1\.1 (\d+)/.exec(await connection.ended())?.[1]
  }
  const allowed = ['localhost:1', '127.0.0.1', '[::1]:80', 'inner.example', 'OTHER.example:9', 'api.example']
  const refused = ['rebound.example', 'inner.example.evil.example', 'x.inner.example', '10.0.0.1', 'example']
  for (const path of ['/live', '/health']) {
    for (const host of allowed) assert.is(await statusFor(path, host), '200', `${path} of ${host}`)
    for (const host of refused) assert.is(await statusFor(path, host), '421', `${path} of ${host}`)
  }
})

measures('names the port that is taken', async () => {
  const other = await startMediaApp({ SVC_METRICS_PORT: new URL(origin).port })
  assert.match(await refusalOf(other.app.listen), /for the measures: choose another port with --metrics-port/)
  await other.close()
})

measures('has no port by default', async () => {
  const other = await startMediaApp()
  assert.is((await other.app.listen()).metricsUrl, undefined)
  await other.close()
})

measures.run()
