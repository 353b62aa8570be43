// run: takes 12 s, fleet
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { queryDatabase, serveFolder } from '../helpers/app.js'
import { findFleetFolder, fleetVariable } from '../helpers/fleet-folder.js'
import { reportSkip, skipOnFleet } from '../helpers/skip.js'
import { program, type Run, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { ctrlC, hasTerminal, noTerminal, runOnTerminal } from '../helpers/terminal.js'

const pictures = suite('svc avatar, animation, task, usage, models')
const dog = fileURLToPath(new URL('../../fixtures/photos/dog.jpg', import.meta.url))
const notAnImage = fileURLToPath(new URL('../../fixtures/photos/not-an-image.jpg', import.meta.url))

let place: ReturnType<typeof openTemporaryFolder>
let dataDir: string
let server: Awaited<ReturnType<typeof serveFolder>> | undefined
let url: string
let avatarTask: string
let animationTask: string
/** A folder that no server runs on: this program alone takes its tasks. */
let quietDir: string
/** The same address for files from every program that answers. */
const env = { SVC_PUBLIC_URL: 'https://pets.example.com', SVC_POLL_AFTER_SECONDS: '1' }

const session = openSession()
pictures.after(session.close)
const near = (args: readonly string[], more: Record<string, string> = {}): Promise<Run> =>
  session.run([...args, '--data-dir', dataDir], { env: { ...env, ...more } })
const alone = (args: readonly string[], more: Record<string, string> = {}): Promise<Run> =>
  session.run([...args, '--data-dir', quietDir], { env: { ...env, ...more } })
const far = (args: readonly string[]): Promise<Run> =>
  session.run([...args, '--data-dir', dataDir, '--url', url], { env })
/** Addresses made on both sides of a full hour differ in when they end. */
const withoutSignatures = (text: string) => text.replaceAll(/\?expires=\d+&signature=[\w-]+/g, '')
const json = ({ stdout }: Run) => JSON.parse(stdout)

pictures.before(async () => {
  place = openTemporaryFolder()
  dataDir = join(place.folder, 'data')
  quietDir = join(place.folder, 'quiet')
})
pictures.after(async () => {
  await server?.close()
  place.close()
})

pictures('makes four pictures of a pet from a photo, without a server', async () => {
  const out = join(place.folder, 'stills')
  const owner = ['--user-id', 'u7', '--pet-id', 'rex']
  const run = await near(['avatar', 'generate', dog, '--species', 'dog', ...owner, '--out', out])
  assert.is(run.status, 0, run.stderr)
  assert.equal(readdirSync(out).sort(), ['lying.png', 'running.png', 'sitting.png', 'walking.png'])
  assert.is(readFileSync(join(out, 'lying.png')).subarray(1, 4).toString(), 'PNG')
  avatarTask = /^(avatar_\w+) success$/m.exec(run.stdout)?.[1] ?? ''
  assert.match(run.stdout, /^identity asset pia_\w+$/m)
  assert.match(run.stdout, join(out, 'lying.png'))
  // Without a terminal, it prints one line for each pose.
  assert.is(run.stderr.match(/^ {2}✓ \w+ success$/gm)?.length, 4)
})

pictures('makes them move', async () => {
  const out = join(place.folder, 'clips')
  const run = await near(['animation', 'generate', avatarTask, '--pose', 'sitting', '--json', '--out', out])
  assert.is(run.status, 0, run.stderr)
  const task = json(run)
  animationTask = task.task_id
  assert.is(task.status, 'success')
  assert.equal(task.files, { sitting: [join(out, 'sitting.webp'), join(out, 'sitting.mp4')] })
  assert.is(readFileSync(join(out, 'sitting.webp')).subarray(8, 12).toString(), 'WEBP')
  assert.is(readFileSync(join(out, 'sitting.mp4')).subarray(4, 8).toString(), 'ftyp')
})

pictures('answers the same over the network as without a server', async () => {
  server = await serveFolder(dataDir, env)
  url = server.url
  const commands = [
    ['task', 'show', avatarTask],
    ['task', 'wait', animationTask],
    ['avatar', 'list', '--user-id', 'u7'],
    ['models'],
    ['usage'],
  ]
  for (const command of commands) {
    for (const flags of [[], ['--json']]) {
      const [one, other] = [await near([...command, ...flags]), await far([...command, ...flags])]
      assert.is(withoutSignatures(one.stdout), withoutSignatures(other.stdout), command.join(' '))
      assert.equal([one.status, other.status], [0, 0])
    }
  }
})

pictures('makes pictures through a server', async () => {
  const photo = ['avatar', 'generate', dog, '--species', 'cat', '--pose', 'lying,running']
  const run = await far([...photo, '--out', join(place.folder, 'far'), '--json'])
  // The server names its public address, where no server listens: the files cannot be fetched, the pictures were made.
  assert.is(run.status, 2)
  assert.match(run.stderr, /No server answers at https:\/\/pets\.example\.com/)
})

pictures('shows and lists identity assets, and takes feedback', async () => {
  const { items, total } = json(await near(['avatar', 'list', '--user-id', 'u7', '--json']))
  assert.equal([total, items.length, items[0].pet_id, items[0].status], [1, 1, 'rex', 'success'])
  assert.match(
    (await near(['avatar', 'show', items[0].identity_asset_id])).stdout,
    /^ {2}sitting \(animation success\)$/m,
  )
  // A server runs on the folder, so the URLs work. Only a folder names the servers on it.
  const hint = process.env[fleetVariable] === undefined ? /^$/ : /^The URLs work while "svc serve/
  assert.match((await near(['task', 'show', avatarTask])).stderr, hint)
  const key = json(await near(['task', 'show', avatarTask, '--json'])).images.lying.generated_cos_key
  assert.is((await near(['avatar', 'feedback', key, '--liked', '--no-selected'])).status, 0)
  const unknown = await near(['avatar', 'feedback', `${key}x`, '--liked'])
  assert.is(unknown.status, 1)
  assert.match(unknown.stderr, /feedbacks\[0\]/)
})

pictures('counts by pet and marks what came without an ID', async () => {
  assert.is((await near(['avatar', 'generate', dog, '--species', 'dog', '--pose', 'lying', '--wait'])).status, 0)
  const { entries } = json(await near(['usage', '--by', 'pet', '--json']))
  const rex = entries.find((entry: { pet_id: string }) => entry.pet_id === 'rex')
  assert.equal([rex.user_id, rex.missing_id, rex.units, rex.cost], ['u7', false, 5, 0])
  const missing = json(await near(['usage', '--missing-id', '--json'])).entries
  assert.equal(
    missing.map((entry: { pet_id: string }) => entry.pet_id),
    ['temporary'],
  )
  assert.match((await near(['usage', '--csv'])).stdout, /^pet_id,user_id,.*\r\n/)
  assert.match((await near(['usage', '--by', 'day'])).stdout, /^day +requests +units +cost/)
})

const failures: readonly (readonly [fails: string, status: number, taskStatus: string])[] = [
  ['running', 3, 'partial_success'],
  ['all', 1, 'failed'],
]
for (const [fails, status, taskStatus] of failures) {
  pictures(`answers ${status} when the provider fails ${fails}`, async () => {
    const make = ['avatar', 'generate', dog, '--species', 'dog', '--wait', '--json']
    const run = await alone(make, { SVC_STUB_FAIL: fails })
    assert.is(run.status, status, run.stdout)
    assert.is(json(run).status, taskStatus)
    assert.match(run.stderr, /✗ running failed: /)
  })
}

pictures('stops waiting at its deadline, and says how to go on', async () => {
  const make = ['avatar', 'generate', dog, '--species', 'dog', '--wait', '--timeout', '1s']
  const slow = await alone(make, { SVC_STUB_DELAY_MS: '30000' })
  assert.is(slow.status, 4)
  const [, resume = ''] = /^ {2}svc (task wait .*)$/m.exec(slow.stderr) ?? []
  const run = await session.run(resume.split(' '), { env })
  assert.is(run.status, 0, run.stderr)
})

pictures('repeats the server and the folder in the command that waits', async () => {
  const args = ['avatar', 'generate', dog, '--species', 'dog', '--pose', 'lying', '--url', url, '--data-dir', dataDir]
  const { stdout, stderr } = await session.run(args, { env, script: 'bin/svc.js' })
  assert.match(stdout, /Wait for it with: node bin\/svc\.js task wait avatar_\w+ --url /, stderr)
  assert.ok(stdout.includes(` --url ${url} --data-dir ${dataDir}\n`), stdout)
})

pictures('says on Ctrl-C how to go on, and ends by the signal', async () => {
  const args = ['avatar', 'generate', dog, '--species', 'dog', '--wait', '--data-dir', quietDir]
  const run = startSvc(args, { ...env, SVC_STUB_DELAY_MS: '30000' })
  const place = { database: findFleetFolder(quietDir)?.database ?? '', dataDir: quietDir }
  const findUnits = () => queryDatabase(place, "select 1 from units where status = 'processing'")
  while ((await findUnits()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  run.child.kill('SIGINT')
  assert.equal(await run.ended, { code: null, signal: 'SIGINT' })
  assert.match(
    run.errors(),
    /is not lost\. Continue to wait with:\n {2}node bin\/svc\.js task wait avatar_\w+ --data-dir /,
  )
})

pictures('ends by the signal on a terminal, too, where spinners listen to it', async () => {
  if (!hasTerminal()) return reportSkip(noTerminal)
  const command = `"${process.execPath}" "${program}" avatar generate "${dog}" --species dog --wait --timeout 40s --data-dir "${quietDir}"`
  // The user presses Ctrl-C when the poses appear.
  const { code, screen } = await runOnTerminal(command, [[/lying/, ctrlC]], { env: { SVC_STUB_DELAY_MS: '30000' } })
  assert.match(screen, 'is not lost')
  assert.is(code, 128 + 2)
})

pictures('runs no task for a command that only looks', async () => {
  const created = await near(['avatar', 'generate', '--pose', 'lying,running', dog, '--species', 'dog', '--json'])
  const { task_id } = json(created)
  const other = await alone(['avatar', 'generate', dog, '--species', 'dog', '--json'])
  const looked = await alone(['task', 'show', json(other).task_id, '--json'])
  const states = Object.values<{ status: string }>(json(looked).images).map(({ status }) => status)
  assert.equal(states, ['pending', 'pending', 'pending', 'pending'])
  assert.equal(Object.keys(json(await near(['task', 'wait', task_id, '--json'])).images), ['lying', 'running'])
})

const mistakes: readonly (readonly [args: readonly string[], status: number, says: RegExp])[] = [
  [['avatar', 'generate', '--species', 'dog'], 2, /a photo is missing/],
  [['avatar', 'generate', dog], 2, /--species dog\|cat is missing/],
  [['avatar', 'generate', 'no.jpg', '--species', 'dog'], 2, /no\.jpg cannot be read/],
  [['avatar', 'generate', '/dev/zero', '--species', 'dog'], 2, /\/dev\/zero is too large for a photo/],
  [['avatar', 'generate', notAnImage, '--species', 'dog'], 1, /source_image.*request ID req_/],
  [['avatar', 'generate', dog, '--species', 'fish'], 1, /species/],
  [['avatar', 'generate', dog, '--species', 'dog', '--pose', 'flying'], 1, /pose/],
  [['avatar', 'feedback', 'ai-gateway/x.png'], 2, /--liked, --no-liked, --selected and --no-selected/],
  [['task', 'show', 'pia_1'], 2, /is not a task ID; it must begin with avatar_ or anim_/],
  [['task', 'wait', 'avatar_01ARZ3NDEKTSV4RRFFQ69G5FAV'], 1, /request ID/],
  [['avatar', 'show', ''], 2, /identity_asset_id is ""; it must be an ID/],
  [['avatar', 'show', '..'], 2, /identity_asset_id is "\.\."; it must be an ID/],
  [['task', 'wait', 'avatar_1', '--timeout', 'soon'], 2, /--timeout is "soon"/],
  [['usage', '--by', 'color'], 2, /Allowed choices are pet, user, key, model, day/],
]
for (const [args, status, says] of mistakes) {
  pictures(`answers ${status} to svc ${args.map((arg) => basename(arg)).join(' ')}`, async () => {
    const run = await near(args)
    assert.match(run.stderr, says)
    assert.is(run.status, status)
  })
}

pictures('reads a folder without an API key, stores no key for it, and makes nothing there without a key', async () => {
  if (skipOnFleet('a data directory without keys')) return
  const keyless = join(place.folder, 'keyless')
  const run = (args: readonly string[]) => session.run([...args, '--data-dir', keyless])
  const { key } = json(await run(['key', 'create', '--name', 'other', '--json']))
  const make = ['avatar', 'generate', dog, '--species', 'dog', '--user-id', 'u7', '--pet-id', 'rex']
  const made = await run([...make, '--wait', '--json', '--key', key])
  const { task_id, identity_asset_id } = json(made)
  const reads: [args: string[], shows: RegExp][] = [
    [['usage'], /^rex +u7 +1 +4 /m],
    [['logs'], /POST \/v1\/pet-avatar\/generate/],
    [['task', 'show', task_id], /^avatar_\w+ success$/m],
    [['avatar', 'list', '--user-id', 'u7'], /^pia_/],
    [['avatar', 'show', identity_asset_id], /^pia_/],
    [['diary', 'list'], /^0 in all/],
  ]
  for (const [args, shows] of reads) {
    const { status, stdout, stderr } = await run(args)
    assert.is(status, 0, `${args.join(' ')}: ${stderr}`)
    assert.match(stdout, shows)
  }
  assert.is((await run(['diary', 'show', 'img_01ARZ3NDEKTSV4RRFFQ69G5FAV'])).status, 1)
  assert.equal(
    json(await run(['key', 'list', '--json'])).keys.map(({ name }: { name: string }) => name),
    ['other'],
  )
  // A key that is named counts, also where no key is needed.
  assert.is((await run(['usage', '--key', key])).status, 2)
  const refused = await run(make)
  assert.is(refused.status, 2)
  assert.match(refused.stderr, `svc key create --name local --admin --keep --data-dir ${keyless} makes one`)
})

pictures('makes no data directory to look into', async () => {
  if (skipOnFleet('a data directory that does not exist')) return
  const nowhere = join(place.folder, 'nowhere')
  const run = await session.run(['usage', '--data-dir', nowhere])
  assert.is(run.status, 2)
  assert.match(run.stderr, /No svc data in /)
  assert.not.ok(existsSync(nowhere))
})

pictures('needs a key for a server elsewhere', async () => {
  if (skipOnFleet('the key of a data directory')) return
  const run = await session.run(['models', '--url', 'https://pets.example.com', '--data-dir', dataDir])
  assert.is(run.status, 2)
  assert.match(run.stderr, /An API key is needed/)
})

pictures.run()
