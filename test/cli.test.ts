// run: fleet
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { skipOnFleet } from './helpers/skip.js'
import { openSession } from './helpers/svc-session.js'
import { openTemporaryFolder } from './helpers/temporary.js'

const cli = suite('cli')
const session = openSession()
const place = openTemporaryFolder()
cli.after(async () => {
  await session.close()
  place.close()
})
const svc = (line: string) => session.run(line.split(' '))
const general = await svc('--help')
/** The commands that a help lists. */
const listCommands = (help: string) =>
  [...help.matchAll(/^ {2}([a-z]+)(?: .*)? {2,}/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')

cli('lists its commands with --help, and what works in any folder', () => {
  assert.is(general.status, 0)
  assert.match(general.stdout, /\nExamples:\n {2}svc demo\n {2}svc serve\n {2}svc validate /)
  const names = listCommands(general.stdout)
  for (const name of ['avatar', 'data', 'key', 'validate']) assert.ok(names.includes(name), name)
})

for (const name of listCommands(general.stdout)) {
  cli(`gives an example of ${name}, and of each command of its group`, async () => {
    const { stdout } = await svc(`${name} --help`)
    assert.match(stdout, new RegExp(`^  svc ${name}( |$)`, 'm'))
    const [, commands = ''] = /\nCommands:\n(.*?)\n\n/s.exec(stdout) ?? []
    for (const command of listCommands(commands)) {
      const help = await svc(`${name} ${command} --help`)
      assert.match(help.stdout, new RegExp(`Examples?:\n(.*\n)*  svc ${name} ${command}( |$)`, 'm'))
    }
  })
}

cli('wraps the prose of a help, and no example, at the width of the terminal', async () => {
  const { stdout } = await svc('payload new --help')
  const [prose = '', examples = ''] = stdout.split('\nExamples:\n')
  assert.equal(
    prose.split('\n').filter((line) => line.length > 80),
    [],
  )
  assert.match(examples, /^ {2}svc payload new .* --seed 7$/m)
})

for (const line of ['help data', 'data --help']) {
  cli(`lists the commands of a group with svc ${line}`, async () => {
    const { status, stdout } = await svc(line)
    assert.is(status, 0)
    for (const name of ['snapshot', 'restore', 'reset', 'prune']) assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
  })
}

cli('says of a group all that it does', async () => {
  for (const line of ['--help', 'help insight']) {
    const text = (await svc(line)).stdout.replaceAll(/\s+/g, ' ')
    const said = /ender, explain [^.]*? texts[;,][^.]*/.exec(text)?.[0] ?? ''
    for (const word of ['check', 'review', 'comment', 'edit', 'sign']) assert.match(said, word)
  }
})

const slips: readonly (readonly [line: string, said: string])[] = [
  ['bogus', "error: unknown command 'bogus'\n(run"],
  ['dairy', "error: unknown command 'dairy'\n(Did you mean diary?)\n(run"],
  ['help nonsense', ''],
  ['key crate', "error: unknown command 'crate'\n(Did you mean create?)\n(run"],
  ['diary select --wrnog', "error: unknown option '--wrnog'\n(run"],
  ['diary select --dtae=2026-10-20', "error: unknown option '--dtae'\n(Did you mean --date?)\n(run"],
  ['diary select -x --date 2026-10-20', "error: unknown option '-x'\n(run"],
  ['diary select', "error: required option '--species <species>' not specified\n(run"],
]
for (const [line, said] of slips) {
  cli(`names the unknown word first: svc ${line}`, async () => {
    const { status, stderr } = await svc(line)
    assert.is(status, 2)
    assert.ok(stderr.startsWith(said), stderr)
  })
}

cli('prints the help if it is asked to, even if another argument is wrong', async () => {
  const { status, stdout } = await svc('diary select --wrnog --help')
  assert.is(status, 0)
  assert.match(stdout, 'Usage: svc diary select')
})

const removed: readonly (readonly [group: string, name: string, formerArguments: string, replacement: string])[] = [
  ['insight', 'edit', 'REST_NIGHT_POOR --resume', 'svc insight review --serve edits the texts.'],
  [
    'payload',
    'mutate',
    '--all --out mutants --seed 3',
    'fixtures/invalid has a payload for each rule, and index.json lists them.',
  ],
  [
    'provider',
    'compare',
    '--photo dog.jpg --models stub --json',
    'svc provider check --live makes a picture with each configured model, svc demo with the built-in provider.',
  ],
]
for (const [group, name, formerArguments, replacement] of removed) {
  cli(`names what replaces ${group} ${name}, also with its former options, and does not list it`, async () => {
    for (const line of [`${group} ${name}`, `${group} ${name} ${formerArguments}`]) {
      const stderr = `svc: svc ${group} ${name} was removed: ${replacement}\n`
      assert.equal(await svc(line), { status: 2, stdout: '', stderr })
    }
    assert.not.match((await svc(`${group} --help`)).stdout, new RegExp(`^ +${name}\\b`, 'm'))
  })
}

const folder = join(place.folder, 'data')
const models = join(folder, 'models.json')
/** Commands, and the words in which each prints the one that comes next. */
const next: readonly (readonly [command: string, said: string])[] = [
  [`key create --name first --data-dir ${folder}`, ''],
  [`key revoke key_nobody --data-dir ${folder}`, 'node bin/svc.js key list shows all.'],
  [`provider check --config ${models}`, `node bin/svc.js init --config ${models} writes it`],
  [
    `init --avatar stub --animation stub --data-dir ${folder}`,
    `Then: node bin/svc.js provider check --data-dir ${folder}, node bin/svc.js serve --data-dir ${folder}\n`,
  ],
  [
    `models --url http://127.0.0.1:9 --data-dir ${folder}`,
    'node bin/svc.js key create makes one, where the server runs.',
  ],
  ['models --url http://127.0.0.1:9 --key svc_none', 'Start one with "node bin/svc.js serve", or give its --url.'],
]
cli('names in the next command the program as it was started', async () => {
  if (skipOnFleet('commands that name a data directory')) return
  for (const [command, said] of next) {
    const { stdout, stderr } = await session.run(command.split(' '), { script: 'bin/svc.js' })
    assert.match(stdout + stderr, said)
    assert.not.match(stdout + stderr, /(^|[^.\w/])svc (serve|init|key|provider|doctor|usage|data) /)
  }
})

cli(
  'refuses a misspelled variable in commands without a service, with the nearest name, but not in a help',
  async () => {
    const env = { SVC_STUB_FIAL: 'sitting' }
    const stderr = 'svc: SVC_STUB_FIAL is not a setting. Did you mean SVC_STUB_FAIL?\n'
    const payload = 'fixtures/insight/REST_NIGHT_POOR.json'
    for (const line of [`validate ${payload}`, 'payload new', `insight render ${payload}`, 'insight scenarios']) {
      assert.equal(await session.run(line.split(' '), { env }), { status: 2, stdout: '', stderr }, line)
    }
    assert.is((await session.run(['validate', '--help'], { env })).status, 0)
  },
)

cli('lets nothing of a mistake that it quotes reach the terminal as a command', async () => {
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
    const { status, stderr } = await session.run(args)
    assert.is(status, 2, args.join(' '))
    assert.not.match(stderr.replaceAll('\n', ''), /[\p{Cc}\u202e]/u, args.join(' '))
  }
})

cli.run()
