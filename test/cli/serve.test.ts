// run: takes 20 s
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import { buildPayload } from '../helpers/payloads.js'
import { openRaw } from '../helpers/raw.js'
import { reportSkip } from '../helpers/skip.js'
import { program, type RunningSvc, runSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { ctrlC, hasTerminal, noTerminal, runOnTerminal, type Typing } from '../helpers/terminal.js'

const serve = suite('svc serve')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
serve.before.each(() => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
})
serve.after.each(() => place.close())
const session = openSession()
serve.after(session.close)

async function stop(running: RunningSvc): Promise<void> {
  running.child.kill()
  await running.ended
}

const args = (...more: string[]) => ['serve', '--port', '0', '--json', '--data-dir', dataDir, ...more]
/** Returns the answer after its body, as a large body that is not read keeps its connection open. */
async function get(url: string, key?: string): Promise<Response> {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response
}

serve('prints one ready line, creates the key local once, and ends with 0 on SIGTERM', async () => {
  const first = startSvc(args())
  const ready = JSON.parse(await first.nextLine())
  assert.is(ready.event, 'ready')
  assert.is(ready.host, '127.0.0.1')
  assert.is(ready.data_dir, dataDir)
  assert.is(ready.key.name, 'local')
  assert.is((await get(`${ready.url}/health`)).status, 200)
  assert.is((await get(`${ready.url}/v1/models`, ready.key.key)).status, 200)
  assert.is(readFileSync(join(dataDir, 'local.key'), 'utf8').trim(), ready.key.key)
  assert.is(statSync(join(dataDir, 'local.key')).mode & 0o777, 0o600)
  assert.is(statSync(dataDir).mode & 0o777, 0o700)
  first.child.kill('SIGTERM')
  assert.equal(await first.ended, { code: 0, signal: null })

  const second = startSvc(args())
  const again = JSON.parse(await second.nextLine())
  assert.is(again.key, undefined)
  assert.is((await get(`${again.url}/v1/models`, ready.key.key)).status, 200)
  second.child.kill('SIGINT')
  assert.equal(await second.ended, { code: 0, signal: null })
  assert.equal(readdirSync(place.folder), ['data'])
})

serve('says in words where it is ready and what the key is', async () => {
  const running = startSvc(['serve', '--port', '0', '--data-dir', dataDir])
  assert.match(await running.nextLine(), 'There was no API key yet')
  assert.match(await running.nextLine(), /^ {2}svc_/)
  assert.match(await running.nextLine(), /^svc 0\.1\.0 is ready on http:\/\/127\.0\.0\.1:\d+ /)
  running.child.kill()
  await running.ended
})

serve('creates no key where there is one, revoked or not', async () => {
  const made = await session.run(['key', 'create', '--name', 'a', '--data-dir', dataDir, '--json'])
  await session.run(['key', 'revoke', JSON.parse(made.stdout).id, '--data-dir', dataDir])
  const running = startSvc(args())
  assert.is(JSON.parse(await running.nextLine()).key, undefined)
  assert.not.ok(existsSync(join(dataDir, 'local.key')))
  running.child.kill()
  await running.ended
})

serve('takes its settings from the environment, and flags before that', async () => {
  const running = startSvc(['serve', '--port', '0', '--json'], {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '1',
    SVC_HOST: '::1',
  })
  assert.match(JSON.parse(await running.nextLine()).url, /^http:\/\/\[::1\]:\d+$/)
  running.child.kill()
  await running.ended
})

const mistakes: [what: string, flags: string[], variables: Record<string, string>, says: RegExp][] = [
  ['a port out of range', ['--port', '70000'], {}, /--port is "70000"; it must be a port from 0 to 65535/],
  ['a port of letters', [], { SVC_PORT: 'http' }, /SVC_PORT is "http"; it must be a port/],
  ['a host that is not valid', ['--host', 'a b'], {}, /--host is "a b"/],
  ['an unknown provider', [], { SVC_PROVIDER: 'other' }, /SVC_PROVIDER is "other"; it must be stub/],
  ['an unknown environment', [], { SVC_ENV: 'prod' }, /SVC_ENV is "prod"; it must be test or production/],
  ['an unknown kind of picture', [], { SVC_STUB_BADGE: 'diary' }, /SVC_STUB_BADGE is "diary"; it must be poses, all/],
  ['a misspelled setting', [], { SVC_PROT: '3' }, /SVC_PROT is not a setting\. Did you mean SVC_PORT\?/],
  ['a misspelled pose', [], { SVC_STUB_FAIL: 'lying,siting' }, /SVC_STUB_FAIL names siting,.* Did you mean sitting\?/],
  ['an unknown flag', ['--prot', '1'], {}, /Did you mean --port/],
]
for (const [what, flags, variables, says] of mistakes) {
  serve(`answers ${what} with exit code 2 and a sentence`, async () => {
    const { status, stderr, stdout } = await session.run(['serve', '--data-dir', dataDir, ...flags], { env: variables })
    assert.is(status, 2)
    assert.match(stderr, says)
    assert.is(stdout, '')
    assert.not.ok(existsSync(dataDir))
  })
}

serve('names the svc that has the port, and creates no folder', async () => {
  const first = startSvc(args())
  const { port } = JSON.parse(await first.nextLine())
  const other = join(place.folder, 'other')
  const stderr = `svc: Cannot listen on 127.0.0.1:${port}: svc 0.1.0 runs there already. Stop it, or choose another with --port or SVC_PORT.\n`
  assert.equal(runSvc(['serve', '--port', String(port), '--data-dir', other]), { status: 2, stdout: '', stderr })
  assert.not.ok(existsSync(other))
  // A second start on the same folder names the server that is there, and how to open it.
  const again = runSvc(['serve', '--port', String(port), '--data-dir', dataDir])
  const [, pid, command = ''] =
    /is already served on http:\S+ \(process (\d+)\)\.\nThis prints the address of its demo: (.+)\n/.exec(
      again.stderr,
    ) ?? []
  assert.equal([again.status, pid], [2, String(first.child.pid)])
  const address = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim()
  assert.is(address, `http://127.0.0.1:${port}/demo#key=${readFileSync(join(dataDir, 'local.key'), 'utf8').trim()}`)
  // On another port, it may start.
  const second = startSvc(args())
  await second.nextLine()
  await stop(second)
  assert.match(
    second.errors(),
    `${dataDir} is already served on http://127.0.0.1:${port} (process ${pid}). Both share its keys, tasks and files.\n`,
  )
  await stop(first)
})

serve('shows the key that it created also where it cannot listen', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const taken = () => runSvc(['serve', '--port', '0', '--metrics-port', String(port), '--data-dir', dataDir])
  const { status, stdout, stderr } = taken()
  assert.equal([status, stdout], [2, ''])
  const key = readFileSync(join(dataDir, 'local.key'), 'utf8').trim()
  assert.match(stderr, `  ${key}\nsvc: Cannot listen on 127.0.0.1:${port} for the measures`)
  assert.not.match(taken().stderr, 'svc_')
  server.close()
})

serve('names addresses that other machines can open if it listens on all', async () => {
  const running = startSvc([...args(), '--host', '0.0.0.0'])
  const { url, port, network_urls: found = [] } = JSON.parse(await running.nextLine())
  assert.is(url, `http://127.0.0.1:${port}`)
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
  for (const each of found) assert.ok(own.includes(new URL(each).hostname), each)
  assert.not.match(found.join(), /0\.0\.0\.0|127\.0\.0\.1/)
  await stop(running)
})

serve('prints the addresses for this machine and for others, and a QR code of the demo on a terminal', async () => {
  if (!hasTerminal()) return reportSkip(noTerminal)
  for (const [host, addresses] of [
    ['0.0.0.0', [/^ {2}Local: http:\/\/127\.0\.0\.1:\d+$/m]],
    ['::', [/^ {2}Local: http:\/\/127\.0\.0\.1:\d+$/m]],
    ['127.0.0.1', []],
  ] as const) {
    const { screen } = await runOnTerminal(
      `${process.execPath} ${program} serve --quiet --qr --port 0 --host ${host} --data-dir ${dataDir}`,
      [[host === '127.0.0.1' ? /add --host 0\.0\.0\.0/ : /▀{20,}\r?\n/, ctrlC]],
    )
    for (const line of addresses) assert.match(screen, line)
    assert.is(screen.includes('Local:'), host !== '127.0.0.1')
    assert.not.match(screen, /http:\/\/(0\.0\.0\.0|\[::\])/)
  }
})

serve('answers a data directory that is a file with exit code 2 and a sentence', () => {
  writeFileSync(dataDir, '')
  const { status, stderr } = runSvc(args())
  assert.is(status, 2)
  assert.match(stderr, /Cannot create the data directory .*: there is a file of that name\./)
})

serve('runs twice on one data directory, but not on one port', async () => {
  mkdirSync(dataDir)
  const [one, other] = [startSvc(args()), startSvc(args())]
  const readies = [JSON.parse(await one.nextLine()), JSON.parse(await other.nextLine())]
  const keys = readies.flatMap(({ key }) => (key === undefined ? [] : [key.key]))
  assert.is(keys.length, 1)
  assert.is(readFileSync(join(dataDir, 'local.key'), 'utf8').trim(), keys[0])
  for (const { url } of readies) assert.is((await get(`${url}/v1/models`, keys[0])).status, 200)

  const { status, stderr } = runSvc(['serve', '--port', String(readies[0].port), '--data-dir', dataDir])
  assert.is(status, 2)
  assert.match(stderr, `Cannot listen on 127.0.0.1:${readies[0].port}`)
  one.child.kill()
  other.child.kill()
  assert.equal(await Promise.all([one.ended, other.ended]), [
    { code: 0, signal: null },
    { code: 0, signal: null },
  ])
})

serve('leaves its address in the data directory while it runs, for commands there', async () => {
  const running = startSvc(args())
  const { url, key } = JSON.parse(await running.nextLine())
  const local = (...command: string[]) => session.run([...command, '--data-dir', dataDir])
  const photo = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
  const made = await local('avatar', 'generate', photo, '--species', 'dog', '--pose', 'sitting', '--wait', '--json')
  const { task_id } = JSON.parse(made.stdout)
  const shown = await local('task', 'show', task_id)
  assert.match(shown.stdout, `      ${url}/objects/`)
  assert.is(shown.stderr, '')
  const [, picture = ''] = /(http\S+)/.exec(shown.stdout) ?? []
  assert.is((await get(picture, key.key)).status, 200)
  assert.match((await local('task', 'list')).stdout, new RegExp(`^task .*\\n${task_id} +success +1/1 `))
  assert.match((await local('doctor')).stdout, `serves this data directory on ${url} (process ${running.child.pid})`)
  running.child.kill('SIGKILL')
  await running.ended
  assert.not.match((await local('doctor')).stdout, 'serves this folder')
  assert.match(
    runSvc(['task', 'show', task_id, '--data-dir', dataDir]).stderr,
    `svc.js serve --data-dir ${dataDir}" runs`,
  )
})

/** Runs a server on a terminal, asks it for a picture, and presses Ctrl-C while it is being made. */
async function stopWhileItWorks(typing: Typing, env: Readonly<Record<string, string>>) {
  const photo = readFileSync(fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url)))
  const askForPicture = async (screen: string) => {
    const [, url, key = ''] = /(http:\S+)\/demo#key=(\S+)/.exec(screen) ?? []
    const body = new FormData()
    body.set('source_image', new Blob([photo]))
    for (const [name, value] of Object.entries({ species: 'dog', pose: 'sitting' })) body.set(name, value)
    await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
    return ''
  }
  const untilItWorks = async () => {
    const store = await openSqliteStore(join(dataDir, 'svc.db'))
    while ((await store.listTasks({ status: 'processing' }, 1)).length === 0) await delay(20)
    await store.close()
    return ctrlC
  }
  return runOnTerminal(
    `${process.execPath} ${program} serve --port 0 --data-dir ${dataDir}`,
    [[/Ctrl-C ends the server/, askForPicture], [/POST \/v1\/pet-avatar\/generate/, untilItWorks], ...typing],
    { env },
  )
}

serve('shows requests on a terminal, and the work that a stop waits for', async () => {
  if (!hasTerminal()) return reportSkip(noTerminal)
  const { screen, code } = await stopWhileItWorks([], { SVC_STUB_DELAY_MS: '3000' })
  assert.is(code, 0)
  assert.match(screen, /\n\d\d:\d\d:\d\d {2}200 .* POST \/v1\/pet-avatar\/generate +req_\w+ {2}local/)
  assert.match(screen, 'Finishing 1 picture, at most 10 s; Ctrl-C again stops now.\n')
  assert.not.match(screen, 'unfinished')
})

for (const [what, typing, variables, endsWith] of [
  ['a second Ctrl-C', [[/Finishing 1 picture/, ctrlC]], {}, 130],
  ['the limit of a stop', [], { SVC_DRAIN_SECONDS: '3' }, 0],
] as const) {
  serve(`says after ${what} what is left, and the next start makes it`, async () => {
    if (!hasTerminal()) return reportSkip(noTerminal)
    const { screen, code } = await stopWhileItWorks(typing, { SVC_STUB_DELAY_MS: '60000', ...variables })
    assert.is(code, endsWith)
    assert.match(
      screen,
      /Finishing 1 picture, .*\n.*1 picture or clip is unfinished: the next start on this data directory makes it\.\n/,
    )
    const local = (...command: string[]) => session.run([...command, '--data-dir', dataDir, '--json'])
    const { tasks } = JSON.parse((await local('task', 'list')).stdout)
    const made = await local('task', 'wait', tasks[0].task_id)
    assert.is(JSON.parse(made.stdout).status, 'success')
  })
}

serve('ends on SIGTERM though its database takes no rows, and names the loss', async () => {
  const running = startSvc(args())
  const { url, key } = JSON.parse(await running.nextLine())
  const database = new Database(join(dataDir, 'svc.db'))
  database.exec('drop table usage_entries')
  database.close()
  const response = await fetch(`${url}/v1/health-detail-insights/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day' })),
  })
  assert.is(response.status, 200)
  running.child.kill('SIGTERM')
  assert.equal(await running.ended, { code: 2, signal: null })
  assert.is(running.errors(), 'svc: The database could not be written: the records of the last call are lost.\n')
})

serve('ends at once on a second signal', async () => {
  const running = startSvc(args())
  const { port, key } = JSON.parse(await running.nextLine())
  const stuck = openRaw(port)
  stuck.write(
    `POST /v1/health-detail-insights/generate HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key.key}\r\n` +
      'Content-Length: 10\r\nExpect: 100-continue\r\n\r\n',
  )
  await stuck.until(/100 Continue/)
  const idle = openRaw(port)
  idle.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await idle.until(/"ok"/)
  running.child.kill('SIGTERM')
  // The idle connection is closed first: then the signal has been seen, and the stuck call is waited for.
  await idle.ended()
  running.child.kill('SIGINT')
  assert.equal(await running.ended, { code: null, signal: 'SIGINT' })
  stuck.socket.destroy()
})

serve.run()
