// run: takes 9 s
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { serveFolder } from '../helpers/app.js'
import { reportSkip } from '../helpers/skip.js'
import { runSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const doctor = suite('svc doctor')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let taskId: string
let number = 0
let template: string
doctor.before(async () => {
  place = openTemporaryFolder()
  template = join(place.folder, 'template')
  const make = ['avatar', 'generate', 'fixtures/photos/dog.jpg', '--species', 'dog', '--pose', 'sitting', '--wait']
  taskId = JSON.parse((await session.run([...make, '--json', '--data-dir', template])).stdout).task_id
})
doctor.before.each(() => {
  dataDir = join(place.folder, `data-${number++}`)
  cpSync(template, dataDir, { recursive: true, preserveTimestamps: true })
})
const session = openSession()
/** The commands of a user other than root. */
let ofNobody: ReturnType<typeof openSession> | undefined
doctor.after(async () => {
  await session.close()
  await ofNobody?.close()
  place.close()
})

interface Finding {
  readonly check: string
  readonly state: string
  readonly message: string
  readonly fix?: string
}

async function examine(args: readonly string[] = [], env: Record<string, string> = {}) {
  const all = ['doctor', '--json', '--data-dir', dataDir, ...args]
  // Without a decoder of clips, the only check that starts a program.
  const options = { env: { SVC_PORT: '0', PATH: '', ...env } }
  const run = env.NODE_OPTIONS === undefined ? await session.run(all, options) : runSvc(all, options)
  const { findings } = JSON.parse(run.stdout) as { findings: Finding[] }
  const problems = findings.filter(({ state }) => state === 'problem')
  assert.is(run.status, problems.length > 0 ? 1 : 0)
  assert.is(run.stderr, '')
  for (const { fix } of problems) assert.ok(fix)
  return { findings, problems, find: (name: string) => findings.find(({ check }) => check === name) }
}

const namesOf = (findings: readonly Finding[]) => findings.map(({ check }) => check)

doctor('finds nothing to do on a folder that is well, and leaves it as it is', async () => {
  const listNames = () =>
    readdirSync(dataDir, { recursive: true }).filter((name) => !/svc\.db-(wal|shm)$/.test(String(name)))
  const before = listNames()
  const { findings, problems } = await examine(['--fix'])
  assert.equal(problems, [])
  assert.is(namesOf(findings).join(), 'node,sqlite,pictures,clips,decoder,settings,folder,space,clock,database,port')
  assert.equal(listNames(), before)
  const { stdout, status } = await session.run(['doctor', '--data-dir', dataDir, '--port', '0'], { env: { PATH: '' } })
  assert.is(status, 0)
  assert.match(stdout, /^✓ node +Node\.js /)
  assert.match(stdout, /\nAll is well\.\n$/)
})

doctor('examines a missing folder as a new one, and does not create it', async () => {
  dataDir = join(place.folder, 'none')
  assert.is((await examine()).find('folder')?.state, 'note')
  assert.not.ok(existsSync(dataDir))
})

const damages: [what: string, damage: () => void, checks: string[], fixed?: 'fixed'][] = [
  ['a file that is not a database', () => writeFileSync(join(dataDir, 'svc.db'), 'rubbish'.repeat(1000)), ['database']],
  ['pages that are damaged', spoilPages, ['database']],
  [
    'a database of a newer version',
    () => {
      execute("insert into kysely_migration values ('9999-new', '')")
      execute("update settings set value = '9999-new' where name = 'schema_floor'")
    },
    ['database'],
  ],
  ['a secret that others may read', () => chmodSync(join(dataDir, 'secret'), 0o644), ['rights'], 'fixed'],
  ['a restore or reset that was cut short', () => mkdirSync(join(dataDir, '.restore')), ['restore']],
]
for (const [what, damage, checks, fixed] of damages) {
  doctor(`finds ${what}${fixed ? ', and solves it with --fix' : ''}`, async () => {
    damage()
    assert.equal(namesOf((await examine()).problems), checks)
    assert.equal(namesOf((await examine(['--fix'])).problems), fixed ? [] : checks)
  })
}

function execute(sql: string): void {
  const database = new Database(join(dataDir, 'svc.db'))
  database.exec(sql)
  database.close()
}

function spoilPages(): void {
  const file = join(dataDir, 'svc.db')
  // Behind the first page, which says what the file is.
  const opened = openSync(file, 'r+')
  writeSync(opened, Buffer.alloc(statSync(file).size - 8192, 7), 0, undefined, 8192)
  closeSync(opened)
}

doctor('finds settings that are wrong, and refuses flags that are', async () => {
  const { problems } = await examine([], { SVC_POLL_AFTER_SECONDS: 'often' })
  assert.equal(namesOf(problems), ['settings'])
  assert.match(problems[0]?.message ?? '', /SVC_POLL_AFTER_SECONDS is "often"/)
  for (const [name, value] of [
    ['SVC_DATADIR', dataDir],
    ['SVC_STUB_FAIL', 'beach_runn'],
  ] as const) {
    const [problem] = (await examine([], { [name]: value })).problems
    assert.match(problem?.message ?? '', /^SVC_\w+ .* Did you mean (SVC_DATA_DIR|beach_run)\?$/)
  }
  assert.is((await session.run(['doctor', '--port', 'http'])).status, 2)
})

function writeModels(models: object | string): void {
  const content = typeof models === 'string' ? models : JSON.stringify({ models })
  writeFileSync(join(dataDir, 'svc.config.json'), content)
}

doctor('says of each configured model whether its key and its package are there', async () => {
  writeModels({
    'svc-avatar': { model: 'openai:gpt-image-2.6-sunburst', apiKey: 'env:MY_MODEL_KEY' },
    'svc-animation': 'stub',
  })
  const lacking = await examine()
  assert.equal(namesOf(lacking.problems), ['model'])
  assert.is(lacking.problems[0]?.message, 'svc-avatar (openai:gpt-image-2.6-sunburst) lacks a key in MY_MODEL_KEY.')
  assert.is(lacking.problems[0]?.fix, 'export MY_MODEL_KEY=…')
  const { findings, problems } = await examine([], { MY_MODEL_KEY: 'not to be shown' })
  assert.equal(problems, [])
  assert.equal(
    findings.filter(({ check }) => check === 'model').map(({ message }) => message),
    [
      'svc-avatar (openai:gpt-image-2.6-sunburst): @ai-sdk/openai is installed, MY_MODEL_KEY is set',
      'svc-animation is drawn here, by the built-in provider',
    ],
  )
  assert.not.match(JSON.stringify(findings), 'not to be shown')
})

doctor('says which package a configured model lacks, and how to install it', async () => {
  writeModels({
    'svc-avatar': 'openai:gpt-image-2.6-sunburst',
    'svc-animation': 'fal:fal-ai/kling-video/o3/standard/image-to-video',
  })
  // As if it was not installed.
  const hook = place.write(
    'without-openai.cjs',
    `const Module = require('node:module'), resolve = Module._resolveFilename
    Module._resolveFilename = function (name, ...more) {
      if (name === '@ai-sdk/openai') throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' })
      return resolve.call(this, name, ...more)
    }`,
  )
  const { problems } = await examine([], { NODE_OPTIONS: `--require "${hook}"`, FAL_API_KEY: 'key' })
  assert.equal(
    problems.map(({ message, fix }) => [message, fix]),
    [
      [
        'svc-avatar (openai:gpt-image-2.6-sunburst) lacks @ai-sdk/openai 3 and a key in OPENAI_API_KEY.',
        'npm install @ai-sdk/openai@3 && export OPENAI_API_KEY=…',
      ],
    ],
  )
})

doctor('names the mistake in a file of models, and runs all other checks', async () => {
  const wrong: [content: object | string, message: RegExp][] = [
    ['{ "models": ', /svc\.config\.json is not valid JSON at line 1/],
    [
      { 'svc-avatar': 'openia:gpt-image-2.6-sunburst', 'svc-animation': { model: 'stub', slots: 2 } },
      /\/models\/svc-avatar names a provider .*openai.*; \/models\/svc-animation\/slots does not apply to the stub/,
    ],
  ]
  for (const [content, message] of wrong) {
    writeModels(content)
    const { problems, findings } = await examine()
    assert.equal(namesOf(problems), ['config'])
    assert.match(problems[0]?.message ?? '', message)
    assert.ok(namesOf(findings).includes('database'))
  }
  const { problems } = await examine(['--config', join(dataDir, 'none.json')])
  assert.equal(namesOf(problems), ['config'])
  assert.match(problems[0]?.message ?? '', 'There is no configuration')
  assert.match(problems[0]?.fix ?? '', `svc init --config ${join(dataDir, 'none.json')}`)
})

doctor('distinguishes a free port, a port of svc and a port of another program', async () => {
  const server = createServer((socket) => socket.resume().end('HTTP/1.0 200 OK\r\n\r\n{"service":"other"}')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const taken = (await examine(['--port', String(port)])).problems
  assert.equal(
    taken.map(({ message }) => message),
    [`127.0.0.1:${port} cannot be listened on: another program has the port (EADDRINUSE).`],
  )
  server.close()
  await once(server, 'close')
  assert.match((await examine(['--port', String(port)])).find('port')?.message ?? '', 'is free')

  const running = await serveFolder(dataDir)
  const beside = await examine(['--port', String(running.port), '--fix'])
  assert.equal(beside.problems, [])
  assert.match(beside.find('port')?.message ?? '', /^svc 0\.1\.0 runs on 127\.0\.0\.1:/)
  await running.close()
})

doctor('notes that a proxy passes requests on, which a server says once, until the public address is set', async () => {
  const call = (url: string) => fetch(`${url}/health`, { headers: { 'x-forwarded-proto': 'https' } })
  const SVC_PUBLIC_URL = 'https://pets.example.com'
  const told = await serveFolder(dataDir, { SVC_PUBLIC_URL })
  await call(told.url)
  await told.close()
  assert.is((await examine()).find('proxy'), undefined)
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await running.nextLine())
  for (let count = 0; count < 3; count++) await call(url)
  running.child.kill()
  await running.ended
  assert.is(running.errors().split('SVC_PUBLIC_URL is not set').length - 1, 1)
  assert.is((await examine()).find('proxy')?.state, 'note')
  assert.is((await examine([], { SVC_PUBLIC_URL })).find('proxy'), undefined)
})

const nobody = 65_534

/** Findings of a user other than root who owns the folder, but not the files of root in it. */
async function examineAsNobody(args: readonly string[] = []) {
  chmodSync(place.folder, 0o755)
  ofNobody ??= openSession(undefined, { uid: nobody, gid: nobody })
  const all = ['doctor', '--json', '--port', '0', '--data-dir', dataDir, ...args]
  const run = await ofNobody.run(all, { cwd: '/', env: { PATH: '' } })
  assert.is(run.stderr, '')
  assert.is(run.status, 1, run.stdout)
  const { findings } = JSON.parse(run.stdout) as { findings: Finding[] }
  return findings
}

/** Gives the folder away with all that is in it. */
function giveAway(): void {
  const all = readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name)))
  for (const path of [dataDir, ...all]) chownSync(path, nobody, nobody)
}

const restrictions: [what: string, take: () => string, isChecked: boolean][] = [
  ['the database', () => takeBack('svc.db'), false],
  ['the log of the database', () => takeBack('svc.db-wal'), false],
  ['the request log', () => takeBack('log.db'), true],
  ['a file of the request log', () => takeBack('log.db-wal'), true],
  ['the stored files', () => takeBack('objects'), true],
  ['one folder of stored files', () => takeBack(`objects/ai-gateway/avatars/${taskId}`), true],
  ['the secret', () => takeBack('secret'), true],
  ['the key that is kept', () => takeBack('local.key'), true],
  ['the mark of a worker', () => takeBack('workers/worker_1'), true],
]

/** As a server leaves it that root has started once. */
function takeBack(name: string): string {
  const path = join(dataDir, name)
  if (!existsSync(path)) writeFileSync(path, '')
  chownSync(path, 0, 0)
  chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600)
  return name
}

for (const [what, take, isChecked] of restrictions) {
  doctor(`says who may use ${what}, and takes it for no damage`, async () => {
    if (process.getuid?.() !== 0) return reportSkip('only root can give a folder to somebody else')
    giveAway()
    const name = take()
    const findings = await examineAsNobody(['--fix'])
    const problems = findings.filter(({ state }) => state === 'problem')
    assert.equal(namesOf(problems), ['rights'])
    assert.match(problems[0]?.message ?? '', `this user may not use ${name};`)
    assert.match(problems[0]?.fix ?? '', `sudo chown -R "$(id -u)" ${dataDir}`)
    assert.is(namesOf(findings).includes('database'), isChecked)
    assert.not.match(JSON.stringify(findings), /restore|damaged/)
  })
}

doctor('says how to restrict a file of another user', async () => {
  if (process.getuid?.() !== 0) return reportSkip('only root can give a folder to somebody else')
  giveAway()
  chownSync(join(dataDir, 'secret'), 0, 0)
  chmodSync(join(dataDir, 'secret'), 0o644)
  const problems = (await examineAsNobody(['--fix'])).filter(({ state }) => state === 'problem')
  assert.equal(
    problems.map(({ fix }) => fix),
    [`sudo chmod 600 ${join(dataDir, 'secret')}`],
  )
})

doctor('says how its owner opens a folder again', async () => {
  if (process.getuid?.() !== 0) return reportSkip('root may use what is closed; only it can become somebody else')
  giveAway()
  chmodSync(join(dataDir, 'objects'), 0)
  const [found] = (await examineAsNobody()).filter(({ state }) => state === 'problem')
  assert.is(found?.fix, `chmod -R u+rwX ${dataDir}`)
})

doctor('advises a snapshot for a database that is damaged, and names the folder in all it advises', async () => {
  const folder = join(place.folder, `it's mine ${number++}`)
  renameSync(dataDir, folder)
  dataDir = folder
  const flag = `--data-dir '${dataDir.replaceAll("'", "'\\''")}'`
  chmodSync(join(dataDir, 'local.key'), 0o644)
  spoilPages()
  const { problems, find } = await examine()
  assert.equal(namesOf(problems), ['rights', 'database'])
  assert.match(find('database')?.fix ?? '', 'svc data restore SNAPSHOT')
  for (const { check, fix = '' } of problems) {
    const commands = fix.match(/svc (doctor|data) /g) ?? []
    assert.ok(commands.length > 0, check)
    assert.is(fix.split(flag).length - 1, commands.length, fix)
  }
})

doctor('says which folder it may not use', async () => {
  if (process.getuid?.() !== 0) return reportSkip('only root can become somebody else')
  const home = join(place.folder, 'closed')
  mkdirSync(home)
  dataDir = join(home, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  const find = async () => (await examineAsNobody()).find(({ check }) => check === 'folder')
  assert.match((await find())?.message ?? '', / cannot be read and written by this user/)
  assert.match((await find())?.fix ?? '', `sudo chown -R "$(id -u)" ${dataDir}`)
  chmodSync(home, 0o700)
  assert.match((await find())?.message ?? '', / cannot be reached by this user/)
  dataDir = place.write('a-file', '')
  assert.match((await examine()).find('folder')?.message ?? '', / is a file/)
})

doctor.run()
