import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'

const help = suite('svc --help')
const session = openSession()
help.after(session.close)
const general = runSvc(['--help']).stdout

help('begins with what works in any folder', () => {
  assert.match(general, /\nExamples:\n {2}svc demo\n {2}svc serve\n {2}svc validate /)
})

help('wraps its prose, and no example, at the width of the terminal', async () => {
  const { stdout } = await session.run(['payload', 'new', '--help'])
  const [prose = '', examples = ''] = stdout.split('\nExamples:\n')
  assert.equal(
    prose.split('\n').filter((line) => line.length > 80),
    [],
  )
  assert.match(examples, /^ {2}svc payload new .* --seed 7$/m)
})

const names = [...general.matchAll(/^ {2}([a-z]+) {2,}/gm)]
  .flatMap(([, name]) => name ?? [])
  .filter((name) => name !== 'help')
for (const name of names) {
  help(`gives an example of ${name}`, async () => {
    const { stdout } = await session.run([name, '--help'])
    assert.match(stdout, new RegExp(`^  svc ${name} `.trimEnd(), 'm'))
  })
}

help('knows all groups', () => {
  for (const name of ['avatar', 'data', 'key', 'validate']) assert.ok(names.includes(name), name)
})

help.run()
