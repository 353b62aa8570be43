// run: takes 14 s
import { execFileSync, spawn } from 'node:child_process'
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
import { renderBanner } from '../../src/commands/serve/banner.js'
import { plain } from '../../src/runtime/style.js'
import { serveFolder } from '../helpers/app.js'
import { buildPayload } from '../helpers/payloads.js'
import { openRaw } from '../helpers/raw.js'
import { reportSkip } from '../helpers/skip.js'
import { program, type RunningSvc, startSvc } from '../helpers/svc.js'
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

/** Runs the command to its end, as a shell starts it. */
const refused = (flags: readonly string[]) => session.run(['serve', ...flags], { script: 'bin/svc.js' })

serve('says where it is ready, creates the key local once, and ends with 0 on a signal', async () => {
  const first = startSvc(['serve', '--port', '0', '--data-dir', dataDir])
  assert.match(await first.nextLine(), 'There was no API key yet')
  const key = (await first.nextLine()).trim()
  const [, firstUrl = ''] = /^svc 0\.1\.0 is ready on (http:\/\/127\.0\.0\.1:\d+) /.exec(await first.nextLine()) ?? []
  assert.is((await get(`${firstUrl}/health`)).status, 200)
  assert.is(readFileSync(join(dataDir, 'local.key'), 'utf8').trim(), key)
  assert.is(statSync(join(dataDir, 'local.key')).mode & 0o777, 0o600)
  assert.is(statSync(dataDir).mode & 0o777, 0o700)
  first.child.kill('SIGTERM')
  assert.equal(await first.ended, { code: 0, signal: null })

  const second = startSvc([...args(), '--host', '0.0.0.0'])
  const ready = JSON.parse(await second.nextLine())
  const { event, url, host, port, data_dir, network_urls: found = [] } = ready
  assert.equal([event, host, data_dir, ready.key], ['ready', '0.0.0.0', dataDir, undefined])
  assert.is((await get(`${url}/v1/models`, key)).status, 200)
  // The addresses that other machines can open.
  assert.is(url, `http://127.0.0.1:${port}`)
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
  for (const each of found) assert.ok(own.includes(new URL(each).hostname), each)
  assert.not.match(found.join(), /0\.0\.0\.0|127\.0\.0\.1/)
  second.child.kill('SIGINT')
  assert.equal(await second.ended, { code: 0, signal: null })
  assert.equal(readdirSync(place.folder), ['data'])
})

serve(
  'creates no key where there is one, revoked or not; takes settings of the environment, and flags first',
  async () => {
    const made = await session.run(['key', 'create', '--name', 'a', '--data-dir', dataDir, '--json'])
    await session.run(['key', 'revoke', JSON.parse(made.stdout).id, '--data-dir', dataDir])
    const env = { SVC_DATA_DIR: dataDir, SVC_PORT: '1', SVC_HOST: '::1' }
    const running = startSvc(['serve', '--port', '0', '--json'], env)
    const { url, key } = JSON.parse(await running.nextLine())
    assert.match(url, /^http:\/\/\[::1\]:\d+$/)
    assert.is(key, undefined)
    assert.not.ok(existsSync(join(dataDir, 'local.key')))
    await stop(running)
  },
)

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

serve('runs twice on one data directory, but not on one port, and names the svc that has it', async () => {
  mkdirSync(dataDir)
  const [one, other] = [startSvc(args()), startSvc(args())]
  const readies = [JSON.parse(await one.nextLine()), JSON.parse(await other.nextLine())]
  const keys = readies.flatMap(({ key }) => (key === undefined ? [] : [key.key]))
  assert.is(keys.length, 1)
  assert.is(readFileSync(join(dataDir, 'local.key'), 'utf8').trim(), keys[0])
  for (const { url } of readies) assert.is((await get(`${url}/v1/models`, keys[0])).status, 200)
  await stop(other)

  const [{ port }] = readies
  const elsewhere = join(place.folder, 'elsewhere')
  const stderr = `svc: Cannot listen on 127.0.0.1:${port}: svc 0.1.0 runs there already. Stop it, or choose another with --port or SVC_PORT.\n`
  const taken = ['--port', String(port), '--data-dir']
  assert.equal(await refused([...taken, elsewhere]), { status: 2, stdout: '', stderr })
  assert.not.ok(existsSync(elsewhere))
  // A start on the same folder names the server that is there, and how to open it.
  const again = await refused([...taken, dataDir])
  const found = /is already served on http:\S+ \(process (\d+)\)\.\nThis prints the address of its demo: (.+)\n/
  const [, pid, command = ''] = found.exec(again.stderr) ?? []
  assert.equal([again.status, pid], [2, String(one.child.pid)])
  const address = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim()
  assert.is(address, `http://127.0.0.1:${port}/demo#key=${keys[0]}`)
  // On another port, it may start.
  const third = startSvc(args())
  await third.nextLine()
  await stop(third)
  assert.match(
    third.errors(),
    `${dataDir} is already served on http://127.0.0.1:${port} (process ${pid}). Both share its keys, tasks and files.\n`,
  )
  await stop(one)
})

serve('shows the key that it created also where it cannot listen', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const taken = () => refused(['--port', '0', '--metrics-port', String(port), '--data-dir', dataDir])
  const { status, stdout, stderr } = await taken()
  assert.equal([status, stdout], [2, ''])
  const key = readFileSync(join(dataDir, 'local.key'), 'utf8').trim()
  assert.match(stderr, `  ${key}\nsvc: Cannot listen on 127.0.0.1:${port} for the measures`)
  assert.not.match((await taken()).stderr, 'svc_')
  server.close()
})

/** The text for a person at the terminal of a server. */
const renderFor = (url: string, createdKey?: string) => {
  const config = { dataDir, database: '', objects: '', provider: 'stub' } as const
  return renderBanner({ url, config, createdKey, program: [process.execPath, program] }, plain)
}
for (const keepsKey of [true, false]) {
  serve(
    `names three commands that work unchanged, ${keepsKey ? 'with' : 'without'} a key kept in the folder`,
    async () => {
      // A name that a shell would take apart.
      dataDir = join(place.folder, "it's a folder")
      if (!keepsKey) await session.run(['key', 'create', '--name', 'other', '--data-dir', dataDir])
      const { url, key, close } = await serveFolder(dataDir)
      const text = renderFor(url, keepsKey ? key : undefined)
      assert.is(text.includes('#key='), keepsKey)
      const commands = text.split(/terminal:\n/)[1]?.match(/^ {2}\S.*/gm) ?? []
      assert.is(commands.length, 3)
      for (const command of commands) {
        const shell = spawn('bash', ['-c', command.replace(' curl ', ' curl --fail ')], {
          stdio: ['ignore', 'ignore', 'inherit'],
        })
        assert.equal(await once(shell, 'close'), [0, null], command)
      }
      // A key that was created before is not shown.
      assert.not.match(renderFor(url), 'svc_')
      await close()
    },
  )
}

for (const [flags, waitsFor] of [
  ['--quiet --qr --host ::', /▀{20,}\r?\n/],
  ['--quiet --qr --host 127.0.0.1', /add --host 0\.0\.0\.0/],
  ['--json', /"ready"/],
] as const) {
  serve(`prints addresses, and a QR code of the demo, on a terminal if asked to: ${flags}`, async () => {
    if (!hasTerminal()) return reportSkip(noTerminal)
    const command = `${process.execPath} ${program} serve ${flags} --port 0 --data-dir ${dataDir}`
    const { screen } = await runOnTerminal(command, [[waitsFor, ctrlC]])
    assert.is(/^ {2}Local: http:\/\/127\.0\.0\.1:\d+$/m.test(screen), flags.includes('::'))
    assert.not.match(screen, /http:\/\/(0\.0\.0\.0|\[::\])|Try in a second terminal/)
  })
}

serve('answers a data directory that is a file with exit code 2 and a sentence', async () => {
  writeFileSync(dataDir, '')
  const { status, stderr } = await refused(['--port', '0', '--data-dir', dataDir])
  assert.is(status, 2)
  assert.match(stderr, /Cannot create the data directory .*: there is a file of that name\./)
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
  assert.match((await local('task', 'show', task_id)).stderr, `svc serve --data-dir ${dataDir}" runs`)
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
  assert.match(screen, /^svc \d\S+ is ready on [^\n]*\n\s+demo +http:\/\/127\.0\.0\.1:\d+\/demo#key=svc_/m)
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
