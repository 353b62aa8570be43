// run: takes 12 s
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { escapeHtml } from '../../src/text/html.js'
import { reportSkip } from '../helpers/skip.js'
import { runSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { ctrlC, hasTerminal, noTerminal, runOnTerminal } from '../helpers/terminal.js'

const demo = suite('svc demo')
let place: ReturnType<typeof openTemporaryFolder>
demo.before(() => {
  place = openTemporaryFolder()
  // A desktop on which opening an address writes it down.
  chmodSync(
    place.write('bin/xdg-open', '#!/bin/sh\necho "$1" > "$OPENED.part" && mv "$OPENED.part" "$OPENED"\n'),
    0o755,
  )
})
demo.after(() => place.close())

interface Ready {
  readonly url: string
  readonly page: string
  readonly key: string
  readonly tasks: readonly string[]
  readonly data_dir: string
}

async function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const svc = startSvc(['demo', '--json', ...args], { CI: '1', ...env })
  return { svc, ready: JSON.parse(await svc.nextLine()) as Ready }
}

type Started = Awaited<ReturnType<typeof start>>

async function stop({ svc }: Started) {
  svc.child.kill('SIGINT')
  assert.equal(await svc.ended, { code: 0, signal: null })
}

interface Task {
  readonly status: string
  readonly user_id: string
  readonly pet_id: string
  readonly images: Readonly<Record<string, unknown>>
  readonly poll_after_seconds: number | null
}

async function readTask({ url, key }: Pick<Ready, 'url' | 'key'>, id: string): Promise<Task> {
  const answer = await fetch(`${url}/v1/pet-avatar/tasks/${id}`, { headers: { authorization: `Bearer ${key}` } })
  assert.is(answer.status, 200)
  return (await answer.json()) as Task
}

async function waitForTask(ready: Ready, id: string): Promise<Task> {
  for (;;) {
    const task = await readTask(ready, id)
    if (!['pending', 'processing'].includes(task.status)) return task
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

demo('has pictures of a dog and a cat drawn, and keeps them, and live keys, in a folder that is named', async () => {
  const folder = join(place.folder, 'kept')
  const killed = await start(['--qr', '--data-dir', folder])
  // It has no link for a phone, where only this machine reaches it.
  assert.equal(Object.keys(killed.ready).sort(), ['data_dir', 'event', 'key', 'page', 'tasks', 'url'])
  const { url, page, key, tasks } = killed.ready
  assert.is(page, `${url}/demo#key=${key}&task=${tasks[0]}&task=${tasks[1]}`)
  const drawn = await Promise.all(tasks.map((id) => waitForTask(killed.ready, id)))
  assert.equal(
    drawn.map(({ status, user_id, pet_id, images }) => [status, user_id, pet_id, Object.keys(images).length]),
    [
      ['success', 'demo', 'sample-dog', 4],
      ['success', 'demo', 'sample-cat', 4],
    ],
  )
  // The picture that the page opens on is drawn before the page asks for it.
  const headers = { authorization: `Bearer ${key}` }
  for (let isDrawn = false; !isDrawn; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const answer = await fetch(`${url}/v1/pet-diary-images?user_id=demo`, { headers })
    const { items } = (await answer.json()) as { readonly items: readonly { pet_id: string; status: string }[] }
    isDrawn = items.some(({ pet_id, status }) => pet_id === 'sample-dog' && status === 'success')
  }
  killed.svc.child.kill('SIGKILL')
  await killed.svc.ended

  const session = openSession()
  const run = (...args: string[]) => session.run([...args, '--data-dir', folder])
  const made = await run('key', 'create', '--name', 'demo', '--admin', '--json')
  const [running, beside] = [await start(['--data-dir', folder]), await start(['--data-dir', folder])]
  assert.equal(running.ready.tasks, tasks)
  const ask = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    return (await fetch(`${beside.ready.url}/v1/models`, { headers })).status
  }
  const keys = [...[killed, running, beside].map(({ ready }) => ready.key), JSON.parse(made.stdout).key]
  assert.equal(await Promise.all(keys.map(ask)), [401, 200, 200, 200])
  // The folder is held against those that would replace what is in it.
  assert.match((await run('data', 'reset', '--yes')).stderr, 'A server or another command works on')
  await Promise.all([stop(beside), stop(running)])
  const listed = JSON.parse((await run('key', 'list', '--json')).stdout)
  assert.equal(listed.keys.map(({ name, state }: { name: string; state: string }) => `${name} ${state}`).sort(), [
    ...['demo active', 'demo revoked', 'demo revoked', 'demo revoked', 'local active'],
  ])
  await session.close()
})

demo(
  'removes folders whose process was killed, nothing else of that name, and its own at a second signal',
  async () => {
    const home = join(place.folder, 'home')
    const kept = join(home, 'svc-demo-kept01')
    mkdirSync(kept, { recursive: true })
    const env = { TMPDIR: home, SVC_STUB_DELAY_MS: '60000' }
    const date = ({ ready }: Started, seconds: number) =>
      utimesSync(join(ready.data_dir, '.temporary'), seconds, seconds)
    const killed = await start([], env)
    killed.svc.child.kill('SIGKILL')
    await killed.svc.ended
    // It stays young, as long as the next start takes.
    date(killed, Date.now() / 1000 + 3600)
    const young = await start([], env)
    assert.ok(existsSync(killed.ready.data_dir), 'it could be one that is starting')
    for (const each of [killed, young]) date(each, 1)
    const beside = runSvc(['exec', '--', process.execPath, '-e', ''], { env })
    assert.is(beside.status, 0)
    assert.equal(readdirSync(home).sort(), [basename(young.ready.data_dir), basename(kept)].sort())
    assert.is((await fetch(`${young.ready.url}/health`)).status, 200)
    // The server takes no more calls: then the first signal has been seen.
    young.svc.child.kill('SIGINT')
    while (await fetch(`${young.ready.url}/health`).catch(() => undefined)) await new Promise(setImmediate)
    young.svc.child.kill('SIGINT')
    await young.svc.ended
    assert.equal(readdirSync(home), [basename(kept)])
  },
)

const desktop = () => ({
  PATH: `${join(place.folder, 'bin')}:${process.env.PATH}`,
  OPENED: join(place.folder, 'opened'),
  DISPLAY: ':9',
  WAYLAND_DISPLAY: '',
  CI: '',
  SVC_STUB_DELAY_MS: '60000',
})

/** Makes a process create the folder of shared pictures only after its own folder is removed. */
const writeLateFolder = () =>
  place.write(
    'late.cjs',
    `const { mkdir } = require('node:fs/promises')
    require('node:fs/promises').mkdir = async (path, options) => {
      const [folder] = path.split('/objects/')
      const isThere = () => require('node:fs').existsSync(folder + '/.temporary')
      while (path.endsWith('/shared') && isThere()) await new Promise((resolve) => setTimeout(resolve, 10))
      return mkdir(path, options)
    }`,
  )

for (const [what, args, env, signal, seconds] of [
  ['without a display', [], { DISPLAY: '', SVC_POLL_AFTER_SECONDS: '7' }, 'SIGTERM', 7],
  ['with --no-open', ['--no-open'], {}, 'SIGHUP', 1],
] as const) {
  const asks = `has its page ask every ${seconds} s${seconds === 1 ? '' : ' where the environment says so'}`
  demo(`opens no browser ${what}, ${asks}, and removes its folder on ${signal}, during any drawing`, async () => {
    const [TMPDIR, SVC_DATA_DIR] = [join(place.folder, signal), join(place.folder, 'of-a-server')]
    mkdirSync(TMPDIR)
    const NODE_OPTIONS = `--require=${writeLateFolder()}`
    const running = startSvc(['demo', ...args], { ...desktop(), NODE_OPTIONS, TMPDIR, SVC_DATA_DIR, ...env })
    assert.is(await running.nextLine(), 'The demo is ready. Open this address in a browser:')
    const { origin: url, hash } = new URL((await running.nextLine()).trim())
    const [key = '', id = ''] = ['key', 'task'].map((name) => new URLSearchParams(hash.slice(1)).get(name) ?? '')
    assert.is((await readTask({ url, key }, id)).poll_after_seconds, seconds)
    assert.is(readdirSync(TMPDIR).length, 1)
    running.child.kill(signal)
    assert.equal(await running.ended, { code: 0, signal: null })
    assert.equal(readdirSync(TMPDIR), [])
    for (const path of [SVC_DATA_DIR, desktop().OPENED]) assert.not.ok(existsSync(path), path)
  })
}

demo('opens the page on a desktop', async () => {
  if (process.platform !== 'linux') return reportSkip('addresses are opened by xdg-open on Linux only')
  const running = startSvc(['demo'], desktop())
  assert.is(await running.nextLine(), 'The demo opens in your browser at this address:')
  const address = (await running.nextLine()).trim()
  while (!existsSync(desktop().OPENED)) await new Promise((resolve) => setTimeout(resolve, 20))
  // Other users of the machine see what the browser was started with: a file that only this user can read.
  const opened = readFileSync(desktop().OPENED, 'utf8').trim()
  assert.match(opened, /svc-open-\w{6}\/open\.html$/)
  const modeOf = (path: string) => statSync(path).mode & 0o777
  assert.equal([opened, dirname(opened)].map(modeOf), [0o600, 0o700])
  assert.match(readFileSync(opened, 'utf8'), `url=${escapeHtml(address)}"`)
  running.child.kill('SIGINT')
  assert.equal(await running.ended, { code: 0, signal: null })
  assert.not.ok(existsSync(dirname(opened)))
})

/** Makes a process see these network interfaces. */
const withNetwork = (): Readonly<Record<string, string>> => {
  const file = place.write(
    'network.cjs',
    `const { family, mac } = { family: 'IPv4', mac: '02:00:00:00:00:01' }
    require('node:os').networkInterfaces = () => ({
      lo: [{ address: '127.0.0.1', family, mac, internal: true }],
      eth0: [{ address: '192.168.7.20', family, mac, internal: false }, { address: '10.1.2.3', family, mac, internal: false }],
    })`,
  )
  return { NODE_OPTIONS: `--require=${file}` }
}

demo(
  'prints a link for a phone with a key for the pets of the demo and for an hour, which ends with the demo',
  async () => {
    const folder = join(place.folder, 'for-a-phone')
    const env = { CI: '1', SVC_STUB_DELAY_MS: '60000', ...withNetwork() }
    const running = startSvc(['demo', '--host', '0.0.0.0', '--qr', '--data-dir', folder], env)
    const lines: string[] = []
    while (!lines.at(-1)?.startsWith('Ctrl-C')) lines.push(await running.nextLine())
    const page = new URL(lines[1]?.trim() ?? '')
    assert.equal(lines.slice(3, 7), [
      `  Local: http://127.0.0.1:${page.port}`,
      `  Network: http://10.1.2.3:${page.port}`,
      `  Network: http://192.168.7.20:${page.port}`,
      'For a phone, valid for an hour and only for the pets of this demo:',
    ])
    assert.is(lines.length, 10)
    assert.not.match(lines.join('\n'), '0.0.0.0')
    const links = lines.slice(7, 9).map((line) => new URL(line.trim()))
    assert.equal(
      links.map(({ host, pathname, search }) => [host, pathname, search]),
      ['10.1.2.3', '192.168.7.20'].map((host) => [`${host}:${page.port}`, '/demo', '']),
    )
    const parts = new URLSearchParams(links[0]?.hash.slice(1))
    const [key = '', pet, dog] = ['key', 'pet', 'task'].map((name) => parts.get(name) ?? '')
    const ask = async (path: string) =>
      (await fetch(`${page.origin}${path}`, { headers: { authorization: `Bearer ${key}` } })).status
    assert.is(await ask(`/v1/pet-avatar/tasks/${dog}`), 200)
    assert.is(await ask('/_svc/requests'), 403)
    assert.is(await ask('/v1/ai-insights?pet_id=other'), 403)
    const session = openSession()
    const run = async (...args: string[]) => (await session.run([...args, '--json', '--data-dir', folder])).stdout
    const find = async () =>
      JSON.parse(await run('key', 'list')).keys.find(({ name }: { readonly name: string }) => name === 'demo guest')
    const { created_at, expires_at, pets, admin, budget, state } = await find()
    assert.is(Date.parse(expires_at) - Date.parse(created_at), 3_600_000)
    assert.equal([pets, admin, budget, state], [['sample-dog', 'sample-cat', pet], false, '1usd/day', 'active'])
    running.child.kill('SIGINT')
    assert.equal(await running.ended, { code: 0, signal: null })
    assert.is((await find()).state, 'revoked')
    // A key is in no line of the log.
    const logged = await run('logs', '--all')
    assert.ok(logged.includes('/_svc/requests') && !logged.includes(key))
    await session.close()
  },
)

const root = fileURLToPath(new URL('../..', import.meta.url))

demo(
  'runs under npm with its arguments as without it: one Ctrl-C removes its folder, and npm adds nothing',
  async () => {
    if (!hasTerminal()) return reportSkip(noTerminal)
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    assert.is(scripts.demo, 'node bin/svc.js demo')
    const home = join(place.folder, 'under-npm')
    mkdirSync(home)
    const env = { ...desktop(), TMPDIR: home }
    const { screen, code } = await runOnTerminal('npm run demo -- --no-open', [[/and removes its data\./, ctrlC]], {
      cwd: root,
      env,
    })
    // A shell that npm leaves between itself and the program ends by the signal, too.
    assert.ok(code === 0 || code === 130, screen)
    assert.match(screen, /The demo is ready[\s\S]* removes its data\.\n\^C$/)
    assert.equal(readdirSync(home), [])
  },
)

demo.run()
