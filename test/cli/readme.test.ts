// run: takes 22 s
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientVariables, knownVariables } from '../../src/config.js'
import { type ConsoleExample, matchesExpected, readConsoleExamples } from '../helpers/console-blocks.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const readme = suite('README.md and the pages it leads to')
const root = fileURLToPath(new URL('../..', import.meta.url))
const hostPage = 'src/server/README.md'
/** In the order in which their examples run: the host's page starts the server. */
const names = ['README.md', hostPage, 'src/commands/README.md', 'catalog/README.md', 'src/payload-files/README.md']
const pages = new Map(names.map((name) => [name, readFileSync(join(root, name), 'utf8')]))
const front = pages.get('README.md') ?? ''
const examples = [...pages].flatMap(([name, page]) =>
  readConsoleExamples(page).map((example) => ({ name, ...example })),
)
const place = openTemporaryFolder()
const session = openSession()
const settings = { SVC_PORT: '0', NO_COLOR: '1' }
const shownPort = '8787'
let port = shownPort
let server: ChildProcess | undefined

readme.before(() => {
  for (const name of ['fixtures', 'catalog', 'bin']) symlinkSync(join(root, name), join(place.folder, name))
})

readme.after(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  await session.close()
  place.close()
})

const start = (command: string) =>
  spawn('bash', ['-c', command], {
    cwd: place.folder,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** The IDs that the examples show as `avatar_…` and `pia_…`: the ones that were printed last. */
const lastIds: Record<string, string> = {}
const fillIds = (command: string) => command.replaceAll(/\b(avatar|pia)_…/g, (shown) => lastIds[shown] ?? shown)

async function run(shown: string): Promise<string> {
  const command = fillIds(shown).replaceAll(shownPort, port)
  const [, words] = plainCommand.exec(command) ?? []
  const text = words === undefined ? await runInShell(command) : await runInSession(await expand(words))
  for (const [id, kind] of text.matchAll(/\b(avatar|pia)_[0-9A-Z]{26}\b/g)) lastIds[`${kind}_…`] = id
  return text.replaceAll(port, shownPort)
}

/**
 * A command of svc that needs no shell but for its words, and no process of its own: `init` prints how it was called, and `logs`
 * reads what the server writes a moment after its answers.
 */
const plainCommand = /^node bin\/svc\.js (?!init |logs )((?:"[^"]*"|'[^']*'|[^|;>"'])+)$/

/** Returns the words that a shell makes of a line. */
const expand = async (line: string) => (await runInShell(`printf '%s\\0' ${line}`)).split('\0').slice(0, -1)

async function runInShell(command: string): Promise<string> {
  const child = start(command)
  const output: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text) => output.push(text))
  child.stderr.setEncoding('utf8').on('data', (text) => output.push(text))
  await once(child, 'close')
  return output.join('')
}

async function runInSession(args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await session.run(args, { cwd: place.folder, env: settings })
  return stderr + stdout
}

/** Starts the server that the examples after it talk to; its port is a free one. */
async function serve(command: string): Promise<string> {
  server = start(`exec ${command}`)
  let output = ''
  for await (const text of server.stdout?.setEncoding('utf8') ?? []) {
    output += text
    const [, found] = /ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(output) ?? []
    if (found === undefined || !output.endsWith('\n')) continue
    port = found
    break
  }
  return output.replaceAll(port, shownPort)
}

const show = ({ command, expected }: ConsoleExample, output: string) =>
  `$ ${command}\nshould print\n${expected.join('\n')}\nbut printed\n${output.slice(0, 3000)}`

for (const example of examples) {
  readme(`${example.name}: $ ${example.command}`, async () => {
    const { command, expected } = example
    const output = command === 'node bin/svc.js serve' ? await serve(command) : await run(command)
    if (expected.length > 0) assert.ok(matchesExpected(output, expected), show(example, output))
    else assert.not.match(output, /\berror\b/i)
  })
}

readme('has an example of every command', () => {
  const commands = [
    ...['validate', 'insight render', 'insight scenarios', 'insight review', 'insight send', 'serve', 'key create'],
    ...['key list', 'logs', 'avatar generate', 'avatar list', 'avatar feedback', 'animation generate', 'task show'],
    ...['task wait', 'models', 'usage', 'diary scenes', 'diary generate', 'diary select', 'diary list'],
    ...['home generate', 'exec', 'doctor', 'data snapshot', 'data restore', 'data prune', 'completion'],
  ]
  const isShown = (command: string) => examples.some((one) => one.command.includes(`node bin/svc.js ${command}`))
  assert.equal(
    commands.filter((command) => !isShown(command)),
    [],
  )
})

readme('names the two commands for a fresh machine, and CI calls the second unchanged', () => {
  assert.match(front, 'npm ci && npm run demo')
  assert.match(front, 'npm ci && npm test')
  assert.match(readFileSync(join(root, '.ci/run'), 'utf8'), /^npm ci && npm test$/m)
})

readme('has every setting in its table', () => {
  const [, table = ''] = /^\| Flag .*?\n(.*?)\n\n/ms.exec(pages.get(hostPage) ?? '') ?? []
  const shown = [...table.matchAll(/`(SVC_\w+)`/g)].map(([, name]) => name)
  const known = knownVariables.filter((name) => !Object.values<string>(clientVariables).includes(name))
  assert.equal([...new Set(shown)].sort(), known.toSorted())
})

for (const [name, page] of pages) {
  readme(`${name} links to files and headings that exist`, () => {
    for (const [, target = '', heading = ''] of page.matchAll(/\]\(([^)#]*)#?([^)]*)\)/g)) {
      const linked = readFileSync(target === '' ? join(root, name) : join(root, dirname(name), target), 'utf8')
      const headings = [...linked.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => toAnchor(text))
      assert.ok(heading === '' || headings.includes(heading), `${target}#${heading}`)
    }
  })
}

function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')
}

readme.run()
