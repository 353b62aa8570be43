// run: takes 7 s
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { create, extract } from 'tar'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { serveFolder } from '../helpers/app.js'
import { checkWhole, listFiles, makeAvatar, openDataFolders, run, runJson } from '../helpers/data-folders.js'
import type { Json } from '../helpers/media.js'
import { program } from '../helpers/svc.js'

const data = suite('svc data snapshot and restore')
let folders: Awaited<ReturnType<typeof openDataFolders>>
let avatar: Json
data.before(async () => {
  folders = await openDataFolders(async (dataDir) => {
    avatar = await makeAvatar(dataDir, '--pose', 'sitting')
  })
})
data.after(() => folders.close())

for (const ending of ['.tar', '.tar.gz', '.tgz']) {
  data(`copies a folder into ${ending} and puts it back as it was`, async () => {
    const snapshot = join(folders.folder, `copy${ending}`)
    const { size_bytes, objects } = await runJson(folders.made, 'data', 'snapshot', snapshot)
    assert.is(objects, listFiles(join(folders.made, 'objects')).length)
    assert.equal([statSync(snapshot).mode & 0o777, statSync(snapshot).size], [0o600, size_bytes])

    const restored = folders.fresh()
    await runJson(restored, 'data', 'restore', snapshot)
    assert.equal(checkWhole(restored), checkWhole(folders.made))
    const stored = listFiles(join(folders.made, 'objects')).map((key) => `objects/${key}`)
    for (const file of ['secret', 'local.key', ...stored]) {
      assert.ok(readFileSync(join(restored, file)).equals(readFileSync(join(folders.made, file))), file)
      assert.is(statSync(join(restored, file)).mode & 0o777, 0o600, file)
    }
    assert.equal(readdirSync(restored).sort(), ['local.key', 'objects', 'secret', 'svc.db'])
    assert.equal(
      readdirSync(folders.made).filter((name) => name.startsWith('.')),
      [],
    )
  })
}

data('keeps keys and addresses working', async () => {
  const { app, key, url, close } = await serveFolder(folders.copy())
  assert.is(app.createdKey, undefined)
  assert.is(key, readFileSync(join(folders.made, 'local.key'), 'utf8').trim())
  assert.is((await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status, 200)
  const { pathname, search } = new URL(avatar.images.sitting.generated_url)
  const picture = await fetch(`${url}${pathname}${search}`)
  assert.equal([picture.status, (await picture.arrayBuffer()).byteLength > 0], [200, true])
  await close()
})

data('takes a snapshot of one moment while a server works', async () => {
  const dataDir = folders.fresh()
  const { url, key, close } = await serveFolder(dataDir)
  let created = 0
  let busy = true
  const photo = readFileSync('fixtures/photos/dog.jpg')
  const work = (async () => {
    while (busy) {
      const form = new FormData()
      form.set('source_image', new Blob([photo]), 'dog.jpg')
      form.set('species', 'dog')
      form.set('pose', 'sitting')
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
      assert.equal([answer.status, ((await answer.json()) as Json).status], [200, 'pending'])
      created++
      await delay(20)
    }
  })()
  const snapshots = ['busy-1.tar', 'busy-2.tar', 'busy-3.tar'].map((name) => join(folders.folder, name))
  for (const snapshot of snapshots) {
    for (const before = created; created === before; ) await delay(5)
    await runJson(dataDir, 'data', 'snapshot', snapshot)
  }
  busy = false
  await work
  await close()
  const counts: number[] = []
  for (const snapshot of snapshots) {
    const restored = folders.fresh()
    await runJson(restored, 'data', 'restore', snapshot)
    counts.push(checkWhole(restored).length)
  }
  assert.ok((counts.at(-1) ?? 0) > (counts[0] ?? 0), counts.join())
})

data('replaces no snapshot unasked, and no folder ever', async () => {
  const taken = folders.write('taken.tar/photo.jpg', 'a photo')
  const folder = dirname(taken)
  const take = (target: string, ...flags: string[]) => run(folders.made, 'data', 'snapshot', target, ...flags)
  assert.match((await take(folder, '--force')).stderr, /is a folder, so it is not replaced/)
  assert.match((await take(join(folders.folder, 'again'))).stderr, /must end with \.tar, \.tar\.gz or \.tgz/)
  assert.match((await take(join(folders.made, 'a.tar'))).stderr, /is inside the data directory/)
  assert.match((await take(join(folders.folder, 'no', 'a.tar'))).stderr, /does not exist/)
  const snapshot = join(folders.folder, 'again.tar')
  assert.is((await take(snapshot)).status, 0)
  const refused = await take(snapshot)
  assert.is(refused.status, 2)
  assert.match(refused.stderr, /already exists/)
  assert.is((await take(snapshot, '--force')).status, 0)
  assert.equal(readdirSync(folder), ['photo.jpg'])
})

data('removes what killed snapshots into the same folder have left', async () => {
  const dataDir = folders.copy()
  // Long enough to be killed before its end.
  for (let index = 0; index < 6; index++) {
    writeFileSync(join(dataDir, `objects/ai-gateway/large-${index}.jpg`), randomBytes(4 << 20))
  }
  const snapshot = join(folders.folder, 'killed.tgz')
  const listPartial = () => readdirSync(folders.folder).filter((name) => name.startsWith('killed.tgz.'))
  const child = spawn(process.execPath, [program, 'data', 'snapshot', snapshot, '--data-dir', dataDir])
  const ended = once(child, 'exit')
  while (listPartial().length === 0 && child.exitCode === null) await delay(1)
  child.kill('SIGKILL')
  await ended
  assert.equal(listPartial(), [`killed.tgz.${child.pid}.partial`])
  const others = [`killed.tgz.${process.pid}.partial`, 'killed.tgz.bak', `other.zip.${child.pid}.partial`]
  others.push(`other.tar.${child.pid}.partial`)
  const old = `daily.tar.${child.pid}.partial`
  for (const name of [...others, old]) folders.write(name, '')
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
  utimesSync(join(folders.folder, old), twoDaysAgo, twoDaysAgo)
  await runJson(folders.made, 'data', 'snapshot', snapshot)
  assert.equal(
    readdirSync(folders.folder).filter((name) => /partial$|bak$/.test(name)),
    others.sort(),
  )
})

data('names the file that it cannot read or write', async () => {
  const dataDir = folders.copy()
  writeFileSync(join(dataDir, 'svc.db'), 'rubbish'.repeat(1000))
  const target = join(folders.folder, 'never.tar')
  const { status, stderr } = await run(dataDir, 'data', 'snapshot', target)
  assert.is(status, 2)
  assert.match(stderr, `Cannot use ${join(dataDir, 'svc.db')}: it is not a database of svc`)
  assert.not.match(stderr, target)
  assert.not.ok(existsSync(target))

  const file = folders.write('file', '')
  const refused = await run(folders.made, 'data', 'snapshot', join(file, 'x.tar'))
  assert.match(refused.stderr, join(file, 'x.tar'))
})

data('names the mistake in its flags', async () => {
  assert.match((await run(folders.made, 'data', 'prune')).stderr, /--older-than/)
  assert.match((await run(folders.made, 'data', 'prune', '--older-than', 'soon')).stderr, /--older-than is "soon"/)
  assert.match((await run(folders.made, 'data', 'restore')).stderr, /Name the snapshot/)
  assert.match((await run(folders.fresh(), 'data', 'snapshot', 'x.tar')).stderr, /No svc data in /)
})

const damages: [what: string, damage: (folder: string) => void, says: RegExp][] = [
  ['a damaged database', (folder) => truncateSync(join(folder, 'svc.db'), 5000), /The database in .* is damaged/],
  ['a file for a database', (folder) => writeFileSync(join(folder, 'svc.db'), 'x'.repeat(9000)), /is damaged/],
  ['no database', (folder) => rmSync(join(folder, 'svc.db')), /is not a snapshot of svc/],
  [
    'a folder for a secret',
    (folder) => {
      rmSync(join(folder, 'secret'))
      mkdirSync(join(folder, 'secret'))
    },
    /is not a snapshot of svc/,
  ],
  [
    'a file for the folder of objects',
    (folder) => {
      rmSync(join(folder, 'objects'), { recursive: true })
      writeFileSync(join(folder, 'objects'), '')
    },
    /is not a snapshot of svc/,
  ],
]
for (const [what, damage, says] of damages) {
  data(`refuses a snapshot with ${what}, and changes nothing`, async () => {
    const damaged = folders.fresh()
    mkdirSync(damaged)
    await extract({ file: folders.snapshot, cwd: damaged })
    damage(damaged)
    await create({ file: `${damaged}.tar`, cwd: damaged }, readdirSync(damaged))
    const dataDir = folders.fresh()
    const { status, stderr } = await run(dataDir, 'data', 'restore', `${damaged}.tar`)
    assert.is(status, 2)
    assert.match(stderr, says)
    assert.equal(readdirSync(dataDir), [])
  })
}

data('refuses half an archive, a file that is not an archive, and a file that does not exist', async () => {
  const snapshot = join(folders.folder, 'half.tar')
  cpSync(folders.snapshot, snapshot)
  truncateSync(snapshot, statSync(snapshot).size / 2)
  for (const file of [snapshot, folders.write('text.tar', 'text'), join(folders.folder, 'no.tar')]) {
    const { status, stderr } = await run(folders.fresh(), 'data', 'restore', file)
    assert.is(status, 2)
    assert.match(stderr, /not a complete archive|not a snapshot|does not exist/)
  }
})

data('restores into no folder that is in use or not empty, and says what to do', async () => {
  const { snapshot } = folders
  const dataDir = folders.copy()
  const reset = `or empty it with: svc data reset --data-dir ${dataDir}`
  assert.match((await run(dataDir, 'data', 'restore', snapshot)).stderr, reset)
  const { url, close } = await serveFolder(dataDir)
  const { status, stderr } = await run(dataDir, 'data', 'reset', '--yes')
  assert.is(status, 2)
  assert.match(stderr, /A server or another command works on/)
  assert.is((await fetch(`${url}/health`)).status, 200)
  await close()
  for (const flag of ['--force', '--finish']) {
    assert.match((await run(dataDir, 'data', 'restore', snapshot, flag)).stderr, /fills an empty directory only/)
  }
  assert.is((await run(dataDir, 'data', 'reset', '--yes')).status, 0)
  const { stdout } = await run(dataDir, 'data', 'restore', snapshot)
  assert.match(stdout, /^Restored .*\n {2}folder .*\n(.*\n)* {2}database {2}/)
  checkWhole(dataDir)
})

data('is repeated after it was killed at any moment, and all others refuse the folder until then', async () => {
  const whole = checkWhole(folders.made)
  for (const moment of [0, 5, 15, 40]) {
    const dataDir = folders.fresh()
    const child = spawn(process.execPath, [program, 'data', 'restore', folders.snapshot, '--data-dir', dataDir])
    const ended = once(child, 'exit')
    while (!existsSync(join(dataDir, '.restore')) && child.exitCode === null) await delay(0)
    await delay(moment)
    child.kill('SIGKILL')
    await ended
    if (existsSync(join(dataDir, '.restore'))) {
      const refused = await run(dataDir, 'key', 'list')
      assert.match(refused.stderr, `or empty the directory with: svc data reset --data-dir ${dataDir}`)
      await runJson(dataDir, 'data', 'restore', folders.snapshot)
    }
    assert.equal(checkWhole(dataDir), whole)
    assert.equal(
      readdirSync(dataDir).filter((name) => name.startsWith('.')),
      [],
    )
  }
})

data('starts afresh where a restore was cut short between two files, or is emptied', async () => {
  for (const args of [
    ['restore', folders.snapshot],
    ['reset', '--yes'],
  ]) {
    const dataDir = folders.copy()
    mkdirSync(join(dataDir, '.restore'))
    renameSync(join(dataDir, 'svc.db'), join(dataDir, '.restore/svc.db'))
    assert.is((await run(dataDir, 'data', ...args)).status, 0)
    if (args[0] === 'restore') assert.equal(checkWhole(dataDir), checkWhole(folders.made))
    else assert.equal(readdirSync(dataDir), [])
  }
})

data('says which models count after a restore and a reset', async () => {
  const [source, target] = [folders.copy(), folders.fresh()]
  writeFileSync(join(source, 'svc.config.json'), '{ "models": { "svc-avatar": "stub", "svc-animation": "stub" } }')
  const snapshot = join(folders.folder, 'with-models.tar')
  await runJson(source, 'data', 'snapshot', snapshot)
  const restored = await run(target, 'data', 'restore', snapshot)
  assert.match(restored.stdout, '  svc.config.json was restored: its models are used.\n')
  const emptied = await run(target, 'data', 'reset', '--yes')
  assert.match(emptied.stdout, `  ${target}/svc.config.json stays: the next start uses its models.\n`)
  const again = await run(target, 'data', 'restore', snapshot)
  assert.match(again.stdout, '  svc.config.json of the data directory was kept: its models are used.\n')
})

data.run()
