// run: takes 15 s
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readGuide } from '../helpers/guide.js'
import type { Json } from '../helpers/media.js'
import { toText } from '../helpers/page-examples.js'
import { reportSkip } from '../helpers/skip.js'
import { cleanEnvironment } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

/** The texts of the guide for CI, in a repository such as a reader has. */
interface Context {
  place: ReturnType<typeof openTemporaryFolder>
  /** Has a checkout of svc, payloads and a test that calls the server. */
  repository: string
}

const yaml: { load(text: string): Json } = createRequire(import.meta.url)('js-yaml')
const root = fileURLToPath(new URL('../..', import.meta.url))
const texts = suite<Context>('files and commands of the guide')
const pages = readGuide()
const getPage = (path: string) => pages.find((page) => page.path === path)?.html ?? ''

/** Lists the texts of a page that have a file name, with it. */
const listFiles = (path: string) =>
  [...getPage(path).matchAll(/<p class="file"><code>(.*?)<\/code><\/p>.*?<code>(.*?)<\/code>/gs)].map(
    ([, name = '', text = '']) => [name, toText(text)] as const,
  )
const files = new Map(listFiles('/api-docs/ci'))
const commands = [...getPage('/api-docs/testing').matchAll(/<pre class="sh"[^>]*><code>(.*?)<\/code>/gs)].map(
  ([, text = '']) => toText(text),
)

/** The tests of the repository: they keep the rules that the guide names, so that they pass with its faults too. */
const ownTest = `
const answer = await fetch(process.env.SVC_URL + '/v1/models', {
  headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY },
})
if (!answer.ok) throw new Error(String(answer.status))
`

texts.before((context) => {
  context.place = openTemporaryFolder()
  context.repository = join(context.place.folder, 'client')
  const tools = join(context.place.folder, 'tools')
  for (const folder of ['payloads', '.git', '.github/workflows'])
    mkdirSync(join(context.repository, folder), { recursive: true })
  mkdirSync(tools)
  symlinkSync(root, join(context.repository, 'svc'))
  cpSync(join(root, 'fixtures/insight/BARK_DAY_CALM.json'), join(context.repository, 'payloads/bark.json'))
  writeFileSync(join(context.repository, 'package.json'), '{"type": "module", "scripts": {"test": "node test.js"}}')
  writeFileSync(join(context.repository, 'test.js'), ownTest)
  // The command that `npm link` makes.
  writeFileSync(join(tools, 'svc'), `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/svc.js')}" "$@"\n`, {
    mode: 0o755,
  })
  // `npm test` without npm, whose start takes longer than the commands.
  writeFileSync(join(tools, 'npm'), '#!/bin/sh\n[ "$*" = test ] && exec node test.js\n', { mode: 0o755 })
})

texts.after(({ place }) => place.close())

/** Runs a command in the repository, with this Node. */
function run({ place, repository }: Context, command: string, args: readonly string[]) {
  const path = [join(place.folder, 'tools'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: repository,
    encoding: 'utf8',
    env: { ...cleanEnvironment({}), PATH: path },
    timeout: 120_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

/** The fixture with a field that the contract does not allow there. */
function breakPayload({ repository }: Context, name: string): void {
  writeFileSync(join(repository, 'payloads', name), '{"schemaVersion": "health-detail-v2"}\n')
}

texts('the shell script passes, and fails for an invalid payload', (context) => {
  writeFileSync(join(context.repository, 'ci.sh'), files.get('ci.sh') ?? '')
  const good = run(context, 'sh', ['ci.sh'])
  assert.is(good.status, 0, good.output)
  const file = join(context.repository, 'payloads/wrong.json')
  const bark = JSON.parse(readFileSync(join(context.repository, 'payloads/bark.json'), 'utf8'))
  for (const payload of [{ schemaVersion: 'health-detail-v2' }, { ...bark, avgMinutes: 12 }]) {
    writeFileSync(file, JSON.stringify(payload))
    const wrong = run(context, 'sh', ['ci.sh'])
    assert.is(wrong.status, 1, wrong.output)
    assert.match(wrong.output, 'payloads/wrong.json')
  }
  rmSync(file)
})

/** Lists the commands of the workflows, as their services read them. */
const workflows: readonly (readonly [name: string, list: (workflow: Json) => readonly string[]])[] = [
  ['.github/workflows/svc.yml', ({ jobs }) => jobs.client.steps.flatMap(({ run }: Json) => run ?? [])],
  ['.gitlab-ci.yml', ({ svc }) => [...svc.before_script, ...svc.script]],
]
for (const [name, list] of workflows) {
  texts(`the steps of ${name} pass, and run the tests as the script does`, (context) => {
    const lines = list(yaml.load(files.get(name) ?? '')).filter((line) => !/npm ci|git clone/.test(line))
    const [validation = '', tests = '', ...others] = lines
    const { status, output } = run(context, 'sh', ['-c', validation])
    assert.is(status, 0, `${validation}\n${output}`)
    assert.equal([tests.replace('node svc/bin/svc.js', 'svc'), others], ['svc exec -- npm test', []])
    assert.match(files.get('ci.sh') ?? '', '\nsvc exec -- npm test\n')
  })
}

texts('the report that a workflow keeps is the one that its steps write', () => {
  const { svc } = yaml.load(files.get('.gitlab-ci.yml') ?? '')
  const [, report] = /--format junit=(\S+)/.exec(svc.script.join('\n')) ?? []
  assert.equal(svc.artifacts, { when: 'always', reports: { junit: report } })
  const { on, jobs } = yaml.load(files.get('.github/workflows/svc.yml') ?? '')
  assert.equal(on, ['push', 'pull_request'])
  const used = jobs.client.steps.flatMap(({ uses }: Json) => (uses === undefined ? [] : uses.replace(/@v\d+$/, '')))
  const actions = 'actions/checkout actions/checkout actions/setup-node actions/cache github/codeql-action/upload-sarif'
  assert.is(used.join(' '), actions)
  // The cache holds what `npm ci` makes, and is another one when a source of it changes.
  const cached = jobs.client.steps.find(({ id }: Json) => id === 'built').with
  assert.equal(cached.path.trim().split('\n'), ['svc/node_modules', 'svc/dist'])
  for (const part of ['steps.node.outputs.node-version', 'package-lock.json', 'svc/src/**', 'svc/catalog/**'])
    assert.ok(cached.key.includes(part), part)
  const install = jobs.client.steps.find((step: Json) => step.run?.startsWith('npm ci'))
  assert.is(install.if, "steps.built.outputs.cache-hit != 'true'")
  assert.equal(jobs.client.permissions, { contents: 'read', 'security-events': 'write' })
  const sarif = jobs.client.steps.at(-1).with.sarif_file
  assert.ok(jobs.client.steps.some((step: Json) => step.run?.includes(`--format sarif=${sarif} `)))
})

texts('the hook refuses a commit with an invalid payload, and takes a valid one', (context) => {
  if (spawnSync('git', ['--version']).error !== undefined) return reportSkip('the git hook of the guide: no git')
  const git = (...args: string[]) =>
    run(context, 'git', ['-c', 'user.name=ann', '-c', 'user.email=ann@svc.test', ...args])
  run(context, 'rm', ['-rf', '.git'])
  assert.is(git('init', '--quiet').status, 0)
  const hook = join(context.repository, '.git/hooks/pre-commit')
  mkdirSync(dirname(hook), { recursive: true })
  writeFileSync(hook, files.get('.git/hooks/pre-commit') ?? '')
  chmodSync(hook, 0o755)
  git('add', 'payloads/bark.json')
  const good = git('commit', '--quiet', '-m', 'a valid payload')
  assert.is(good.status, 0, good.output)
  breakPayload(context, 'wrong one.json')
  git('add', 'payloads')
  // The staged payload counts, not the file.
  cpSync(join(context.repository, 'payloads/bark.json'), join(context.repository, 'payloads/wrong one.json'))
  const wrong = git('commit', '--quiet', '-m', 'an invalid payload')
  assert.is(wrong.status, 1, wrong.output)
  // The path is one of the repository.
  assert.match(wrong.output, /^payloads\/wrong one\.json:1:19: error: /m)
})

texts('the code of “Testing your client” is that of the main server, which passes its suite', () => {
  const parts = listFiles('/api-docs/testing')
  assert.ok(parts.length >= 10)
  for (const [name, text] of parts) {
    assert.match(name, /^test\/main-server\/(main-server|suite)\.mjs$/)
    assert.ok(readFileSync(join(root, name), 'utf8').includes(`\n${text}\n`), text)
  }
  const shown = parts.map(([, text]) => text).join('\n')
  for (const word of ['retry-after', 'idempotency-key', 'poll_after_seconds', 'SIGKILL', 'drop=after', '_svc/clock'])
    assert.match(shown, word)
})

texts('the commands of “Testing your client” succeed', (context) => {
  assert.ok(commands.length >= 3)
  for (const command of commands) {
    // Commands that change a server run against one.
    const isChange = !command.includes('svc exec') && /svc (fault|clock)/.test(command)
    const args = ['-e', '-c', command]
    const { status, output } = isChange ? run(context, 'svc', ['exec', '--', 'sh', ...args]) : run(context, 'sh', args)
    assert.is(status, 0, `${command}\n${output}`)
  }
})

texts.run()
