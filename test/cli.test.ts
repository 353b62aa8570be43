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

for (const line of ['help data', 'data --help']) {
  cli(`lists the commands of a group with svc ${line}`, () => {
    const { status, stdout } = svc(...line.split(' '))
    assert.is(status, 0)
    for (const name of ['snapshot', 'restore', 'reset', 'prune']) assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
  })
}

cli('answers help for an unknown command with exit code 2', () => {
  assert.is(svc('help', 'nonsense').status, 2)
})

cli('says of a group all that it does', () => {
  for (const args of [['--help'], ['help', 'insight']]) {
    const text = svc(...args).stdout.replaceAll(/\s+/g, ' ')
    const said = /ender, explain [^.]*? texts[;,][^.]*/.exec(text)?.[0] ?? ''
    for (const word of ['check', 'review', 'comment', 'edit', 'sign']) assert.match(said, word)
  }
})

const slips: readonly (readonly [args: readonly string[], said: string])[] = [
  [['bogus'], "error: unknown command 'bogus'\n(run"],
  [['dairy'], "error: unknown command 'dairy'\n(Did you mean diary?)\n(run"],
  [['key', 'crate'], "error: unknown command 'crate'\n(Did you mean create?)\n(run"],
  [['diary', 'select', '--wrnog'], "error: unknown option '--wrnog'\n(run"],
  [['diary', 'select', '--dtae=2026-10-20'], "error: unknown option '--dtae'\n(Did you mean --date?)\n(run"],
  [['diary', 'select', '-x', '--date', '2026-10-20'], "error: unknown option '-x'\n(run"],
  [['diary', 'select'], "error: required option '--species <species>' not specified\n(run"],
]
for (const [args, said] of slips) {
  cli(`names the unknown word first: svc ${args.join(' ')}`, () => {
    const { status, stderr } = svc(...args)
    assert.is(status, 2)
    assert.ok(stderr.startsWith(said), stderr)
  })
}

cli('prints the help if it is asked to, even if another argument is wrong', () => {
  const { status, stdout } = svc('diary', 'select', '--wrnog', '--help')
  assert.is(status, 0)
  assert.match(stdout, 'Usage: svc diary select')
})

cli('lets nothing of a mistake that it quotes reach the terminal as a command', () => {
  const hostile = '\u001b]0;x\u0007\u202e'
  const mistakes = [
    [hostile],
    ['validate', `--${hostile}`],
    ['validate', '--explain', hostile],
    ['validate', `gone${hostile}`],
    ['validate', `gone${hostile}*`],
    ['validate', '--format', hostile],
    ['insight', 'render', `gone${hostile}`],
    ['insight', 'send', '--key', 'k', '--url', hostile, 'fixtures/insight'],
    ['serve', '--port', hostile],
  ]
  for (const args of mistakes) {
    const { status, stderr } = svc(...args)
    assert.is(status, 2, args.join(' '))
    assert.not.match(stderr.replaceAll('\n', ''), /[\p{Cc}\u202e]/u, args.join(' '))
  }
})

cli.run()
