// run: fleet
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { skipOnFleet } from '../helpers/skip.js'
import { runSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const keys = suite('svc key')
let place: ReturnType<typeof openTemporaryFolder>
keys.before(() => {
  place = openTemporaryFolder()
})
keys.after(() => place.close())
const session = openSession()
keys.after(session.close)
const key = (...args: string[]) => session.run(['key', ...args, '--data-dir', join(place.folder, 'data')])
const keyJson = async (...args: string[]) => JSON.parse((await key(...args, '--json')).stdout)

keys('creates a key with all that is allowed by default, and prints it', async () => {
  const made = await keyJson('create', '--name', 'ci')
  assert.match(made.id, /^key_[0-9A-HJKMNP-TV-Z]{26}$/)
  assert.match(made.key, /^svc_[0-9A-HJKMNP-TV-Z]{26}_[\w-]{43}$/)
  assert.is(made.name, 'ci')
  assert.is(made.rate_limit, 600)
  assert.is(made.endpoints.length, 8)
  assert.equal(made.models, ['svc-general', 'svc-avatar', 'svc-animation'])
  assert.equal(made.allow, ['image', 'video'])
  assert.is(made.expires_at, null)
  assert.is(made.admin, false)
})

keys('creates a key with the limits it is given', async () => {
  const before = Date.now()
  const made = await keyJson(
    ...['create', '--name', 'n', '--endpoints', 'models, pet-diary', '--models', 'svc-avatar', '--allow', 'none'],
    ...['--rate-limit', '0', '--expires', '30d', '--admin'],
  )
  assert.equal(made.endpoints, ['models', 'pet-diary'])
  assert.equal(made.models, ['svc-avatar'])
  assert.equal(made.allow, [])
  assert.is(made.rate_limit, 0)
  assert.is(made.admin, true)
  const days = (Date.parse(made.expires_at) - before) / 86_400_000
  assert.ok(days > 29.99 && days < 30.01)
})

const mistakes: [args: string[], says: RegExp][] = [
  [[], /--name is missing/],
  [['--name', ''], /--name must have 1 to 128 characters/],
  [['--name', 'a\u001b[31m'], /--name must have/],
  [
    ['--name', 'a', '--endpoints', 'models,modles'],
    /--endpoints has "modles"; it takes a comma-separated list of models, pet-avatar/,
  ],
  [
    ['--name', 'a', '--models', 'gpt'],
    /--models has "gpt"; it takes a comma-separated list of svc-general, svc-avatar, svc-animation/,
  ],
  [['--name', 'a', '--allow', 'audio'], /--allow has "audio"; it takes a comma-separated list of image, video or none/],
  [['--name', 'a', '--rate-limit', '-1'], /--rate-limit is "-1"/],
  [['--name', 'a', '--rate-limit', '1.5'], /--rate-limit is "1.5"/],
  [['--name', 'a', '--expires', 'soon'], /--expires is "soon"; it must be a number with s, m, h or d/],
  [
    ['--name', 'a', '--budget', '5 a day'],
    /--budget is "5 a day"; it must be an amount and a window, such as "5usd\/day"/,
  ],
  [['--name', 'a', '--expires', '0d'], /--expires is "0d"; it must be more than zero/],
]
for (const [args, says] of mistakes) {
  keys(`refuses create ${args.map((arg) => JSON.stringify(arg)).join(' ')}`, async () => {
    const { status, stderr, stdout } = await key('create', ...args)
    assert.is(status, 2)
    assert.match(stderr, says)
    assert.is(stdout, '')
  })
}

keys('carries the prompts apart: only a person at a terminal needs them', () => {
  const bundle = readFileSync(new URL('../../dist/commands-key.cjs', import.meta.url), 'utf8')
  assert.not.match(bundle, 'node_modules/@inquirer/')
})

keys('lists keys without their secrets', async () => {
  const made = await keyJson('create', '--name', 'listed')
  const text = (await key('list')).stdout
  assert.match(text, `${made.id}  listed  active`)
  assert.not.match(text, made.key.slice(31))
  const { keys: list } = await keyJson('list')
  assert.is(list.find(({ id }: { id: string }) => id === made.id).state, 'active')
})

keys('revokes a key, again without an error, and refuses an unknown one', async () => {
  const { id } = await keyJson('create', '--name', 'gone')
  assert.is((await key('revoke', id)).status, 0)
  const revoked = await keyJson('revoke', id)
  assert.is(revoked.state, 'revoked')
  const { status, stderr } = await key('revoke', 'key_nobody')
  assert.is(status, 2)
  assert.match(stderr, /There is no key "key_nobody"; svc key list shows all\./)
})

keys('rotates a key: the new one may do the same, the old one ends', async () => {
  const old = await keyJson('create', '--name', 'old', '--endpoints', 'models')
  const next = await keyJson('rotate', old.id, '--overlap', '1h')
  assert.is(next.replaces, old.id)
  assert.equal(next.endpoints, ['models'])
  assert.is.not(next.key, old.key)
  const state = async (id: string) => (await keyJson('list')).keys.find((each: { id: string }) => each.id === id).state
  assert.is(await state(old.id), 'active')
  await keyJson('rotate', next.id)
  assert.is(await state(next.id), 'expired')
  const { status, stderr } = await key('rotate', next.id)
  assert.is(status, 2)
  assert.match(stderr, /is already expired/)
})

keys('keeps a key in the folder, as a command without a key proposes', async () => {
  if (skipOnFleet('the key of a data directory')) return
  const dataDir = join(place.folder, 'kept')
  const kept = join(dataDir, 'local.key')
  const run = (...args: string[]) => session.run([...args, '--data-dir', dataDir])
  const first = await run('key', 'create', '--name', 'first')
  assert.match(first.stdout, 'is shown once and not stored:')
  assert.match(first.stderr, 'is a new data directory; no server uses it yet.')
  for (const revoke of [false, true]) {
    if (revoke) await run('key', 'revoke', JSON.parse((await run('key', 'list', '--json')).stdout).keys.at(-1).id)
    const [, advice = ''] =
      /; svc (key create .*) makes one and keeps it there\./.exec((await run('models')).stderr) ?? []
    const made = await session.run(advice.split(' '))
    assert.match(made.stdout, `is shown once; ${kept} has it too:\n  ${readFileSync(kept, 'utf8')}`)
    assert.is(statSync(kept).mode & 0o777, 0o600)
    assert.is((await run('usage')).status, 0)
    const refused = await session.run(advice.split(' '))
    assert.is(refused.status, 2)
    assert.match(refused.stderr, /has an active key, key_[0-9A-Z]{26}: omit --keep/)
  }
  const { keys: list } = JSON.parse((await run('key', 'list', '--json')).stdout)
  assert.match((await run('key', 'rotate', list.at(-1).id)).stdout, `${kept} has it too:`)
})

keys('refuses a folder that is not a data directory, and leaves it alone', () => {
  if (skipOnFleet('a folder that is not a data directory')) return
  const elsewhere = join(place.folder, 'elsewhere')
  const { status, stderr } = runSvc(['key', 'list', '--data-dir', elsewhere])
  assert.is(status, 2)
  assert.match(stderr, /No svc data in .* yet: run .*svc\S* serve, or name it with --data-dir\./)
  assert.not.ok(existsSync(elsewhere))
})

keys('stores no key, only hashes', async () => {
  if (skipOnFleet('the files of a data directory')) return
  const made = await keyJson('create', '--name', 'hashed')
  for (const file of readdirSync(join(place.folder, 'data'))) {
    assert.not.match(readFileSync(join(place.folder, 'data', file), 'latin1'), made.key.slice(31))
  }
})

keys.run()
