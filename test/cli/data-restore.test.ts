import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { create, extract } from 'tar'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { checkWhole, makeAvatar, openDataFolders, run, runJson } from '../helpers/data-folders.js'
import { program, startSvc } from '../helpers/svc.js'

const data = suite('svc data restore')
let folders: Awaited<ReturnType<typeof openDataFolders>>
data.before(async () => {
  folders = await openDataFolders(async (dataDir) => {
    await makeAvatar(dataDir, '--pose', 'sitting')
  })
})
data.after(() => folders.close())

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
  const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
  const { url } = JSON.parse(await running.nextLine())
  const { status, stderr } = await run(dataDir, 'data', 'reset', '--yes')
  assert.is(status, 2)
  assert.match(stderr, /A server or another command works on/)
  assert.is((await fetch(`${url}/health`)).status, 200)
  running.child.kill()
  await running.ended
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
  for (const moment of [0, 0, 5, 10, 20, 40]) {
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
