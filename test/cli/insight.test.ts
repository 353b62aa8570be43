import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findKeyFor } from '../../src/commands/client/find-key.js'
import { buildPayload } from '../helpers/payloads.js'
import { program } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const insight = suite('svc insight')
const { folder, write, close } = openTemporaryFolder()
insight.after(close)
const session = openSession()
insight.after(session.close)
const root = fileURLToPath(new URL('../..', import.meta.url))
const poor = 'fixtures/insight/REST_NIGHT_POOR.json'

const cases: readonly (readonly [args: readonly string[], status: number, out: RegExp, err?: RegExp])[] = [
  [['render', poor], 0, /^fixtures.*\nREST_NIGHT_POOR {2}attention[\s\S]*\n {2}en-US {2}\S/],
  [['render', '--locale', 'all', poor], 0, /zh-CN {2}\S[\s\S]*en-US {2}\S[\s\S]*es {5}\S/],
  [['render', '--explain', poor], 0, /Why this sentence[\s\S]*\/suppliedJudgment\/rating[\s\S]*- wearHint/],
  [['render', '--format', 'html', poor], 0, /^<!doctype html>/],
  [['render', '--format', 'markdown', poor], 0, /^## fixtures/],
  [['render', 'fixtures/invalid'], 1, /not a valid payload[\s\S]*error/],
  [['render'], 2, /^$/, /missing required argument/],
  [['render', 'gone.json', poor], 2, /REST_NIGHT_POOR/, /svc: gone\.json: .*no such file/],
  [['render', '--locale', 'fr', poor], 2, /^$/, /zh-CN, en-US, es, all/],
  [['render', '--explian', poor], 2, /^$/, /Did you mean --explain\?/],
  [['scenaros'], 2, /^$/, /Did you mean scenarios\?/],
  [['scenarios'], 0, /^ACTIVITY_TODAY_BELOW_GOAL\n[\s\S]*37 scenarios, each is reached by a shipped fixture\.$/m],
  [['send', 'gone.json', '--key', 'k'], 2, /^$/, /svc: gone\.json: no such file or folder\.$/],
  [['send', poor, '--data-dir', 'no-such-folder'], 2, /^$/, /an API key is needed/],
  [['send', poor, '--key', 'k', '--url', 'http://127.0.0.1:9'], 2, /^$/, /No server answers/],
  [['send', '--help'], 0, /SVC_URL[\s\S]*SVC_API_KEY[\s\S]*Example:\n {2}svc insight send/],
]
for (const [args, status, out, err = /^$/] of cases) {
  insight(`returns ${status} for ${args.join(' ')}`, async () => {
    const result = await session.run(['insight', ...args], { cwd: root })
    assert.match(result.stdout, out)
    assert.match(result.stderr.trim(), err)
    assert.is(result.status, status)
  })
}

insight('renders the shipped fixtures in three languages', async () => {
  const { status, stdout } = await session.run(['insight', 'render', '--json', 'fixtures/insight'], { cwd: root })
  assert.is(status, 0)
  const { results, invalid } = JSON.parse(stdout)
  assert.equal(invalid, [])
  const named = new Set(results.map(({ scenario }: { scenario: string }) => scenario))
  assert.is(named.size, 37)
  for (const locale of ['zh-CN', 'en-US', 'es']) {
    assert.is(results.filter((result: { locale: string }) => result.locale === locale).length * 3, results.length)
  }
  const { generation, ...first } = results[0]
  assert.equal(Object.keys(first), ['source', 'index', 'locale', 'scenario', 'status', 'severity', 'summary'])
  assert.equal(Object.keys(generation), ['ruleId', 'ruleVersion', 'aiPolished'])
})

insight('lists the scenarios as JSON', async () => {
  const { scenarios } = JSON.parse((await session.run(['insight', 'scenarios', '--json'], { cwd: folder })).stdout)
  assert.equal(Object.keys(scenarios[0]), [
    'id',
    'statuses',
    'severities',
    'ruleIds',
    'condition',
    'fixtures',
    'example',
  ])
  assert.equal(
    scenarios.filter(({ fixtures }: { fixtures: string[] }) => fixtures.length === 0),
    [],
  )
})

/** Returns a function that waits for words in the output after the last match. */
function listen(stream: NodeJS.ReadableStream) {
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return async (words: string): Promise<void> => {
    while (!text.includes(words)) await once(stream, 'data')
    text = text.slice(text.indexOf(words) + words.length)
  }
}

insight('prints again when a payload is saved, until it is stopped', async () => {
  const save = (name: string) =>
    write('watched.json', JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day', name })))
  const child = spawn(process.execPath, [program, 'insight', 'render', '--watch', save('Luna')], { cwd: folder })
  const printed = listen(child.stdout)
  const told = listen(child.stderr)
  await printed('Luna')
  await told('Watching')
  save('Mochi')
  await printed('Mochi')
  await told('Watching')
  child.kill('SIGINT')
  const [status] = await once(child, 'close')
  assert.is(status, 0)
})

/** Runs `svc insight send` against a server that always gives the same answer. */
async function send(status: number, body: unknown, args: readonly string[] = []) {
  const server = createServer((request, response) => {
    request.resume()
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_9' })
      .end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { SVC_URL: url, SVC_API_KEY: 'k' }
  const run = await session.run(['insight', 'send', poor, ...args], { cwd: root, env })
  server.closeAllConnections()
  server.close()
  return run
}

insight('gives the key of the data directory to servers of this machine, and to no other', () => {
  write('data/local.key', 'svc_local\n')
  for (const [url, key] of [
    ['http://127.0.0.1:8787', 'svc_local'],
    ['http://localhost', 'svc_local'],
    ['https://api.example.com', undefined],
    ['http://127.0.0.1.example.com', undefined],
    ['http://localhost:1@example.com', undefined],
  ] as const) {
    assert.is(findKeyFor(url, { dataDir: `${folder}/data`, database: '' }), key, url)
  }
})

insight('sends a payload and prints the text that comes back', async () => {
  assert.equal(await send(200, { summary: 'Fine.' }), { status: 0, stdout: 'Fine.\n', stderr: '' })
})

insight('prints the refusal with its request ID and the fix, and returns 1', async () => {
  const error = { code: 'invalid_request', message: 'The request is not valid.', request_id: 'req_9' }
  const { status, stdout, stderr } = await send(422, { error })
  assert.equal([status, stdout], [1, ''])
  assert.match(stderr, '422 invalid_request: The request is not valid. (request ID req_9). "svc validate')
})

insight('escapes control characters of an answer', async () => {
  const hostile = '\u001b[2J\u009b\u202e\n'
  const refusal = { error: { code: hostile, message: hostile, request_id: hostile } }
  const strange = { error: { code: { toString: 1 }, message: 5, request_id: [hostile] } }
  const answers = [refusal, strange, { error: hostile }, [hostile], hostile]
  for (const answer of answers) {
    const { status, stderr } = await send(500, answer)
    // svc never answers with a JSON string.
    assert.equal([status, stderr.split('\n').length], [typeof answer === 'string' ? 2 : 1, 2])
    assert.not.match(stderr.trimEnd(), /[\p{Cc}\u202e]/u)
  }
  const { stdout } = await send(200, { summary: hostile }, ['--json'])
  assert.not.match(stdout.trimEnd(), /[\p{Cc}\u202e]/u)
  assert.is(JSON.parse(stdout).results[0].body.summary, hostile)
})

insight('prints complete answers with --json', async () => {
  const { status, stdout } = await send(200, { summary: 'Fine.' }, ['--json'])
  assert.is(status, 0)
  assert.equal(JSON.parse(stdout).results, [
    { source: poor, index: 0, status: 200, requestId: 'req_9', body: { summary: 'Fine.' } },
  ])
})

insight.run()
