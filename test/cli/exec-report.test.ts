// run: takes 9 s
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../helpers/media.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const report = suite('svc exec --report')
const place = openTemporaryFolder()
const session = openSession()
report.after(async () => {
  await session.close()
  place.close()
})
/** A fast machine draws a picture before a client has polled early twice. */
const env = { SVC_POLL_AFTER_SECONDS: '1', SVC_STUB_DELAY_MS: '200' }

/** The functions of a client, and the photo that it sends. */
const start = `
  const { setTimeout: sleep } = require('node:timers/promises')
  const { SVC_URL, SVC_API_KEY } = process.env
  const authorization = 'Bearer ' + SVC_API_KEY
  const photo = new Blob([require('node:fs').readFileSync('fixtures/photos/dog.jpg')])
  function form(pet) {
    const fields = new FormData()
    for (const [name, value] of Object.entries({ species: 'dog', user_id: 'ann', pet_id: pet })) fields.set(name, value)
    for (const pose of ['lying', 'sitting']) fields.append('poses', pose)
    fields.set('source_image', photo, 'dog.jpg')
    return fields
  }`

/** Keeps the rules of the guide. */
const wellBehaved = `${start}
  async function call(method, path, { body, key = '' } = {}) {
    for (;;) {
      try {
        const headers = { authorization, ...(key && { 'idempotency-key': key }) }
        const response = await fetch(SVC_URL + path, { method, body, headers })
        const answer = await response.json()
        if (response.ok) return answer
        await sleep((Number(response.headers.get('retry-after')) || 0.1) * 1000)
      } catch { await sleep(100) }
    }
  }
  async function make(pet) {
    const path = '/v1/pet-avatar/tasks/' + (await call('POST', '/v1/pet-avatar/generate', { body: form(pet), key: pet })).task_id
    let task = await call('GET', path)
    for (; task.poll_after_seconds !== null; task = await call('GET', path)) await sleep(task.poll_after_seconds * 1000)
    const open = async () => (await fetch(task.images.lying.generated_url)).status
    if (task.images.lying.generated_url && await open() === 403) { task = await call('GET', path); await open() }
  }
  (async () => { for (const pet of process.argv.slice(1)) await make(pet) })()`

/** Breaks each of them. */
const badlyBehaved = `${start}
  const create = (pet) => fetch(SVC_URL + '/v1/pet-avatar/generate', { method: 'POST', body: form(pet), headers: { authorization } })
  const read = async (path) => (await fetch(SVC_URL + path, { headers: { authorization } })).json()
  ;(async () => {
    while ((await create('tom')).status !== 200);
    const { task_id } = await (await create('tom')).json()
    await create('svc-partial-success')
    const path = '/v1/pet-avatar/tasks/' + task_id
    let task
    do { task = await read(path); await sleep(50) }
    while (task.poll_after_seconds !== null)
    for (let more = 0; more < 3; more++) await read(path)
    const url = task.images.lying.generated_url.replace(/expires=\\d+/, 'expires=1')
    await fetch(url)
    await fetch(url)
    // The worker makes the pictures in the order of the calls.
    while (!(await (await fetch(SVC_URL + '/_svc/requests', { headers: { authorization } })).text()).includes('never'))
      await new Promise(async (resolve) => {
        const { entries } = await read('/_svc/usage')
        if (entries.find(({ pet_id }) => pet_id === 'svc-partial-success')?.units === 1) process.exit(0)
        setTimeout(resolve, 50)
      })
  })()`

const run = (args: readonly string[], script: string, ...pets: string[]) =>
  session.run(['exec', ...args, '--', process.execPath, '-e', script, ...pets], { env })

report(
  'finds nothing wrong with a client that keeps the rules, also while it meets every state and error',
  async () => {
    const file = join(place.folder, 'report.json')
    const quiet = await run(['--strict-client', '--report', file], wellBehaved, 'rex')
    assert.equal([quiet.status, quiet.stderr], [0, ''])
    const first: Json = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal([first.version, first.wrong], [1, []])
    assert.is(first.not_met.length, 9)
    assert.match(first.not_met[0].command, /^svc exec --report --fault code=provider_error,every=2 -- \S+ -e '/)
    // The rules that fail all units or every second one are for a pet of their own.
    const faults = first.not_met.flatMap(({ state, fault }: Json) => {
      const pet = { partial_success: 'pet=mia,', failed: 'pet=bob,' }[state as string] ?? ''
      return ['--fault', `${pet}${fault}`]
    })
    const { status, stderr } = await run(['--strict-client', ...faults], wellBehaved, 'rex', 'mia', 'bob')
    assert.is(status, 0, stderr)
    assert.match(stderr, /^\nsvc exec: the client made \d+ calls\.\nIt did nothing wrong\.\n\n$/)
  },
)

report(
  'names what a client does wrong, with the calls that show it, and then fails if it is to be strict',
  async () => {
    const file = join(place.folder, 'wrong.json')
    const fault = 'route=POST /v1/pet-avatar/generate,status=503,retry-after=2,times=1'
    const wrong = await run(['--strict-client', '--fault', fault, '--report', file], badlyBehaved)
    assert.equal([wrong.status, wrong.stderr], [1, ''])
    const found: Json = JSON.parse(readFileSync(file, 'utf8'))
    assert.equal(
      found.wrong.map(({ rule, calls }: Json) => [rule, calls.length > 1]),
      [
        ['polled-early', true],
        ['polled-after-end', true],
        ['ignored-retry-after', false],
        ['created-twice', false],
        ['used-expired-address', true],
        ['failure-not-read', false],
      ],
    )
    const [proof] = found.wrong[2].calls
    assert.equal(Object.keys(proof), ['time', 'request_id', 'method', 'path', 'status', 'detail'])
    assert.match(proof.detail, /^[01]\.\d\d s after the 503 of req_\w+, which said 2 s$/)
    const { status, stderr } = await run(['--report', '--fault', fault], badlyBehaved)
    assert.is(status, 0)
    assert.match(stderr, 'It created the same twice, without an Idempotency-Key.\n    ')
    assert.match(stderr, / {2}200 {2}POST \/v1\/pet-avatar\/generate {2}req_\w+: the same request as req_\w+\n/)
  },
)

report.run()
