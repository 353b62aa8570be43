import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const architecture = suite('architecture')
const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Who may import whom: a folder or file of `src/` and the others it may name. Imports point downwards only.
 * Anyone may import `errors`, `version` and what is generated at build time, which import nothing themselves.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  abort: [],
  version: [],
  entry: [],
  generated: ['insight'],
  spelling: [],
  insight: ['spelling'],
  ports: [],
  log: ['ports'],
  media: ['ids', 'ports'],
  ids: [],
  size: [],
  access: ['ids', 'ports'],
  'message-compiler': ['catalog', 'insight'],
  'message-runtime': [],
  catalog: ['entry', 'insight', 'media', 'message-compiler'],
  contract: ['access', 'insight', 'media'],
  worker: ['ids', 'log', 'ports', 'media', 'entry'],
  adapters: ['abort', 'ids', 'log', 'ports', 'entry', 'size'],
  // The lint reads a pattern as the program will.
  review: ['catalog', 'insight', 'message-compiler'],
  pages: [],
  client: ['contract'],
  server: ['log', 'ids', 'ports', 'access', 'contract', 'entry', 'insight', 'media', 'size'],
  config: ['ports', 'spelling'],
  'data-dir': ['spelling'],
  app: [
    'abort',
    'data-dir',
    'log',
    'ports',
    'access',
    'catalog',
    'contract',
    'worker',
    'adapters',
    'server',
    'config',
    'insight',
    'media',
  ],
  commands: [
    'abort',
    'config',
    'message-compiler',
    'data-dir',
    'app',
    'access',
    'log',
    'ports',
    'catalog',
    'client',
    'contract',
    'insight',
    'media',
    'review',
    'entry',
    'size',
    'spelling',
  ],
  cli: ['log', 'commands'],
  // What TypeScript callers import, and what runs at build time only.
  index: ['catalog', 'insight'],
  build: ['catalog', 'contract', 'insight', 'message-compiler'],
}
const forAll = ['errors', 'version', 'generated']

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'))
const read = (file: string) => readFileSync(join(root, 'src', file), 'utf8')

/** `insight/rules/period.ts` is part of `insight`, `errors.ts` is `errors`. */
const partOf = (file: string) => file.replace(/\.[jt]s$/, '').split('/')[0] ?? ''

function importsOf(file: string): string[] {
  const sources = [...read(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1] ?? '')
  return sources.map((source) => posix.join(posix.dirname(file), source))
}

for (const file of files) {
  architecture(`${file} imports only what its part may`, () => {
    const part = partOf(file)
    const allowed = mayImport[part]
    assert.ok(allowed, `src/${part} has no row in the table of test/architecture.test.ts`)
    for (const imported of importsOf(file)) {
      if (imported.startsWith('..')) {
        assert.is(imported, '../package.json', `${file} imports ${imported} from outside src/`)
        continue
      }
      const target = partOf(imported)
      assert.ok(
        target === part || forAll.includes(target) || allowed.includes(target),
        `src/${file} must not import ${target}/: it may import ${[...allowed, ...forAll].join(', ')}`,
      )
    }
  })
}

architecture('no row of the table allows a circle', () => {
  // The compiler takes its type of the catalog, and generated messages their type of the insight core: types only.
  const typesOnly = new Set(['message-compiler catalog', 'generated insight'])
  const visit = (part: string, path: readonly string[]): void => {
    assert.not.ok(path.includes(part), [...path, part].join(' -> '))
    for (const next of mayImport[part] ?? []) if (!typesOnly.has(`${part} ${next}`)) visit(next, [...path, part])
  }
  for (const part of Object.keys(mayImport)) visit(part, [])
})

const pure = files.filter((file) => /^(insight|media)\//.test(file))
const habits: readonly (readonly [title: string, among: readonly string[], pattern: RegExp, except: RegExp])[] = [
  ['the core reads no clock and no randomness', pure, /Date\.now|new Date\(\)|Math\.random|performance\./, /^$/],
  ['the core does no input or output', pure, /from 'node:|process\.|console\./, /^$/],
  ['only config.ts reads the environment', files, /process\.env/, /^(config\.ts|build\/)/],
  ['only commands print', files, /console\.log/, /^(commands|build)\//],
  ['nobody ends the process', files, /process\.exit\(/, /^$/],
  ['nobody asks sharp 0.35 for a Uint8Array, whose memory it never frees', files, /toUint8Array/, /^$/],
  ['nobody uses AbortSignal.any or .timeout, which Node 20 may collect', files, /AbortSignal\.(any|timeout)\(/, /^$/],
  ['no file turns the compiler off', files, /@ts-(ignore|nocheck|expect-error)/, /^build\//],
]
for (const [title, among, pattern, except] of habits) {
  architecture(title, () => {
    assert.equal(
      among.filter((file) => !except.test(file) && pattern.test(read(file))),
      [],
    )
  })
}

architecture('the top level holds the agreed names only', () => {
  const agreed =
    /^(package\.json|package-lock\.json|tsconfig\.json|README\.md|LICENSE|bin|src|fixtures|catalog|test|dist|node_modules|coverage|\..*)$/
  assert.equal(
    readdirSync(root).filter((name) => !agreed.test(name)),
    [],
  )
})

architecture('every test file mirrors a part of the sources or a view of the whole', () => {
  const wholes = ['http', 'cli', 'golden', 'helpers', 'bench', 'schemas', 'conformance']
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const strange = tests
    .filter((file) => file.endsWith('.test.ts') && dirname(file) !== '.')
    .map((file) => relative('.', file).split(/[\\/]/)[0] ?? '')
    .filter((folder) => !(folder in mayImport) && !wholes.includes(folder))
  assert.equal(strange, [])
})

architecture.run()
