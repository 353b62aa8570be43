import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reportSkip } from '../helpers/skip.js'
import { program, runSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const doctor = suite('svc doctor')
let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let taskId: string
let number = 0
doctor.before(() => {
  place = openTemporaryFolder()
})
doctor.before.each(() => {
  dataDir = join(place.folder, `data-${number++}`)
  const make = ['avatar', 'generate', 'fixtures/photos/dog.jpg', '--species', 'dog', '--pose', 'sitting', '--wait']
  taskId = JSON.parse(runSvc([...make, '--json', '--data-dir', dataDir]).stdout).task_id
})
doctor.after(() => place.close())

interface Finding {
  readonly check: string
  readonly state: string
  readonly message: string
  readonly fix?: string
}

function examine(args: readonly string[] = [], env: Record<string, string> = {}) {
  const run = runSvc(['doctor', '--json', '--data-dir', dataDir, ...args], { env: { SVC_PORT: '0', ...env } })
  const { findings } = JSON.parse(run.stdout) as { findings: Finding[] }
  const problems = findings.filter(({ state }) => state === 'problem')
  assert.is(run.status, problems.length > 0 ? 1 : 0)
  assert.is(run.stderr, '')
  for (const { fix } of problems) assert.ok(fix)
  return { findings, problems, find: (name: string) => findings.find(({ check }) => check === name) }
}

const namesOf = (findings: readonly Finding[]) => findings.map(({ check }) => check)

doctor('finds nothing to do on a folder that is well, and leaves it as it is', () => {
  const before = readdirSync(dataDir, { recursive: true }).filter((name) => !/svc\.db-(wal|shm)$/.test(String(name)))
  const { findings, problems } = examine(['--fix'])
  assert.equal(problems, [])
  const checks = ['node', 'pictures', 'clips', 'decoder', 'settings', 'folder', 'space', 'clock', 'database', 'secret']
  assert.equal(namesOf(findings), [...checks, 'key', 'objects', 'port'])
  assert.equal(
    readdirSync(dataDir, { recursive: true }).filter((name) => !/svc\.db-(wal|shm)$/.test(String(name))),
    before,
  )
  const { stdout, status } = runSvc(['doctor', '--data-dir', dataDir, '--port', '0'])
  assert.is(status, 0)
  assert.match(stdout, /^✓ node +Node\.js /)
  assert.match(stdout, /\nAll is well\.\n$/)
})

doctor('takes a folder that is not there for a new one, and makes none', () => {
  dataDir = join(place.folder, 'none')
  assert.is(examine().find('folder')?.state, 'note')
  assert.not.ok(existsSync(dataDir))
})

doctor('finds files that no task knows once they are an hour old, and removes them with --fix', () => {
  const store = (name: string, ageSeconds: number) => {
    const file = join(dataDir, 'objects/ai-gateway/photos', name)
    writeFileSync(file, 'a photo')
    const at = Date.now() / 1000 - ageSeconds
    utimesSync(file, at, at)
    return file
  }
  const [old, young] = [store('old.jpg', 3700), store('young.jpg', 3000)]
  const { problems } = examine()
  assert.equal(namesOf(problems), ['objects'])
  assert.match(problems[0]?.message ?? '', /No task knows 1 stored file with .*: ai-gateway\/photos\/old\.jpg\./)
  assert.ok(existsSync(old))
  assert.equal(examine(['--fix']).problems, [])
  assert.equal([existsSync(old), existsSync(young)], [false, true])
})

doctor('finds files that are lost, by their task', () => {
  rmSync(join(dataDir, `objects/ai-gateway/avatars/${taskId}/sitting.png`))
  const { problems } = examine(['--fix'])
  assert.equal(namesOf(problems), ['missing'])
  assert.match(problems[0]?.message ?? '', `1 file of ${taskId} not there`)
})

const damages: [what: string, damage: () => void, checks: string[], fixed?: 'fixed'][] = [
  ['a database that is none', () => writeFileSync(join(dataDir, 'svc.db'), 'rubbish'.repeat(1000)), ['database']],
  ['pages that are damaged', spoilPages, ['database']],
  [
    'a database of a newer version',
    () => execute("insert into kysely_migration values ('9999-new', '')"),
    ['database'],
  ],
  ['a secret that is gone', () => rmSync(join(dataDir, 'secret')), ['secret']],
  ['a secret that is none', () => writeFileSync(join(dataDir, 'secret'), 'x'), ['secret']],
  ['a kept key that was revoked', () => execute('update api_keys set revoked_at = 1'), ['key']],
  ['a secret that others may read', () => chmodSync(join(dataDir, 'secret'), 0o644), ['rights'], 'fixed'],
  ['a snapshot that was killed', () => leaveBehind('.snapshot-77'), ['leftovers'], 'fixed'],
  ['a restore that was cut short', () => mkdirSync(join(dataDir, '.restore')), ['restore']],
  ['tasks of the day after tomorrow', () => execute(`update tasks set created_at = ${Date.now() + 2e8}`), ['clock']],
]
for (const [what, damage, checks, fixed] of damages) {
  doctor(`finds ${what}${fixed ? ', and solves it with --fix' : ''}`, () => {
    damage()
    assert.equal(namesOf(examine().problems), checks)
    assert.equal(namesOf(examine(['--fix']).problems), fixed ? [] : checks)
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
  const bytes = Buffer.alloc(statSync(file).size - 8192, 7)
  const { status } = spawnSync('dd', [`of=${file}`, 'bs=4096', 'seek=2', 'conv=notrunc'], { input: bytes })
  assert.is(status, 0)
}

function leaveBehind(name: string): void {
  mkdirSync(join(dataDir, name))
  const twoDaysAgo = Date.now() / 1000 - 2 * 86_400
  utimesSync(join(dataDir, name), twoDaysAgo, twoDaysAgo)
}

doctor('finds settings that are wrong, and refuses flags that are', () => {
  const { problems } = examine([], { SVC_POLL_AFTER_SECONDS: 'often' })
  assert.equal(namesOf(problems), ['settings'])
  assert.match(problems[0]?.message ?? '', /SVC_POLL_AFTER_SECONDS is "often"/)
  assert.is(runSvc(['doctor', '--port', 'http']).status, 2)
})

doctor('tells a port that is free from one that svc has and one that another program has', async () => {
  const server = createServer((socket) => socket.resume().end('HTTP/1.0 200 OK\r\n\r\n{"service":"other"}')).listen(
    0,
    '127.0.0.1',
  )
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // Asked from another process while this one answers.
  const run = startSvc(['doctor', '--json', '--data-dir', dataDir, '--port', String(port)])
  assert.match(await run.nextLine(), `Another program has 127.0.0.1:${port}.`)
  assert.is((await run.ended).code, 1)
  server.close()
  await once(server, 'close')
  assert.match(examine(['--port', String(port)]).find('port')?.message ?? '', 'is free')

  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const ready = JSON.parse(await running.nextLine())
  const beside = examine(['--port', String(ready.port), '--fix'])
  assert.equal(beside.problems, [])
  assert.match(beside.find('port')?.message ?? '', /^svc 0\.1\.0 runs on 127\.0\.0\.1:/)
  running.child.kill()
  await running.ended
})

doctor('says which folder it may not use', () => {
  if (process.getuid?.() !== 0) return reportSkip('only root can become somebody else')
  const home = join(place.folder, 'closed')
  mkdirSync(home)
  dataDir = join(home, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  chmodSync(place.folder, 0o755)
  const nobody = 65_534
  const { status, stdout } = spawnSync(process.execPath, [program, 'doctor', '--port', '0', '--data-dir', dataDir], {
    encoding: 'utf8',
    uid: nobody,
    gid: nobody,
  })
  assert.is(status, 1, stdout)
  assert.match(stdout, /✗ folder .* cannot be read and written by this user/)
})

doctor.run()
