import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const architecture = suite('architecture')
const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The permitted imports, from the table of `src/README.md`: a folder or file of `src/` and the others it may import. A part imports
 * only parts that are above it. Every part may import `errors` and `generated`.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...readFileSync(join(root, 'src/README.md'), 'utf8').matchAll(/^\| `([\w-]+)` \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, part = '', imports = '']) => [part, imports === '–' ? [] : imports.split(', ')],
  ),
)
const forAll = ['errors', 'generated']

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
    assert.ok(allowed, `src/${part} has no row in the table of src/README.md`)
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

architecture('only app.ts joins the app to the server', () => {
  assert.equal(
    files.filter(
      (file) => file.startsWith('app/') && importsOf(file).some((imported) => partOf(imported) === 'server'),
    ),
    [],
  )
})

architecture('no row of the table allows a circle', () => {
  // Generated messages take their type from the insight core, which loads them.
  const typesOnly = new Set(['generated insight'])
  const visit = (part: string, path: readonly string[]): void => {
    assert.not.ok(path.includes(part), [...path, part].join(' -> '))
    for (const next of mayImport[part] ?? []) if (!typesOnly.has(`${part} ${next}`)) visit(next, [...path, part])
  }
  for (const part of Object.keys(mayImport)) visit(part, [])
})

architecture('no files import each other in a circle, by type or later either', () => {
  const imports = new Map(files.map((file) => [file, importsOf(file).map((name) => name.replace(/\.js$/, '.ts'))]))
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file)
    if (start >= 0) circles.push([...path.slice(start), file].join(' -> '))
    if (start >= 0 || done.has(file)) return
    for (const next of imports.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  assert.is(circles.join('\n'), '')
})

architecture('files are short: only tables exceed 350 lines, half of the files are under 130', () => {
  const tables = /^(insight\/(schema|scenarios)|adapters\/sql\/migrations)\.ts$/
  const lengths = files.map((file) => [read(file).split('\n').length - 1, file] as const)
  assert.equal(
    lengths.filter(([length, file]) => length > 350 && !tables.test(file)),
    [],
  )
  const [median = 0] = lengths
    .map(([length]) => length)
    .sort((a, b) => a - b)
    .slice(Math.floor(lengths.length / 2))
  assert.ok(median < 130, `the median is ${median} lines`)
})
/** Types that several files declare, because the reader of one must not load the others. Each name has one meaning. */
const sharedNames: readonly (readonly [reason: string, names: RegExp])[] = [
  [
    'the pages of the demo declare the fields that they read of an answer, under the name that the contract gives it',
    /^(AnimationTask|AvatarTask|DiaryTask|Fault|IdentityAsset|Insight|RuleHit|Scene|Selection|TaskStatus|UsageEntry)$/,
  ],
  ['the artist knows no other part, and pages load none', /^(Pose|Species)$/],
  ['an operation of the OpenAPI document, with the members that one reader needs', /^OperationObject$/],
]

architecture('a name of a type has one meaning', () => {
  const declarations = files.flatMap((file) =>
    [...read(file).matchAll(/^(?:export )?(?:declare )?(?:interface|type|class|enum) (\w+)/gm)].map(
      ([, name = '']) => [name, file] as const,
    ),
  )
  const repeated = declarations.filter(([name, file]) =>
    declarations.some(([other, place]) => other === name && place !== file),
  )
  assert.equal(
    repeated.filter(([name]) => !sharedNames.some(([, names]) => names.test(name))),
    [],
    'rename one, import the other, or give a reason in the list above',
  )
  for (const [reason, names] of sharedNames) {
    assert.ok(
      repeated.some(([name]) => names.test(name)),
      `no type needs "${reason}" any more`,
    )
  }
})

/** Files whose import has their own name: each layer has one file for a resource or a command. */
const layers: readonly (readonly [reason: string, file: RegExp, imported: RegExp])[] = [
  ['an implementation and its port', /^(adapters|app|config|faults|media|server|worker)\//, /^ports\//],
  ['a database engine and the part for all', /^adapters\/sql\/(postgres|sqlite)\//, /^adapters\/sql\//],
  ['a handler, its operations in the contract, and its rules', /^server\/handlers\//, /^(contract|home|media)\//],
  ['a command and its engine', /^commands\//, /^(app|copydesk|media|ports)\//],
  ['a part of the app and what it opens', /^app\//, /^(adapters|config)\//],
  ['a vendor or a page and the tool for all', /^(adapters\/providers|build|reports)\//, /^(artist|log|text|reports)\//],
  ['a script of the browser and its side of the server', /^copydesk\/browser\//, /^copydesk\//],
  ['an index and one below it', /index\.ts$/, /index\.ts$/],
  ['the rules on a part of a payload and its reader', /^insight\/rules\//, /^insight\//],
]

architecture('a file imports one of its own name only from another layer', () => {
  const pairs = files.flatMap((file) =>
    importsOf(file)
      .map((imported) => imported.replace(/\.js$/, '.ts'))
      .filter((imported) => posix.basename(imported) === posix.basename(file))
      .map((imported) => [file, imported] as const),
  )
  const isLayered = ([file, imported]: readonly [string, string]) =>
    layers.some(([, files, targets]) => files.test(file) && targets.test(imported))
  assert.equal(
    pairs.filter((pair) => !isLayered(pair)),
    [],
    'give one a name that says its step',
  )
})

architecture('files that the pages of folders name exist', () => {
  const pages = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /README\.md$/.test(file),
  )
  const lost = ['README.md', ...pages.map((page) => `src/${page}`)].flatMap((page) => {
    const names = [...readFileSync(join(root, page), 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => name)
    // A row may name the folder once: `storage/open-store.ts`, `open-objects.ts`.
    const homes = [...new Set(['src', dirname(page), ...names.map((name) => join(dirname(page), dirname(name)))])]
    return names.filter(
      (name) => !homes.some((home) => existsSync(join(root, home, name)) || existsSync(join(root, name))),
    )
  })
  assert.equal(lost, [])
})

architecture('src/DECISIONS.md lists every point where the contract is silent', () => {
  const page = readFileSync(join(root, 'src/DECISIONS.md'), 'utf8')
  const rows = [...page.matchAll(/^- `([\w-]+)`: ((?:`[^`]+`(?: \(\d+\)|\s+\(\d+\))?(?:,\s+)?)+)$/gm)]
  const listed = rows.flatMap(([, room, names = '']) =>
    [...names.matchAll(/`([^`]+)`(?:\s+\((\d+)\))?/g)].map(([, name, notes = '1']) => `${room}/${name} ${notes}`),
  )
  const noted = files.flatMap((file) => {
    const notes = readFileSync(join(root, 'src', file), 'utf8').match(/@NOTE contract/g) ?? []
    return notes.length === 0 ? [] : [`${file} ${notes.length}`]
  })
  assert.equal(listed.toSorted(), noted.toSorted())
})

const pure = files.filter((file) => /^(insight|media)\//.test(file))
const habits: readonly (readonly [title: string, among: readonly string[], pattern: RegExp, except: RegExp])[] = [
  ['the core reads no clock and no randomness', pure, /Date\.now|new Date\(\)|Math\.random|performance\./, /^$/],
  ['the core does no input or output', pure, /from 'node:|process\.|console\./, /^$/],
  [
    'only config.ts reads the environment, and style.ts whether to color',
    files,
    /process\.env/,
    // The client of the guide is a program of its own.
    /^(config\.ts|runtime\/style\.ts|build\/|pages\/api-docs\/clients\/)/,
  ],
  ['only commands print', files, /console\.log/, /^(commands|build)\//],
  ['no file ends the process', files, /process\.exit\(/, /^$/],
  ['no file asks sharp 0.35 for a Uint8Array, whose memory it never frees', files, /toUint8Array/, /^$/],
  ['no file uses AbortSignal.any or .timeout, which Node 20 may collect', files, /AbortSignal\.(any|timeout)\(/, /^$/],
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

/**
 * The clock of the service is `Store.now()`, which tests move; `performance.now()` measures durations. These files read the
 * time of the machine or of the database server, for the reason given.
 */
const clockReaders: readonly (readonly [reason: string, files: RegExp])[] = [
  ['the clock of the service itself', /^adapters\/sql\/(sqlite\/open-store|postgres\/(open-store|engine))\.ts$/],
  [
    'vendors are waited for in real time',
    /^adapters\/providers\/ai-sdk\/(provider|purchase-record|results|transport)\.ts$/,
  ],
  ['a bucket compares its own clock', /^adapters\/objects\/s3\/check\.ts$/],
  [
    'the age of a file',
    /^(adapters\/objects\/disk|adapters\/sql\/sqlite\/holders|app\/upkeep\/(cleaner-thread|prune))\.ts$/,
  ],
  ['the age of a temporary folder', /^app\/temporary\/temporary-service\.ts$/],
  ['the first number of a new file, above those of an earlier one', /^adapters\/sql\/sqlite\/log-file\.ts$/],
  ['the age of a draft, or the time of a migration', /^(app\/upkeep\/snapshot|adapters\/sql\/migrate)\.ts$/],
  ['the month of a stored time', /^adapters\/sql\/migrations\.ts$/],
  ['the clocks that the operator has examined', /^app\/(doctor\/run-checks|storage\/database)\.ts$/],
  ['the age of a file is told by the clock of its file system', /^runtime\/shared-file\.ts$/],
  ['the day on which a reviewer or a developer works', /^commands\/(insight(\/register-review)?|validate)\.ts$/],
  ['the day on which a vendor switches a model off', /^commands\/(init\/write-settings|provider\/check)\.ts$/],
  ["a browser has its user's day", /^(copydesk\/browser\/comments|pages\/demo\/day-choice)\.ts$/],
]
const clockReading =
  /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|performance\.timeOrigin|process\.hrtime|Temporal\.Now|(statement|clock|current)_timestamp|unixepoch|strftime/

architecture('one clock tells the time: few files read another', () => {
  const readers = files.filter((file) => clockReading.test(read(file)))
  assert.equal(
    readers.filter((file) => !clockReaders.some(([, permitted]) => permitted.test(file))),
    [],
    'take the time from `Store.now()`, or give a reason in the list above',
  )
  for (const [reason, permitted] of clockReaders) {
    assert.ok(
      readers.some((file) => permitted.test(file)),
      `no file needs "${reason}" any more`,
    )
  }
})

/** The package of `from 'name/path'`, `import 'name'` or `import('@scope/name')`; not `Buffer.from('…')`, not `node:`. */
const packageImport = /(?<!\.)\b(?:from|import)\s*\(?\s*'(?!\.)((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]+)?'/g

architecture('every package that is imported is declared', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest
  const declared = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies }
  const imports = files.flatMap((file) =>
    [...read(file).matchAll(packageImport)].map(([, name = '']) => ({ file, name })),
  )
  assert.ok(imports.some(({ name }) => name === 'typebox'))
  assert.equal(
    imports.filter(({ name }) => !(name in declared)),
    [],
  )
})

architecture('the top level holds the agreed names only', () => {
  const agreed =
    /^(package\.json|package-lock\.json|tsconfig\.json|README\.md|LICENSE|bin|src|fixtures|catalog|test|dist|node_modules|coverage|\..*)$/
  assert.equal(
    readdirSync(root).filter((name) => !agreed.test(name)),
    [],
  )
})

architecture('every test file mirrors a part of the sources or a view of the whole', () => {
  const wholes = ['http', 'main-server', 'cli', 'golden', 'helpers', 'lab', 'schemas', 'conformance']
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const strange = tests
    .filter((file) => file.endsWith('.test.ts') && dirname(file) !== '.')
    .map((file) => relative('.', file).split(/[\\/]/)[0] ?? '')
    .filter((folder) => !(folder in mayImport) && !wholes.includes(folder))
  assert.equal(strange, [])
})

architecture('every suite runs: its file is a test file, or a test file imports it', () => {
  const folder = join(root, 'test')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const contentOf = (file: string) => readFileSync(join(folder, file), 'utf8')
  const imported = new Set(
    files
      .filter((file) => file.endsWith('.test.ts'))
      .flatMap((file) =>
        [...contentOf(file).matchAll(/^import '(\.[^']*)\.js'/gm)].map(([, path = '']) => join(dirname(file), path)),
      ),
  )
  const suites = files.filter((file) => !file.endsWith('.test.ts') && /^(\w+\.)?run\(\)$/m.test(contentOf(file)))
  assert.ok(suites.length > 0)
  assert.equal(
    suites.filter((file) => !imported.has(file.slice(0, -'.ts'.length))),
    [],
  )
})

architecture.run()
