// run: takes 6 s, fleet
import { once } from 'node:events'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFolder } from '../helpers/app.js'
import { program, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const faults = suite('svc fault')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let number = 0
faults.before(() => {
  place = openTemporaryFolder()
})
faults.before.each(() => {
  dataDir = join(place.folder, `data-${number++}`)
})
faults.after(() => place.close())
const session = openSession()
faults.after(session.close)
const run = (args: readonly string[], env: Record<string, string> = {}) =>
  session.run(['fault', ...args, '--data-dir', dataDir], { env })
const runJson = async (...args: string[]) => JSON.parse((await run([...args, '--json'])).stdout)

const readModels = (url = '', key = '') => fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })

faults('adds, lists and removes rules of a data directory', async () => {
  const { status, stdout } = await run(['add', '--route', 'GET /v1/models', '--status', '503', '--times', '1'])
  assert.is(status, 0)
  assert.match(stdout, /^fault_[0-9A-Z]{26} {2}route=GET \/v1\/models,status=503,times=1\n$/)
  const added = await runJson('add', '--pet', 'tom', '--pose', 'sitting', '--never-ends')
  assert.equal([added.rule, added.state, added.fired], ['pet=tom,pose=sitting,never-ends', 'active', 0])
  assert.match((await run(['list'])).stdout, /^fault_\w+ {2}active {3}fired 0 {2}route=.*\nfault_.*never-ends\n$/)
  assert.is((await runJson('list')).data.length, 2)
  assert.is((await run(['remove', added.id])).stdout, `Removed ${added.id}.\n`)
  const again = await run(['remove', added.id])
  assert.equal([again.status, again.stderr.includes(`There is no fault rule "${added.id}"`)], [2, true])
  assert.is((await run(['clear'])).stdout, 'Removed 1 rule.\n')
  assert.is((await run(['list'])).stdout, 'There is no fault rule.\n')
})

for (const [args, message] of [
  [[], /^svc: The rule has no effect\. Add --status, .* for calls, or --code, .* for poses and scenes\.$/m],
  [['--pose', 'siting', '--code', 'provider_error'], /^svc: --pose is "siting"; .* Did you mean "sitting"\?$/m],
  [['--retry-after', '3', '--delay', '8s'], /^svc: --retry-after needs --status\.$/m],
  [
    ['--status', '503', '--key', 'ci'],
    /^svc: --key is the key that a server at --url is called with; .* use --caller\.$/m,
  ],
  [['status=503,key=ci'], /^svc: key is not a field of a fault rule\. Did you mean caller\?$/m],
  [
    ['status=503', '--times', '1'],
    /^svc: --times is given with a whole rule; write it in the rule, or use flags only\.$/m,
  ],
  [
    ['--route', 'GET /v1/pet-avatar/tasks/avatar_1', '--status', '503'],
    /Did you mean "GET \/v1\/pet-avatar\/tasks\/\{task_id\}", and --task avatar_1\?$/m,
  ],
  [
    ['--route', 'GET /v1/tasks/abc', '--status', '503'],
    /Did you mean "GET \/v1\/pet-avatar\/tasks\/\{task_id\}", "GET \/v1\/pet-animation.*" or "GET .*"\?$/m,
  ],
  [['--route', 'POST /v1/models', '--status', '503'], /Did you mean "GET \/v1\/models"\?$/m],
  [['--route', 'http://localhost/v1/models?x=1', '--status', '503'], /Did you mean "GET \/v1\/models"\?$/m],
  [['--route', '/v1/pet-avatar/tasks/:id', '--status', '503'], /Did you mean "GET .*\/tasks\/\{task_id\}"\?$/m],
  [['--route', '/v2/dogs', '--status', '503'], /A path may end with \*, such as "\/v1\/\*"\.$/m],
  [['--route', '/_svc/clock', '--status', '503'], /No rule applies to the routes of \/_svc\.$/m],
  [['status=503', 'times=1'], /^svc: Write a comma, not a blank, before times\.$/m],
  [['status=503 times=1'], /^svc: Write a comma, not a blank, before times\.$/m],
  [['--status', '503', '--for', '5min'], /Did you mean "5m"\?$/m],
  [['503'], /^svc: 503 is not a field .* Did you mean status=503\?$/m],
  [['status: 503'], /Did you mean status=503\?$/m],
  [['POST /v1/pet-avatar/generate'], /Did you mean route=POST \/v1\/pet-avatar\/generate\?$/m],
  [['--statsu', '503'], /unknown option '--statsu'\n\(Did you mean --status\?\)/],
] as const) {
  faults(`refuses svc fault add ${args.join(' ')}`, async () => {
    const { status, stdout, stderr } = await run(['add', ...args])
    assert.equal([status, stdout], [2, ''])
    assert.match(stderr, message)
  })
}

faults('takes the compact form that list, exec and /demo show', async () => {
  const rule = 'route=GET /v1/models,status=503,times=1'
  assert.is((await runJson('add', rule)).rule, rule)
  // As a shell splits it without quotes.
  assert.is((await runJson('add', ...rule.split(' '))).rule, rule)
  // For other commands than this one.
  assert.is((await run(['add', '--status', '500'], { SVC_API_KEY: 'svc_other' })).status, 0)
})

faults('fires exactly as often as it may in two servers on one folder', async () => {
  const one = await serveFolder(dataDir)
  const two = startSvc(['serve', '--port', '0', '--data-dir', dataDir, '--json'])
  const urls = [one.url, JSON.parse(await two.nextLine()).url]
  const { id } = await runJson('add', '--route', 'GET /v1/models', '--status', '503', '--times', '7')
  const addedAt = performance.now()
  let refused = 0
  for (const url of urls) {
    for (;;) {
      const answer = await readModels(url, one.key)
      if (answer.status === 200) {
        assert.ok(performance.now() - addedAt < 100_000, 'the server does not read the rule')
        continue
      }
      assert.is(answer.headers.get('svc-fault'), id)
      refused++
      break
    }
  }
  const answers = await Promise.all(Array.from({ length: 40 }, (_, call) => readModels(urls[call % 2], one.key)))
  refused += answers.filter(({ status }) => status === 503).length
  assert.is(refused, 7)
  assert.equal((await runJson('list')).data[0].state, 'spent')
  two.child.kill('SIGKILL')
  await two.ended
  await one.close()
})

faults('manages the rules of a server by its address', async () => {
  const { url, key, close } = await serveFolder(dataDir)
  const over = (...args: string[]) => session.run(['fault', ...args, '--url', url, '--key', key])
  await over('add', '--route', 'GET /v1/models', '--status', '429', '--retry-after', '7', '--times', '1')
  const answer = await readModels(url, key)
  assert.equal([answer.status, answer.headers.get('retry-after')], [429, '7'])
  assert.match((await over('list')).stdout, /spent {4}fired 1 {2}route=GET \/v1\/models/)
  assert.is((await over('remove', 'fault_0')).status, 2)
  assert.is((await over('clear')).stdout, 'Removed 1 rule.\n')
  await close()
})

faults('notes active rules in svc doctor and svc serve, with the command that removes them', async () => {
  const note = /1 fault rule is active, for tests\. Remove all: .* fault clear --(data-dir \S+data-\d+|database \S+)\n/
  const check = async () => (await session.run(['doctor', '--data-dir', dataDir], { env: { SVC_PORT: '0' } })).stdout
  await run(['add', '--route', 'GET /v1/models', '--status', '503'])
  assert.match(await check(), note)
  const server = startSvc(['serve', '--port', '0', '--data-dir', dataDir])
  await server.nextLine()
  const closed = once(server.child, 'close')
  server.child.kill()
  await closed
  assert.match(server.errors(), note)
  await run(['clear'])
  assert.not.match(await check(), note)
})

faults('is refused in production, and so is a start with rules, which svc fault clear removes', async () => {
  const production = { SVC_ENV: 'production' }
  await run(['add', '--status', '500'])
  const added = await run(['add', '--status', '500'], production)
  assert.equal([added.status, added.stdout], [2, ''])
  assert.match(added.stderr, /^svc: svc fault add is for tests: SVC_ENV is production, and must be test\.$/m)
  const started = await session.run(['serve', '--port', '0', '--data-dir', dataDir], { env: production })
  assert.is(started.status, 2)
  assert.match(
    started.stderr,
    /1 fault rule is stored, and SVC_ENV is production\. Remove all: .* fault clear --(data-dir|database) \S+/,
  )
  assert.is((await run(['clear'], production)).stdout, 'Removed 1 rule.\n')
  const exec = await session.run(['exec', '--fault', 'status=500', '--', 'true'], { env: production })
  assert.equal([exec.status, exec.stderr.startsWith('svc: --fault is for tests: ')], [2, true])
})

faults('gives the server of svc exec its rules before the program starts, and logs what they did', async () => {
  const script = `
    const { SVC_URL, SVC_API_KEY } = process.env
    const ask = () => fetch(SVC_URL + '/v1/models', { headers: { authorization: 'Bearer ' + SVC_API_KEY } })
    ask().catch(() => 'dropped').then(async (first) => {
      console.log(first.status ?? first, (await ask()).status, (await ask()).status)
      require('node:child_process').spawnSync(process.execPath, [${JSON.stringify(program)}, 'logs'], { stdio: 'inherit' })
    })`
  const rules = ['--fault', 'route=GET /v1/models,drop=before,times=1', '--fault', 'alias=svc-avatar,status=500']
  const more = ['--fault', 'route=GET /v1/models,status=503,times=1']
  const { status, stdout, stderr } = await session.run([
    'exec',
    ...rules,
    ...more,
    '--',
    process.execPath,
    '-e',
    script,
  ])
  assert.equal([status, stderr], [0, ''])
  const [counts, ...log] = stdout.trim().split('\n')
  assert.is(counts, 'dropped 503 200')
  assert.match(log[0] ?? '', / 499 {2}GET \/v1\/models .* fault fault_\w+$/)
  assert.match(log[1] ?? '', / 503 {2}GET \/v1\/models .* fault fault_\w+$/)
  assert.not.match(log[2] ?? '', /fault/)
})

for (const [rule, message] of [
  ['status=503,tmies=1', 'tmies is not a field of a fault rule. Did you mean times?'],
  [
    'times=1',
    'the rule has no effect. Add status, delay, stall, drop, body or address for calls, ' +
      'or code, retries, slow, never-ends or only for poses and scenes.',
  ],
] as const) {
  faults(`refuses svc exec --fault '${rule}'`, async () => {
    const { status, stderr } = await session.run(['exec', '--fault', rule, '--', 'true'])
    assert.equal([status, stderr], [2, `svc: --fault: ${message}\n`])
  })
}

faults.run()
