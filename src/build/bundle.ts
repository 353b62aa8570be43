/**
 * Bundles `src/` into `dist/`: one CommonJS file per entry (Node loads that fastest), one ES module with types for
 * TypeScript callers, the published JSON Schema, and the licenses of the bundled packages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { globSync } from 'tinyglobby'
import manifest from '../../package.json' with { type: 'json' }
import examples from '../contract/examples.json' with { type: 'json' }
import { routes } from '../contract/index.js'
import { buildOpenApi } from '../contract/openapi.js'
import { encodedPath, nameContent } from '../runtime/encoded.js'
import { toEscape } from '../text/words.js'
import { writeApiDocs } from './api-docs.js'
import { sharedModules, sharedPackages, wholeEntries, workers } from './entries.js'
import { buildPages } from './pages.js'
import { buildPayloadSchema } from './payload-schema.js'
import { clearStamp } from './stamp.js'

/** Writes `dist/THIRD-PARTY-LICENSES.txt`: each license text, under the names and versions of the bundled packages that have it. */
function writeLicenses(metafiles: readonly Metafile[], root: URL): void {
  const files = new Set(metafiles.flatMap((metafile) => Object.keys(metafile.inputs)))
  const folders = new Set<string>()
  for (const file of files) {
    const folder = findFolder(file)
    if (folder === undefined) continue
    folders.add(folder)
    for (const inside of listInside(file, folder, root)) folders.add(inside)
  }
  const byText = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const { name, text } = readLicense(new URL(`${folder}/`, root))
    byText.set(text, [...(byText.get(text) ?? []), name])
  }
  const sections = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`)
  writeFileSync(new URL('dist/THIRD-PARTY-LICENSES.txt', root), sections.join(`\n${'-'.repeat(80)}\n\n`))
}

const findFolder = (file: string) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]

/** Lists the packages inside a file that is a bundle, as its source map names them. */
function listInside(file: string, folder: string, root: URL): string[] {
  const maps = [`${file}.map`, `${file.replace(/\.js$/, '')}.min.js.map`]
  const map = maps.find((name) => existsSync(new URL(name, root)))
  if (map === undefined) return []
  const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(new URL(map, root), 'utf8'))
  const names = sources.flatMap((source) => findFolder(source)?.replace(/^.*node_modules\//, '') ?? [])
  return [...new Set(names)].map((name) => {
    const candidates = [`${folder}/node_modules/${name}`, `node_modules/${name}`]
    const found = candidates.find((candidate) => existsSync(new URL(candidate, root)))
    if (found === undefined) throw new Error(`${file} contains ${name}, whose license was not found.`)
    return found
  })
}

function readLicense(folder: URL) {
  const { name, version, license } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  const text = file === undefined ? `License: ${license}\n` : readFileSync(new URL(file, folder), 'utf8')
  return { name: `${name} ${version}`, text }
}

/** A shorter text fits into one packet of the network as it is. */
const minimumBytes = 1400

/** Writes compressed copies of the texts that the server answers unchanged: the pages, their files, and `/openapi.json`. */
async function writeEncoded(root: URL): Promise<void> {
  const files = globSync('dist/pages/**/*.{html,js,css,json,svg,ts,py,md,txt}', { cwd: fileURLToPath(root) })
  const texts = [
    ...files.map((file) => readFileSync(new URL(file, root))),
    Buffer.from(JSON.stringify(buildOpenApi(routes, manifest.version, examples))),
  ]
  mkdirSync(new URL('dist/encoded/', root), { recursive: true })
  const written = texts
    .filter(({ byteLength }) => byteLength >= minimumBytes)
    .map(async (text) => {
      // As far as possible: a server does it never, and this once.
      const compressed = await promisify(gzip)(text, { level: 9 })
      writeFileSync(new URL(encodedPath(nameContent(text)), root), compressed)
    })
  await Promise.all(written)
}

const root = new URL('../../', import.meta.url)
const toPath = (path: string) => fileURLToPath(new URL(path, root))

/** Maps `src/commands/x.ts` to `dist/commands-x.cjs`, and `typebox/schema` to `dist/package-typebox-schema.cjs`. */
const toBundleName = (entry: string) =>
  `${isPackage(entry) ? 'package-' : ''}${entry.replace('@', '').replaceAll('/', '-')}`

const isPackage = (entry: string) => sharedPackages.includes(entry)

/**
 * Makes a bundle of every module that `import('./x.js')` loads, because Node reads and compiles a bundle whole: a
 * command loads only what it needs. Collects those modules in `found`.
 */
const keepImportsApart = (found: Set<string>): Plugin => ({
  name: 'keep-imports-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\..*\.js$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || isInPackage(resolveDir)) return undefined
      const entry = toEntry(resolveDir, path)
      found.add(entry)
      return { path: `./${toBundleName(entry)}.cjs`, external: true }
    }),
})

/** Leaves what is bundled once out of the other bundles. */
const leaveOutShared: Plugin = {
  name: 'leave-out-shared',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[@a-z.]/ }, ({ path, kind, namespace, resolveDir }) => {
      if (kind === 'entry-point' || namespace === 'used' || isInPackage(resolveDir)) return undefined
      const entry = path.startsWith('.') ? toEntry(resolveDir, path) : path
      if (!isPackage(entry) && !sharedModules.includes(entry)) return undefined
      return { path: `./${toBundleName(entry)}.cjs`, external: true, sideEffects: false }
    }),
}

/** Matches what a module imports by name, at its start or later. */
const usedNames = /^(?:import|.*\bconst) \{([^}]+)\} (?:from |= await import\()'(.+)'\)?$/gm

/** Makes the entry of a shared package: what `src/` imports from it, by name. */
const exportUsed: Plugin = {
  name: 'export-used',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^used:/ }, ({ path }) => ({ path: path.slice('used:'.length), namespace: 'used' }))
    onLoad({ filter: /.*/, namespace: 'used' }, ({ path }) => {
      const files = globSync('src/**/*.ts', { cwd: toPath('.'), ignore: 'src/build' })
      const names = files
        .flatMap((file) => [...readFileSync(toPath(file), 'utf8').matchAll(usedNames)])
        .filter(([, , from]) => from === path)
        .flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/ as .*/, '')))
        .filter((name) => name !== '' && !name.startsWith('type '))
      return { contents: `export { ${[...new Set(names)].join()} } from '${path}'`, resolveDir: toPath('.') }
    })
  },
}

const isInPackage = (folder: string) => /[\\/]node_modules[\\/]/.test(folder)

const toEntry = (folder: string, path: string) =>
  relative(toPath('src'), join(folder, path)).replaceAll('\\', '/').replace(/\.js$/, '')

/**
 * Replaces parts of packages that we do not use. A use of them gets an error that names them. With TLS and the messages of
 * listhen, a start of the server takes a tenth more CPU time.
 */
const unusedParts = new RegExp(
  `^(${[
    // listhen: TLS, messages, WebSockets, tunnels, the clipboard, its copy of xdg-open.
    ...[
      'consola',
      'consola/utils',
      'node-forge',
      'crossws/adapters/node',
      'untun',
      'tinyclip',
      '../chunks/xdg-open.mjs',
    ],
    // The editor of prompts, and the languages of zod's messages.
    ...['iconv-lite', 'chardet', '../locales/index.js'],
    // undici's doubles for tests, caches and other protocols.
    ...['./lib/mock/.*', './lib/interceptor/.*', './lib/cache/.*', './lib/web/(websocket|eventsource)/.*'],
    // The validator of schemas in the Model Context Protocol.
    './ajvProvider-.*',
  ].join('|')})$`,
)
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: unusedParts }, ({ path }) => ({ path: `${path}.cjs`, namespace: 'unused' }))
    // Only subprocess commands need it; Node takes 3 ms to load it.
    onResolve({ filter: /^node:child_process$/ }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'unused' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: ['better-sqlite3', 'h264-mp4-encoder', 'sharp'],
  metafile: true,
} satisfies BuildOptions

/** Bundles the entries, then the modules that they load later, until there are no more. */
async function bundleCommands(): Promise<Metafile[]> {
  const found = new Set<string>([...wholeEntries, ...workers, ...sharedModules, ...sharedPackages])
  const metafiles: Metafile[] = []
  for (let bundled = 0; bundled < found.size; ) {
    const entries = [...found].slice(bundled)
    bundled = found.size
    const isWhole = (entry: string) => wholeEntries.includes(entry)
    metafiles.push(
      await bundle(
        entries.filter((entry) => !isWhole(entry)),
        [leaveOutShared, keepImportsApart(found)],
      ),
      await bundle(entries.filter(isWhole), [keepImportsApart(found)]),
    )
  }
  return metafiles
}

/** Bundles entries in one call, because esbuild then parses a module once for all bundles that hold it. */
async function bundle(entries: readonly string[], plugins: Plugin[]): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: entries.map((entry) => ({
      in: isPackage(entry) ? `used:${entry}` : toPath(`src/${entry}.ts`),
      out: toBundleName(entry),
    })),
    outdir: toPath('dist'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // `import()` becomes `require`: loading Node's ES module loader takes longer than a whole short command.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    // A start of the server takes 3 % less CPU time. A profile needs the names: `npm run build:bundles -- --names`.
    minifyIdentifiers: !process.argv.includes('--names'),
    // Keeps the places in a stack trace short to read.
    lineLimit: 120,
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'importMetaUrl' },
    plugins: [...plugins, exportUsed, leaveOutUnused],
  })
  return metafile
}

/**
 * Escapes what esbuild leaves as it is: characters of regular expressions. bin/load.js reads ASCII as Latin-1:
 * the server starts 6 % sooner and needs 5 MiB less, as V8 keeps a text of other characters in two bytes each.
 */
function escapeBundles(metafiles: readonly Metafile[]): void {
  for (const output of metafiles.flatMap(({ outputs }) => Object.keys(outputs))) {
    const text = readFileSync(output, 'utf8')
    writeFileSync(output, text.replaceAll(/[\u0080-\uffff]/g, toEscape))
  }
}

async function bundleLibrary(): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: [toPath('src/index.ts')],
    outfile: toPath('dist/index.js'),
    format: 'esm',
    plugins: [leaveOutShared],
  })
  const compiler = toPath('node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', toPath('src/build/types.tsconfig.json')], { stdio: 'inherit' })
  deleteUnusedTypes()
  return metafile
}

/** Deletes the declarations that are not needed for those of the library. */
function deleteUnusedTypes(): void {
  const needed = new Set<string>()
  const visit = (file: string): void => {
    if (needed.has(file)) return
    needed.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/['"](\.[^'"]+)\.js['"]/g)
    for (const [, path = ''] of imports) visit(join(dirname(file), `${path}.d.ts`))
  }
  visit(toPath('dist/types/index.d.ts'))
  const files = globSync('dist/types/**/*.d.ts', { cwd: toPath('.'), absolute: true })
  for (const file of files) if (!needed.has(file)) rmSync(file)
}

clearStamp()
rmSync(toPath('dist'), { recursive: true, force: true })
const commands = await bundleCommands()
escapeBundles(commands)
writeLicenses([...commands, await bundleLibrary(), ...(await buildPages(root))], root)
writeApiDocs(root)
writeFileSync(toPath('dist/health-detail-v3.schema.json'), `${JSON.stringify(buildPayloadSchema(), null, 2)}\n`)
await writeEncoded(root)
