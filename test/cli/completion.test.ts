// run: takes 6 s
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reportSkip } from '../helpers/skip.js'
import { program } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const completion = suite('svc completion')
let place: ReturnType<typeof openTemporaryFolder>
const session = openSession()
completion.before(async () => {
  place = openTemporaryFolder()
  mkdirSync(join(place.folder, 'a folder'))
  place.write('a file.json', '')
  const svc = place.write('bin/svc', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  chmodSync(svc, 0o755)
  for (const shell of ['bash', 'zsh', 'fish']) {
    place.write(`_svc.${shell}`, (await session.run(['completion', shell])).stdout)
  }
})
completion.after(async () => {
  await session.close()
  place.close()
})

function run(command: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, error } = spawnSync(command, args, {
    cwd: place.folder,
    encoding: 'utf8',
    input,
    env: { ...process.env, PATH: `${join(place.folder, 'bin')}:${process.env.PATH}` },
  })
  assert.is(error, undefined)
  assert.is(stderr, '')
  return stdout
}

/** Returns the candidates of each shell at the end of a line. */
const offers: Readonly<Record<string, (line: string) => string[]>> = {
  bash(line) {
    // Split like readline: at blanks and at an equals sign.
    const words = line.replaceAll('=', ' = ').split(/ +/)
    const script = `
      source _svc.bash
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length - 1}
      _svc
      printf '%s\\n' "\${COMPREPLY[@]}"`
    return run('bash', ['--norc', '-c', script]).split('\n').filter(Boolean)
  },
  zsh(line) {
    // A terminal of zsh that prints its candidates. Source: the manual of zsh/zpty and compadd -O.
    const script = `
      zmodload zsh/zpty
      zpty shell zsh -f -i
      send() { zpty -w shell "$1" }
      send "PROMPT= ; stty -echo; autoload -Uz compinit; compinit -u -d ./zsh-functions; source ./_svc.zsh"
      send 'compadd() {
        [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]] && { builtin compadd "$@"; return $? }
        local -a hits; builtin compadd -A hits "$@"; print -rl -- "<"$^hits">"; builtin compadd "$@"
      }'
      send "zle -C show complete-word show; show() { _main_complete; compstate[insert]= compstate[list]=; print '<END>' }; bindkey '^I' show"
      send 'print "<READY"">"'
      zpty -r shell out '*<READY>*'
      zpty -w -n shell '${line.replaceAll("'", "'\\''")}'$'\\t'
      zpty -r shell out '*<END>*'
      print -r -- "$out"
      zpty -d shell`
    return [...run('zsh', ['-f', '-c', script]).matchAll(/<([^<>\n]*)>/g)]
      .map(([, hit = '']) => hit)
      .filter((hit) => hit !== 'END' && hit !== 'READY')
  },
  fish: (line) =>
    run('fish', ['--no-config', '-c', `source _svc.fish; complete -C '${line}'`])
      .split('\n')
      .flatMap((row) => row.split('\t')[0] || []),
}

/** The candidates at the end of a line: among others, or with `only` exactly these. */
const cases: [line: string, expected: string[], only?: 'only'][] = [
  ['svc ', ['demo', 'validate', 'serve', 'insight', 'data', 'doctor', 'completion', 'exec']],
  ['svc ins', ['insight'], 'only'],
  ['svc insight ', ['render', 'scenarios', 'send']],
  ['svc insight render --lo', ['--locale'], 'only'],
  ['svc insight render --locale ', ['all', 'en-US', 'en-XA', 'es', 'zh-CN'], 'only'],
  ['svc insight render --format markdown --locale z', ['zh-CN'], 'only'],
  ['svc usage --by ', ['day', 'key', 'model', 'pet', 'user'], 'only'],
  ['svc avatar generate --species ', ['cat', 'dog'], 'only'],
  ['svc avatar generate --pose ', ['all', 'lying', 'running', 'sitting', 'walking'], 'only'],
  ['svc animation generate --pose s', ['sitting'], 'only'],
  ['svc home generate --locale ', ['en-US', 'es', 'zh-CN'], 'only'],
  ['svc diary select --species ', ['cat', 'dog'], 'only'],
  ['svc validate --format ', ['github', 'json', 'junit', 'sarif', 'text'], 'only'],
  ['svc serve --provider ', ['config', 'stub'], 'only'],
  ['svc key create --endpoints pet', ['pet-animation', 'pet-avatar', 'pet-diary'], 'only'],
  ['svc key create --allow ', ['image', 'none', 'video'], 'only'],
  ['svc validate --unknown ', ['error', 'ignore', 'warn'], 'only'],
  ['svc payload new --scenario REST_NIGHT_P', ['REST_NIGHT_POOR'], 'only'],
  ['svc diary generate rain_w', ['rain_walk'], 'only'],
  ['svc diary generate rain_walk thanksg', ['thanksgiving_day'], 'only'],
  ['svc prompt show --scene rain_w', ['rain_walk'], 'only'],
  ['svc insight sign --text STREAK_D', ['STREAK_DAYS'], 'only'],
  ['svc insight sign --text STREAK_DAYS STREAK_N', ['STREAK_NIGHTS'], 'only'],
  ['svc insight sign --text STREAK_DAYS --loc', ['--locale'], 'only'],
  ['svc insight sign --scenario REST_NIGHT_P', ['REST_NIGHT_POOR'], 'only'],
  ['svc help ins', ['insight'], 'only'],
  ['svc help ', ['demo', 'validate', 'data', 'completion']],
  ['svc data help ', ['move', 'prune', 'reset', 'restore', 'snapshot'], 'only'],
  ['svc completion ', ['bash', 'fish', 'zsh'], 'only'],
  ['svc demo --no', ['--no-open'], 'only'],
  ['svc serve --host ', [], 'only'],
]

/** The lines of `cases` that are also completed in each shell: several words, values of an option, and an empty list. */
const inShells = ['svc ', 'svc insight render --locale ', 'svc serve --host ']

for (const [line, expected, only] of cases) {
  const title = `completes "${line}" with ${expected.join(', ') || 'nothing'}`
  const check = (offered: string[]) => {
    if (only) assert.equal([...offered].sort(), expected)
    else for (const word of expected) assert.ok(offered.includes(word), `${word} is not among ${offered.join(' ')}`)
  }
  completion(title, async () => {
    const { stdout } = await session.run(['__complete', ...line.split(' ')])
    const [kind, ...rows] = stdout.trimEnd().split('\n')
    assert.is(kind, 'words')
    check(rows.map((row) => row.split('\t')[0] ?? ''))
  })
  if (!inShells.includes(line)) continue
  for (const [shell, offer] of Object.entries(offers)) {
    completion(`${shell} ${title}`, () => {
      if (spawnSync(shell, ['--version']).error !== undefined) return reportSkip(`${shell} is not installed`)
      check(offer(line))
    })
  }
}

for (const [shell, offer] of Object.entries(offers)) {
  completion(`${shell} completes files and folders`, () => {
    if (spawnSync(shell, ['--version']).error !== undefined) return reportSkip(`${shell} is not installed`)
    const clean = (line: string) => offer(line).map((name) => name.replaceAll('\\', '').replace(/\/$/, ''))
    assert.ok(clean('svc validate ').includes('a file.json'))
    const folders = clean('svc serve --data-dir ')
    assert.ok(folders.includes('a folder'), folders.join())
    assert.not.ok(folders.includes('a file.json'), folders.join())
  })
}

completion('bash completes values after an equals sign, and programs and their files after --', () => {
  assert.equal(offers.bash?.('svc insight render --locale=z'), ['zh-CN'])
  assert.ok(offers.bash?.('svc exec -- bas').includes('bash'))
  assert.equal(offers.bash?.('svc exec -- cat a').sort(), ['a file.json', 'a folder'])
  assert.equal(offers.bash?.('svc exec -- cat --he'), [])
})

for (const shell of ['zsh', 'fish']) {
  completion(`${shell} completes values after an equals sign`, () => {
    if (spawnSync(shell, ['--version']).error !== undefined) return reportSkip(`${shell} is not installed`)
    assert.equal(offers[shell]?.('svc insight render --locale=z'), ['--locale=zh-CN'])
  })
}

completion('describes commands and options', async () => {
  assert.match((await session.run(['__complete', 'svc', 'mod'])).stdout, /^words\nmodels\tlist the models .*\n$/)
  assert.match(
    (await session.run(['__complete', 'svc', 'models', '--js'])).stdout,
    /^words\n--json\tprint one JSON document\n$/,
  )
  assert.match(
    (await session.run(['__complete', 'svc', 'insight', 'sign', '--text', 'REST_NIGHT_P'])).stdout,
    /^words\nREST_NIGHT_POOR\trest of a night, rated Poor\n$/,
  )
})

completion('explains the installation, and rejects other shells', async () => {
  const { stdout } = await session.run(['completion', '--help'])
  for (const place of ['bash-completion/completions/svc', '~/.zfunc/_svc', '~/.config/fish/completions/svc.fish']) {
    assert.match(stdout, place)
  }
  const { status, stderr } = await session.run(['completion', 'tcsh'])
  assert.is(status, 2)
  assert.match(stderr, /bash, zsh, fish/)
})

completion.run()
