// run: fleet
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readError, startApp, type TestApp } from '../helpers/app.js'
import { buildPayload, changePayload } from '../helpers/payloads.js'
import { skipOnFleet } from '../helpers/skip.js'

const generate = suite('health detail insight over HTTP')
let app: TestApp
generate.before.each(async () => {
  app = await startApp()
})
generate.after.each(() => app.close())
const valid = () => structuredClone(buildPayload({ metric: 'activity', viewWindow: 'week' })) as Record<string, unknown>

const readTable = (table: string) => app.query(`select * from ${table}`)

generate('answers a valid payload with its insight', async () => {
  const response = await app.generate(valid())
  assert.is(response.status, 200)
  assert.is(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const body = (await response.json()) as Record<string, unknown> & { generation: Record<string, unknown> }
  assert.equal(Object.keys(body), [
    ...['insightId', 'petId', 'metric', 'viewWindow', 'period', 'status', 'severity', 'summary', 'generation'],
  ])
  assert.match(String(body.insightId), /^hdi_[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.is(body.petId, 'pet-7731')
  assert.is(body.generation.generatedAt, '2026-10-20T08:00:00.000Z')
  assert.is(body.generation.aiPolished, false)
})

const refused: [what: string, body: () => unknown, rule: RegExp, headers?: Record<string, string>][] = [
  ['a payload without insightContext', () => ({ ...valid(), insightContext: undefined }), /./],
  ['null', () => 'null', /./],
  ['nothing', () => '', /payload-json/],
  ['JSON with two byte order marks', () => `\ufeff\ufeff${JSON.stringify(valid())}`, /payload-json/],
  ['bytes that are not UTF-8', () => Buffer.from('{"userId":"\xff"}', 'latin1'), /payload-json/],
  ['a form', () => 'a=1', /content-type/, { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a type that only resembles JSON', () => valid(), /content-type/, { 'content-type': 'application/jsonp' }],
  ['arrays nested 400,000 deep', () => '['.repeat(400_000) + ']'.repeat(400_000), /./],
  ['objects nested 100,000 deep', () => `{"metrics":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_001)}`, /./],
]
generate('answers what is not a payload with a bare 422, and logs the rule', async () => {
  for (const [index, [what, body, , headers]] of refused.entries()) {
    const response = await app.generate(body(), { 'x-request-id': `r${index}`, ...headers })
    const { status, code, message } = await readError(response)
    assert.equal([status, code, message], [422, 'invalid_request', 'The request is not valid.'], what)
  }
  const entries = await app.closeAndReadLog()
  for (const [index, [what, , rule]] of refused.entries()) {
    const { status, violations = [] } = entries.find((entry) => entry.request_id === `r${index}`) ?? {}
    assert.ok(status === 422 && violations.length > 0, what)
    for (const hit of violations) {
      for (const name of Object.keys(hit)) assert.ok(['rule', 'path', 'expected', 'found'].includes(name), what)
      assert.match(hit.rule, rule)
    }
  }
})

generate('logs a member that is sent twice, by its name only if it is of the contract', async () => {
  const deep = `${'{"metrics":'.repeat(1000)}{"steps":1,"steps":2}${'}'.repeat(1000)}`
  const text = JSON.stringify(valid()).replace('{', `{"metric":"hr","Secret":1,"Secret":2,"more":${deep},`)
  const { status } = await app.generate(text)
  assert.is(status, 200)
  const [entry] = await app.closeAndReadLog()
  const rule = 'payload-duplicate-member'
  assert.equal(entry?.warnings, [
    { rule, path: '' },
    { rule, path: '' },
    { rule, path: '/metric' },
  ])
})

generate('logs what a refused value must be and its kind, never the value', async () => {
  const payload = changePayload(buildPayload({ metric: 'activity', viewWindow: 'week' }), {
    '/userId': 70_707,
    '/petProfile/species': 'Xylophonia',
    '/metrics/activityTime/averageDailyActivityMinutes': 1313,
    '/period/isCompleted': null,
    '/previousPeriod': undefined,
  })
  assert.is((await app.generate(payload, { 'x-request-id': 'r1' })).status, 422)
  const [entry] = await app.closeAndReadLog()
  assert.equal(entry?.violations, [
    {
      rule: 'envelope-user-id',
      path: '/userId',
      expected: 'a string of at most 128 characters',
      found: 'an integer',
    },
    { rule: 'envelope-pet-species', path: '/petProfile/species', expected: '"dog" or "cat"', found: 'a string' },
    { rule: 'period-is-completed', path: '/period/isCompleted', expected: 'a boolean', found: 'null' },
    {
      rule: 'activity-average-agrees',
      path: '/metrics/activityTime/averageDailyActivityMinutes',
      found: 'an integer',
    },
  ])
})

generate('ignores a byte order mark, as svc validate does', async () => {
  assert.is((await app.generate(`\ufeff${JSON.stringify(valid())}`)).status, 200)
})

generate('answers a body over 1 MiB with 413, and reads one of exactly 1 MiB', async () => {
  const padded = (bytes: number) => {
    const text = JSON.stringify({ ...valid(), padding: '' })
    return text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`)
  }
  assert.is((await app.generate(padded(1 << 20))).status, 200)
  const { status, code } = await readError(await app.generate(padded((1 << 20) + 1)))
  assert.is(status, 413)
  assert.is(code, 'payload_too_large')
})

generate('ignores members named like prototypes', async () => {
  const text = JSON.stringify(valid())
  const polluted = text.replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},')
  assert.is((await app.generate(polluted)).status, 200)
  assert.is(({} as { polluted?: number }).polluted, undefined)
  const borrowed = JSON.stringify({ ...valid(), insightContext: undefined }).replace(
    '{',
    `{"__proto__":${JSON.stringify({ insightContext: valid().insightContext })},`,
  )
  assert.is((await app.generate(borrowed)).status, 422)
})

generate('writes one archive row and one usage row a call, under different hashes', async () => {
  // A character that PostgreSQL does not store must not keep the rows of other calls waiting.
  const changes = { '/userId': 'same-id', '/petId': 'same-id', '/insightContext/factVersion': 'a\0b' }
  const payload = changePayload(buildPayload({ metric: 'activity', viewWindow: 'week' }), changes)
  const ids: string[] = []
  for (let count = 0; count < 2; count++) {
    const response = await app.generate(payload, { 'x-request-id': `call-${count}` })
    ids.push(((await response.json()) as { insightId: string }).insightId)
  }
  await app.generate({}, { 'x-request-id': 'call-2' })
  await app.app.close()
  const archive = await readTable('insight_archive')
  assert.equal(
    archive.map((row) => [row.insight_id, row.request_id]),
    ids.map((id, index) => [id, `call-${index}`]),
  )
  const [first, second] = archive
  assert.match(String(first?.pet_hash), /^hmac:[\w-]{43}$/)
  assert.is(first?.pet_hash, second?.pet_hash)
  assert.is.not(first?.pet_hash, first?.user_hash)
  assert.equal([first?.metric, first?.fact_version], ['activity', 'a\ufffdb'])
  assert.is(first?.view_window, 'week')
  const usage = await readTable('usage_entries')
  assert.equal(
    usage.map((row) => [row.pet_id, row.user_id, row.missing_id, row.endpoint]),
    archive.map((row) => [row.pet_hash, row.user_hash, 0, 'health-detail-insights']),
  )
})

generate('writes nothing of a payload, and no key, anywhere on disk', async () => {
  if (skipOnFleet('the files of a data directory')) return
  const canary = (payload: unknown, at = ''): unknown => {
    if (typeof payload === 'string') return `CANARY-${at}`
    if (typeof payload === 'number') return 987_654_321
    if (Array.isArray(payload)) return payload.map((value, index) => canary(value, `${at}-${index}`))
    if (typeof payload !== 'object' || payload === null) return payload
    return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, canary(value, `${at}-${name}`)]))
  }
  const petProfile = { name: 'CANARY-name', species: 'dog' }
  const named = { ...valid(), userId: 'CANARY-user', petId: 'CANARY-pet', petProfile }
  assert.is((await app.generate(named)).status, 200)
  assert.is((await app.generate(canary(valid()))).status, 422)
  assert.is((await app.generate({ ...named, metric: 'CANARY-metric' })).status, 422)
  assert.is((await app.generate({ ...named, 'CANARY-member': 1, petProfil: 'CANARY-near' })).status, 200)
  const { locale, ...rest } = named as Record<string, unknown>
  for (const tail of ['_'.repeat(64), '_'.repeat(40), '\n']) {
    assert.is((await app.generate({ ...rest, [`locale${tail}CANARY`]: locale })).status, 200)
  }
  assert.is((await app.generate({ ...rest, 'locale\n_': locale })).status, 200)
  assert.is((await app.generate('{"userId":"CANARY-broken"')).status, 422)
  await app.generate(named, { 'x-request-id': app.key })
  await app.get(`/CANARY-free/${app.key}`, { 'x-request-id': `id with ${app.key}` })
  await app.get('/v1/models?user_id=CANARY-query', { authorization: 'Bearer CANARY-token' })
  await app.app.close()
  for (const file of readdirSync(app.dataDir, { recursive: true, encoding: 'utf8' })) {
    const path = join(app.dataDir, file)
    if (statSync(path).isDirectory()) continue
    const text = readFileSync(path, 'latin1').replaceAll('/CANARY-free/', '')
    assert.not.match(text, /CANARY|987654321|987_654_321/, file)
    if (file !== 'local.key') assert.not.match(text, app.key.slice(31), file)
  }
  for (const file of ['secret', 'local.key', 'svc.db'])
    assert.is(statSync(join(app.dataDir, file)).mode & 0o777, 0o600, file)
})

generate('logs an unknown member under the name of the missing one, not under its own', async () => {
  const { locale, period, ...rest } = valid() as Record<string, unknown> & { period: Record<string, unknown> }
  const { timezone, ...days } = period
  await app.generate({ ...rest, period, 'loca~le\n': locale })
  await app.generate({ ...rest, locale, period: { ...days, time_zone: timezone, timezone } })
  const hits = (await app.closeAndReadLog()).flatMap(({ warnings = [] }) => warnings)
  assert.equal(hits, [{ rule: 'envelope-unknown-member', path: '/locale', found: 'a string' }])
  app = await startApp()
})

generate.run()
