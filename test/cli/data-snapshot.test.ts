// run: takes 8 s
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkWhole, listFiles, makeAvatar, openDataFolders, run, runJson } from '../helpers/data-folders.js'
import type { Json } from '../helpers/media.js'
import { program, startSvc } from '../helpers/svc.js'

const data = suite('svc data snapshot')
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
    for (const file of [
      'secret',
      'local.key',
      ...listFiles(join(folders.made, 'objects')).map((key) => `objects/${key}`),
    ]) {
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
  const restored = folders.copy()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', restored])
  const { url, key } = JSON.parse(await running.nextLine())
  assert.is(key, undefined)
  const authorization = `Bearer ${readFileSync(join(folders.made, 'local.key'), 'utf8').trim()}`
  assert.is((await fetch(`${url}/v1/models`, { headers: { authorization } })).status, 200)
  const { pathname, search } = new URL(avatar.images.sitting.generated_url)
  const picture = await fetch(`${url}${pathname}${search}`)
  assert.equal([picture.status, (await picture.arrayBuffer()).byteLength > 0], [200, true])
  running.child.kill()
  await running.ended
})

data('takes a snapshot of one moment while a server works', async () => {
  const dataDir = folders.fresh()
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url, key } = JSON.parse(await running.nextLine())
  let busy = true
  const photo = readFileSync('fixtures/photos/dog.jpg')
  const work = (async () => {
    while (busy) {
      const form = new FormData()
      form.set('source_image', new Blob([photo]), 'dog.jpg')
      form.set('species', 'dog')
      form.set('pose', 'sitting')
      const headers = { authorization: `Bearer ${key.key}` }
      const answer = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
      assert.equal([answer.status, ((await answer.json()) as Json).status], [200, 'pending'])
      await delay(20)
    }
  })()
  const snapshots: string[] = []
  for (let index = 0; index < 4; index++) {
    const snapshot = join(folders.folder, `busy-${index}.tar`)
    const child = spawn(process.execPath, [program, 'data', 'snapshot', snapshot, '--data-dir', dataDir])
    assert.equal(await once(child, 'exit'), [0, null])
    snapshots.push(snapshot)
  }
  busy = false
  await work
  running.child.kill()
  await running.ended
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
  for (let index = 0; index < 20; index++) {
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

data.run()
