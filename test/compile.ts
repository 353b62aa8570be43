/**
 * Compiles `src/` and `test/` to JavaScript in `.compiled/`, file by file, so that each test process, and each thread and
 * child process that it starts, loads plain JavaScript. Reading TypeScript through a loader costs each of them up to two
 * seconds of CPU time; this costs one second in all. Files that did not change since are kept.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { globSync } from 'tinyglobby'
import { workers } from '../src/build/entries.js'

const root = fileURLToPath(new URL('..', import.meta.url))
export const compiledFolder = join(root, '.compiled')

// The program finds its files from here (see `shippedUrl`); everything else keeps the address of its source. */
const entryFile = 'src/runtime/entry.ts'

/** The outputs that are bundles. */
const starts = workers.map((entry) => `src/${entry}`)

/** Compiles what changed, and removes the output of sources that are gone. */
export async function compileTests(): Promise<void> {
  const sources = globSync(['src/**/*.ts', 'test/**/*.ts'], {
    cwd: root,
    ignore: ['**/*.d.ts'],
  })
  const outputs = new Map(sources.map((source) => [toOutput(source), source]))
  // The bundles have packages in them.
  const lock = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (!existsSync(join(compiledFolder, 'package-lock.json')) || lock(root) !== lock(compiledFolder))
    rmSync(compiledFolder, { recursive: true, force: true })
  mkdirSync(compiledFolder, { recursive: true })
  for (const old of globSync('{src,test}/**/*.js', { cwd: compiledFolder })) {
    if (!outputs.has(old)) rmSync(join(compiledFolder, old))
  }
  for (const name of ['package.json', 'package-lock.json', 'src/contract/examples.json'])
    cpSync(join(root, name), join(compiledFolder, name))
  for (const name of ['catalog', 'fixtures', 'dist']) {
    const link = join(compiledFolder, name)
    if (!existsSync(link)) symlinkSync(join(root, name), link, 'junction')
  }
  // Before the files, so that after an interruption the bundles are made again.
  if ([...outputs].some(([output, source]) => source.startsWith('src/') && !isCompiled(source, output)))
    await bundleStarts()
  await Promise.all([
    ...Object.entries(packages).map(([name, imported]) => bundlePackage(name, imported)),
    ...[...outputs].map(([output, source]) => compile(source, output)),
  ])
}

/** Bundles each process and thread to one CommonJS file, as the build does: tests start hundreds, and Node loads that fastest. */
async function bundleStarts(): Promise<void> {
  await build({
    ...{ absWorkingDir: root, entryPoints: starts.map((name) => `${name}.ts`), outdir: compiledFolder, outbase: '.' },
    ...{ bundle: true, format: 'cjs', outExtension: { '.js': '.cjs' }, sourcemap: 'linked', sourcesContent: false },
    ...{ platform: 'node', target: 'node20.19', supported: { 'dynamic-import': false }, logLevel: 'warning' },
    external: ['better-sqlite3', 'h264-mp4-encoder', 'sharp'],
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(compiledFolder, toOutput(entryFile))).href) },
  })
}

/**
 * The packages with most files, 537 and 262, and what of them is imported: to load the files costs a test process more than
 * all others.
 */
const packages: Readonly<Record<string, readonly string[]>> = { typebox: ['.', './schema'], kysely: ['.'] }

/** Bundles a package. */
async function bundlePackage(name: string, imported: readonly string[]): Promise<void> {
  const bundles = imported.map((path) => [path, path === '.' ? 'index' : path.slice(2)] as const)
  const exports = Object.fromEntries(bundles.map(([path, bundle]) => [path, `./${bundle}.js`]))
  const outdir = join(compiledFolder, 'node_modules', name)
  const file = join(outdir, 'package.json')
  if (existsSync(file)) return
  await build({
    entryPoints: Object.fromEntries(bundles.map(([path, bundle]) => [bundle, join(name, path)])),
    ...{ absWorkingDir: root, outdir, bundle: true, splitting: true, format: 'esm', platform: 'node' },
    ...{ target: 'node20.19', logLevel: 'warning' },
  })
  writeFileSync(file, JSON.stringify({ name, type: 'module', exports }))
}

async function compile(source: string, output: string): Promise<void> {
  if (isCompiled(source, output)) return
  const [from, to] = [join(root, source), join(compiledFolder, output)]
  const { mtime } = statSync(from)
  const { code } = await transform(readFileSync(from, 'utf8'), {
    loader: 'ts',
    target: 'node20.19',
    sourcefile: from,
    sourcemap: 'inline',
    sourcesContent: false,
    define: source === entryFile ? {} : { 'import.meta.url': JSON.stringify(pathToFileURL(from).href) },
  })
  mkdirSync(dirname(to), { recursive: true })
  const name = output.slice(0, -'.js'.length)
  writeFileSync(to, starts.includes(name) ? loadBundle(basename(name)) : code)
  utimesSync(to, mtime, mtime)
}

const loadBundle = (name: string) =>
  `import { createRequire } from 'node:module'\ncreateRequire(import.meta.url)('./${name}.cjs')\n`

function isCompiled(source: string, output: string): boolean {
  const name = output.slice(0, -'.js'.length)
  if (starts.includes(name) && !existsSync(join(compiledFolder, `${name}.cjs`))) return false
  // A time that was set has no fractions of a millisecond.
  const changedMs = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtime.getTime()
  return changedMs(join(root, source)) === changedMs(join(compiledFolder, output))
}

const toOutput = (source: string) => source.replace(/\.ts$/, '.js')
