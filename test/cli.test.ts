import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const cli = suite('cli')
const program = fileURLToPath(new URL('../bin/svc.js', import.meta.url))
const svc = (...args: string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })

cli('lists its commands with --help and exits 0', () => {
  const { status, stdout } = svc('--help')
  assert.is(status, 0)
  assert.match(stdout, 'validate')
})

cli('answers an unknown command with a suggestion and exit code 2', () => {
  const { status, stderr } = svc('validat')
  assert.is(status, 2)
  assert.match(stderr, 'Did you mean validate?')
})

cli.run()
