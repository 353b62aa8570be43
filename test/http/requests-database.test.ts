import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { listLogFiles } from '../../src/log/folder-log.js'
import { describeDataDir } from '../../src/runtime/data-dir.js'
import { type Json, type MediaApp, makeForm, startMediaApp } from '../helpers/media.js'

const requests = suite('GET /_svc/requests of a log in the database')
let app: MediaApp
requests.before(async () => {
  app = await startMediaApp({ SVC_LOG: 'database', SVC_STUB_FAIL: 'running' })
})
requests.after(() => app.close())

const ask = async (text = '') => (await app.send('GET', `/_svc/requests${text}`)).body

async function askUntil(count: number, text: string): Promise<Json> {
  for (;;) {
    const answer = await ask(text)
    if (answer.data.length >= count) return answer
    await new Promise(setImmediate)
  }
}

requests('lists calls with their process, and goes on after the cursor', async () => {
  for (const id of ['r1', 'r2']) await app.send('GET', '/v1/models', undefined, { 'x-request-id': id })
  const first = await askUntil(2, '?limit=500')
  assert.equal(
    first.data.map(({ request_id }: Json) => request_id),
    ['r1', 'r2'],
  )
  assert.match(first.data[0].instance, new RegExp(`^[a-z0-9-]+-${process.pid}-[0-9a-f]{10}$`))
  assert.equal((await ask(`?after=${first.cursor}`)).data, [])
  await app.send('GET', '/v1/nothing', undefined, { 'x-request-id': 'r3' })
  assert.is((await askUntil(1, `?after=${first.cursor}&status=404`)).data[0].request_id, 'r3')
  assert.is((await app.send('GET', '/_svc/requests?after=1')).status, 422)
  assert.equal(listLogFiles(describeDataDir(app.dataDir).logs), [])
})

requests('shows the timeline of a task', async () => {
  const form = await makeForm({ poses: ['sitting', 'running'] })
  await app.send('POST', '/v1/pet-avatar/generate', form, { 'x-request-id': 'task-7' })
  await app.idle()
  const { task } = (await app.send('GET', '/_svc/requests/task-7')).body
  assert.equal(
    task.units.map(({ unit, events }: Json) => [unit, events.map(({ event }: Json) => event)]),
    [
      ['sitting', ['queued', 'started', 'succeeded']],
      ['running', ['queued', 'started', 'failed']],
    ],
  )
})

requests('finds the calls and the events of a trace', async () => {
  const trace = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${trace}-b7ad6b7169203331-01` }
  await app.send('GET', '/v1/models', undefined, { ...headers, 'x-request-id': 'traced-1' })
  await app.send('POST', '/v1/pet-avatar/generate', await makeForm({ pose: 'sitting' }), {
    ...headers,
    'x-request-id': 'traced-2',
  })
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

requests('keeps out what the log must not contain', async () => {
  const secret = 'svc_0123456789abcdef_ghij'
  await app.send('GET', `/v1/${secret}`, undefined, { 'x-request-id': secret })
  await app.send('POST', '/v1/home-insights/generate', { user_id: 'private-user', pet_name: 'Private' })
  await askUntil(1, `?request_id=${secret}`)
  const rows = await app.query('select * from log_lines')
  assert.ok(rows.length > 0)
  assert.not.match(JSON.stringify(rows), /0123456789abcdef|private|Private/)
})

requests.run()
