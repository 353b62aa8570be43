import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openSession } from '../helpers/svc-session.js'

const removed = suite('removed commands')
const session = openSession()
removed.after(session.close)

const commands: readonly (readonly [name: string, formerArguments: readonly string[], replacement: string])[] = [
  ['insight edit', ['REST_NIGHT_POOR', '--resume'], 'svc insight review --serve edits the texts.'],
  [
    'payload mutate',
    ['--all', '--out', 'mutants', '--seed', '3'],
    'fixtures/invalid has a payload for each rule, and index.json lists them.',
  ],
  [
    'provider compare',
    ['--photo', 'dog.jpg', '--models', 'stub', '--json'],
    'svc provider check --live makes a picture with each configured model, svc demo with the built-in provider.',
  ],
]
for (const [name, formerArguments, replacement] of commands) {
  removed(`${name} names its replacement, also with its former options, and is not listed`, async () => {
    const [group = '', command = ''] = name.split(' ')
    for (const args of [[], formerArguments]) {
      const { status, stdout, stderr } = await session.run([group, command, ...args])
      assert.equal([status, stdout, stderr], [2, '', `svc: svc ${name} was removed: ${replacement}\n`])
    }
    assert.not.match((await session.run([group, '--help'])).stdout, new RegExp(`^ +${command}\\b`, 'm'))
  })
}

removed.run()
