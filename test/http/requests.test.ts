// run: fleet
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { scanLog } from '../../src/log/read-log.js'
import type { LogEntry, RequestEntry } from '../../src/log/request-log.js'
import { openTableLog } from '../../src/log/writers.js'
import { type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'
import { buildPayload } from '../helpers/payloads.js'

const requests = suite('GET /_svc/requests')
let app: MediaApp
requests.before.each(async () => {
  app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
})
requests.after.each(() => app.close())

const ask = async (query = '') => (await app.send('GET', `/_svc/requests${query}`)).body
const trace = async (id: string) => (await app.send('GET', `/_svc/requests/${encodeURIComponent(id)}`)).body
const idsOf = ({ data }: Json) => data.map((call: Json) => call.request_id)

/** Waits for `count` calls since `cursor`: the log is written in groups. */
async function askUntil(count: number, query = '?limit=500'): Promise<Json> {
  for (let round = 0; round < 20_000; round++) {
    const answer = await ask(query)
    if (answer.data.length >= count) return answer
    await delay(5)
  }
  throw new Error(`${query} has not come to ${count} calls.`)
}

const call = (id: string) => app.send('GET', '/v1/models', undefined, { 'x-request-id': id })

let writers = 0
/** Writes lines as another process does. */
async function write(...entries: readonly LogEntry[]): Promise<void> {
  const { store, close } = await app.openOther()
  const log = openTableLog(store, `other-${++writers}`, 500_000)
  for (const entry of entries) log.write(entry)
  await log.close()
  await close()
}

/** A header as a client sends text in UTF-8: a character for each byte. */
const toSent = (text: string) => Buffer.from(text).toString('latin1')

const minuteAgo = Date.now() - 60_000

/** A call of the last minute. */
const buildCall = (id: string, seconds: number, change: Partial<RequestEntry> = {}): RequestEntry => ({
  time: new Date(minuteAgo + seconds * 1000).toISOString(),
  ...{ request_id: id, method: 'GET', path: '/v1/models', status: 200, duration_ms: 1, ...change },
})

requests(
  'lists calls with their key as soon as they are answered, oldest first, and then only newer ones',
  async () => {
    for (const id of ['r1', 'r2', 'r3']) {
      await call(id)
      assert.equal(idsOf(await ask('?limit=1')), [id])
    }
    assert.is((await trace('r3')).request_id, 'r3')
    const { status, body } = await app.send('GET', '/_svc/requests/nobody')
    assert.equal([status, body.error.code], [404, 'not_found'])
    const first = await ask()
    assert.equal(idsOf(first), ['r1', 'r2', 'r3'])
    const { time, duration_ms, instance, ...rest } = first.data[0]
    assert.ok(Date.parse(time) > 0 && duration_ms >= 0)
    assert.match(instance, new RegExp(`^[a-z0-9-]+-${process.pid}-[0-9a-f]{10}$`))
    assert.equal(rest, { request_id: 'r1', method: 'GET', path: '/v1/models', status: 200, key_name: 'local' })
    assert.equal((await ask(`?after=${first.cursor}`)).data, [])
    await call('r4')
    assert.equal(idsOf(await askUntil(1, `?after=${first.cursor}`)), ['r4'])
    assert.equal(idsOf(await ask('?limit=2')), ['r3', 'r4'])
  },
)

requests('omits its own calls and pages by default', async () => {
  await ask()
  assert.is((await app.get('/')).status, 302)
  assert.is((await app.get('/demo')).status, 200)
  await app.get('/demo/none.js')
  await app.get('/openapi.json')
  await call('r1')
  const paths = (await askUntil(3)).data.map((one: Json) => one.path)
  // A missing page is listed.
  assert.equal(paths, ['/demo/none.js', '/openapi.json', '/v1/models'])
  const all = (await ask('?include=svc')).data.map((one: Json) => one.path)
  for (const path of ['/_svc/requests', '/demo']) assert.ok(all.includes(path), path)
})

requests('filters by status and by either request ID', async () => {
  await call('r1')
  await app.send('GET', '/v1/nothing', undefined, { 'x-request-id': 'r2' })
  const odd = await call('mine / 3')
  await askUntil(3)
  assert.equal(idsOf(await ask('?status=404')), ['r2'])
  assert.equal(idsOf(await ask('?request_id=r1')), ['r1'])
  const [found] = (await ask(`?request_id=${encodeURIComponent('mine / 3')}`)).data
  assert.equal([found.request_id, found.caller_request_id], [odd.headers.get('x-request-id'), 'mine / 3'])
  assert.is((await trace('mine / 3')).request_id, found.request_id)
})

const sentIds: [what: string, id: string][] = [
  ['non-ASCII letters', toSent('заказ-ä-7')],
  ['more characters than are stored', toSent('ab 小'.repeat(100))],
  ['a surrogate pair at the cut', toSent(`${' x'.repeat(99)}y🐈🐈`)],
  ['spaces around', '  order 7 '],
  ['an API key', 'svc_0123456789abcdef_ghij'],
  ['quotes and a backslash', '"a\\b"'],
  ['Latin-1 that is not valid UTF-8', 'café'],
]
requests('finds each X-Request-ID that was sent, in the bytes of UTF-8 or in Latin-1', async () => {
  await call('another')
  for (const [index, [what, id]] of sentIds.entries()) {
    const sent = await call(id)
    await askUntil(2 + index)
    const asked = what.startsWith('Latin-1') ? id : Buffer.from(id, 'latin1').toString()
    const { data } = await ask(`?request_id=${encodeURIComponent(asked)}`)
    assert.equal(idsOf({ data }), [sent.headers.get('x-request-id')], what)
    assert.is((await trace(asked)).request_id, data[0].request_id, what)
  }
})

requests('rejects a malformed cursor, and answers a forged one with a valid one', async () => {
  // The last is one of an earlier version.
  for (const cursor of ['yesterday', '3', '1.1a-2b-3c']) {
    const { status, body } = await app.send('GET', `/_svc/requests?after=${cursor}`)
    assert.is(status, 422)
    assert.match(body.error.message, '`after` must be the `cursor` of an earlier response')
  }
  await call('r1')
  const { data, cursor } = await ask(`?after=3${'z'.repeat(11)}`)
  assert.equal(data, [])
  await call('r2')
  assert.equal(idsOf(await ask(`?after=${cursor}`)), ['r2'])
})

requests('names the pet and the task of calls that have one', async () => {
  const form = await makeForm({ pet_id: 'rex', pose: 'lying' })
  const { status, body } = await app.send('POST', '/v1/pet-avatar/generate', form)
  assert.is(status, 200)
  await app.send('GET', `/v1/pet-avatar/tasks/${body.task_id}`)
  const payload = buildPayload({ metric: 'activity', viewWindow: 'week' }) as { petId: string }
  await app.generate(payload, { 'x-request-id': 'h1' })
  await app.send('POST', '/v1/home-insights/generate', { user_id: 'u1', pet_id: 'tom', facts: {} })
  await call('r1')
  const { data } = await askUntil(5)
  const about = data.map((one: Json) => [one.path.split('/')[2], one.pet_id, one.task_id])
  assert.match(about[2][1], /^hmac:/)
  assert.equal(about, [
    ['pet-avatar', 'rex', body.task_id],
    ['pet-avatar', 'rex', body.task_id],
    ['health-detail-insights', about[2][1], undefined],
    ['home-insights', 'tom', undefined],
    ['models', undefined, undefined],
  ])
  assert.equal((await ask('?pet_id=rex')).data, data.slice(0, 2))
  assert.equal(idsOf(await ask(`?pet_id=${payload.petId}&limit=1`)), ['h1'])
  assert.equal((await ask('?pet_id=nobody')).data, [])
})

requests('never shows the pet of another key that used the same request ID', async () => {
  const { text } = await app.createKey()
  const post = (pet_id: string, more = {}) =>
    app.send('POST', '/v1/home-insights/generate', { pet_id, facts: {} }, { 'x-request-id': 'r1', ...more })
  await Promise.all([post('tom'), post('rex', { authorization: `Bearer ${text}` })])
  const { data } = await askUntil(2)
  assert.equal(data.map((one: Json) => [one.key_name, one.pet_id]).sort(), [
    ['local', 'tom'],
    ['test', 'rex'],
  ])
})

requests('shows no pet for a log line without a call ID', async () => {
  const booked = { method: 'POST', path: '/v1/home-insights/generate' }
  await app.send(booked.method, booked.path, { pet_id: 'rex', facts: {} }, { 'x-request-id': 'r1' })
  await askUntil(1)
  const { store, close } = await app.openOther()
  const [entry] = await scanLog<RequestEntry>(store, {
    kind: 'call',
    matches: ({ path }) => path === booked.path,
  }).next(1)
  await close()
  assert.match(entry?.call_id ?? '', /^[0-9A-HJKMNP-TV-Z]{16}$/)
  await write(buildCall('r1', 0, { ...booked, call_id: undefined }))
  const { data } = await askUntil(2)
  assert.equal(data.map((one: Json) => one.pet_id).sort(), ['rex', undefined])
})

requests('shows the timeline of a task: poses, attempts, files and usage', async () => {
  const taskId = await app.createAvatar({ poses: ['lying', 'running'] })
  await app.idle()
  const { data } = await askUntil(1)
  const { task, violations, warnings, ...rest } = await trace(data[0].request_id)
  assert.equal([violations, warnings, rest], [[], [], data[0]])
  assert.equal([task.task_id, task.kind, task.status], [taskId, 'avatar', 'partial_success'])
  assert.ok(Date.parse(task.created_at) <= Date.parse(task.finished_at))
  const [lying, running] = task.units
  assert.equal(
    [lying, running].map(({ unit, status, events }: Json) => [unit, status, events.map((one: Json) => one.event)]),
    [
      ['lying', 'success', ['queued', 'started', 'succeeded']],
      ['running', 'failed', ['queued', 'started', 'failed']],
    ],
  )
  assert.equal(lying.events[0], { time: task.created_at, event: 'queued', attempt: 0 })
  assert.ok(lying.events[2].duration_ms >= 0)
  assert.type(running.events[2].code, 'string')
  assert.equal([lying.files.length, lying.files[0].content_type, running.files], [1, 'image/png', []])
  assert.ok(lying.files[0].bytes > 1000)
  assert.equal(task.usage, [{ model: 'stub-avatar-1', quantity: 1, unit: 'image', cost: 0, certain: true }])
  await app.send('GET', `/v1/pet-avatar/tasks/${taskId}`, undefined, { 'x-request-id': 'poll' })
  assert.equal((await trace('poll')).task, task)
  // After the clock was set back.
  const [{ request_id: id, time }] = data
  const before = new Date(Date.parse(time) - 3_600_000).toISOString()
  await write({ time: before, event: 'released', task_id: taskId, request_id: id, unit: 'lying', attempt: 1 })
  const { events } = (await trace(id)).task.units[0]
  assert.equal(events.map((one: Json) => one.event).sort(), ['queued', 'released', 'started', 'succeeded'])
})

requests('shows a library with the scenes of all its tasks', async () => {
  const avatar = await app.makeAvatar({ pose: 'lying' })
  const scene_ids = ['rain_walk', 'sofa_nap']
  const library = await app.makeDiary({ cos_key: avatar.source_cos_key, scene_ids, species: 'dog', user_id: 'u1' })
  const created = (await askUntil(2)).data.find((one: Json) => one.task_id === library.task_id)
  const { task } = await trace(created.request_id)
  assert.equal([task.kind, task.status, task.usage.length], ['diary_library', 'success', 2])
  assert.equal(
    task.units.map(({ unit, events }: Json) => [unit, events.at(-1).event]),
    [
      ['rain_walk', 'succeeded'],
      ['sofa_nap', 'succeeded'],
    ],
  )
})

requests('shows the rules that a rejected body breaks', async () => {
  const payload = { ...buildPayload({ metric: 'activity', viewWindow: 'week' }), previousPeriod: {} }
  await app.generate(payload, { 'x-request-id': 'h1' })
  const { violations, status } = await trace('h1')
  assert.is(status, 422)
  assert.equal(violations[0].path, '/previousPeriod')
  assert.match(violations[0].sentence, /\w.*\.$/)
  assert.equal([violations[0].expected, violations[0].found], ['null or left out', 'an object'])
  await app.send('POST', '/v1/home-insights/generate', { pet_id: 'a b' }, { 'x-request-id': 'h2' })
  const hits = (await trace('h2')).violations
  assert.ok(hits.length > 0)
  for (const hit of hits) assert.match(hit.sentence, /\w.*\.$/)
})

requests('finds the calls and the events of a trace', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
  await app.send('GET', '/v1/models', undefined, { ...headers, 'x-request-id': 'traced-1' })
  const form = await makeForm({ pose: 'lying' })
  await app.send('POST', '/v1/pet-avatar/generate', form, { ...headers, 'x-request-id': 'traced-2' })
  await app.idle()
  const { data } = await askUntil(2, `?request_id=${trace}`)
  assert.equal(
    data.map((call: Json) => [call.request_id, call.trace_id]),
    [
      ['traced-1', trace],
      ['traced-2', trace],
    ],
  )
  const { request_id, task } = (await app.send('GET', `/_svc/requests/${trace}`)).body
  assert.equal([request_id, task.units[0].events.length], ['traced-2', 3])
})

requests('never shows a body, a name, a key or a signature', async () => {
  const secret = 'Xylophonia'
  const avatar = await app.makeAvatar({ pet_name: secret, breed: `${secret} Terrier`, poses: ['lying'] })
  await app.open(avatar.images.lying.generated_url)
  const payload = { ...buildPayload({ metric: 'activity', viewWindow: 'week' }), petName: secret, [secret]: secret }
  await app.generate(payload, { 'x-request-id': 'h1' })
  await app.generate({ ...payload, petId: secret, metric: secret }, { 'x-request-id': 'h2' })
  await app.send('GET', `/v1/${app.key}?q=${secret}`, undefined, { 'x-request-id': app.key })
  const list = await askUntil(5)
  const signature = new URL(avatar.images.lying.generated_url).searchParams.get('signature') ?? ''
  assert.ok(signature.length > 10)
  const traces = await Promise.all(idsOf(list).map(trace))
  const shown = JSON.stringify([list, traces, await ask('?include=svc')])
  for (const text of [secret, signature, 'signature=', app.key, app.key.slice(-43)]) assert.not.match(shown, text)
  const lines = JSON.stringify(await app.closeAndReadLog())
  for (const text of [secret, signature, app.key]) assert.not.match(lines, text)
})

requests.run()
