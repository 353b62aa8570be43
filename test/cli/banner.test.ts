import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderBanner } from '../../src/commands/serve/banner.js'
import { plain } from '../../src/runtime/style.js'
import { reportSkip } from '../helpers/skip.js'
import { program, runSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const banner = suite('banner of svc serve')
let place: ReturnType<typeof openTemporaryFolder>
banner.before(() => {
  place = openTemporaryFolder()
})
banner.after(() => place.close())

const render = (url: string, dataDir: string, createdKey?: string) =>
  renderBanner(
    {
      url,
      config: { dataDir, database: '', objects: '', provider: 'stub' },
      createdKey,
      program: [process.execPath, program],
    },
    plain,
  )

/** The commands to try, unchanged. */
const commandsOf = (text: string) => text.split(/terminal:\n/)[1]?.match(/^ {2}\S.*/gm) ?? []

for (const [what, keepsKey] of [
  ['with the key kept in the folder', true],
  ['without one', false],
] as const) {
  banner(`names three commands that work unchanged, ${what}`, async () => {
    // A name that a shell would take apart.
    const dataDir = join(place.folder, `it's a ${keepsKey ? 'kept' : 'lost'} key`)
    if (!keepsKey) runSvc(['key', 'create', '--name', 'other', '--data-dir', dataDir])
    const running = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir])
    const { url, key } = JSON.parse(await running.nextLine())
    const text = render(url, dataDir, key?.key)
    assert.is(text.includes('#key='), keepsKey)
    const commands = commandsOf(text)
    assert.is(commands.length, 3)
    for (const command of commands) {
      const { status, stdout, stderr } = spawnSync('bash', ['-c', command.replace(' curl ', ' curl --fail ')], {
        encoding: 'utf8',
      })
      assert.is(status, 0, `${command}\n${stdout}${stderr}`)
    }
    running.child.kill()
    await running.ended
  })
}

banner('shows no key that was created before', () => {
  assert.not.match(render('http://127.0.0.1:1', place.folder), 'svc_')
})

banner('is printed only on a terminal, after the ready line', () => {
  if (spawnSync('script', ['--version']).error !== undefined) return reportSkip('script (util-linux) is not there')
  const dataDir = join(place.folder, 'terminal')
  const serve = (flags: string) =>
    spawnSync(
      'script',
      [
        '-qec',
        `timeout -s INT 2 ${process.execPath} ${program} serve --port 0 --data-dir ${dataDir} ${flags}`,
        '/dev/null',
      ],
      { encoding: 'utf8', input: '', env: { ...process.env, NO_COLOR: '1' } },
    ).stdout
  assert.match(serve(''), /^svc \d\S+ is ready on [^\n]*\n\s+demo +http:\/\/127\.0\.0\.1:\d+\/demo#key=svc_/m)
  assert.not.match(serve('--json'), 'Try in a second terminal')
})

banner.run()
