/**
 * Bundles `src/` into `dist/`: one CommonJS file for each entry (Node starts that soonest), one ES module for TypeScript
 * callers with its types, and the licences of the packages that are inside.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { writeLicences } from './licences.js'

const root = new URL('../../', import.meta.url)
const toPath = (path: string) => fileURLToPath(new URL(path, root))

/** Files that a process or a thread starts with: the root, one per command group, and the workers. */
const entries = [
  'cli',
  'adapters/sql/checkpoint',
  'commands/validate/worker',
  ...readdirSync(toPath('src/commands'))
    .filter((file) => /^[a-z-]+\.ts$/.test(file) && file !== 'command.ts')
    .map((file) => `commands/${file.slice(0, -3)}`),
]

/** `import('./commands/x.js')` stays an import of its own bundle, so that naming one command loads only that one. */
const keepCommandsApart: Plugin = {
  name: 'keep-commands-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/commands\/[a-z-]+\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: `./${path.slice(2, -3).replaceAll('/', '-')}.cjs`, external: true }
        : undefined,
    ),
}

/**
 * Packages that only listhen's TLS, tunnel, clipboard, banner and live reload use: 800 KB that every start would have to
 * load. Whoever comes to use one of those gets an error that names it.
 */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(consola|consola\/utils|node-forge|jiti|untun|tinyclip|uqr|crossws\/.*)$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }))
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
  },
}

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  external: ['better-sqlite3'],
  metafile: true,
} satisfies BuildOptions

async function bundleCommands(): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: entries.map((entry) => ({ in: toPath(`src/${entry}.ts`), out: entry.replaceAll('/', '-') })),
    outdir: toPath('dist'),
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // `import()` becomes `require`: the first use of Node's loader of ES modules costs more than all of a short command.
    supported: { 'dynamic-import': false },
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'importMetaUrl' },
    plugins: [keepCommandsApart, leaveOutUnused],
  })
  return metafile
}

async function bundleLibrary(): Promise<Metafile> {
  const { metafile } = await build({
    ...shared,
    entryPoints: [toPath('src/index.ts')],
    outfile: toPath('dist/index.js'),
    format: 'esm',
  })
  execFileSync(
    process.execPath,
    [toPath('node_modules/typescript/bin/tsc'), '-p', toPath('src/build/types.tsconfig.json')],
    {
      stdio: 'inherit',
    },
  )
  return metafile
}

rmSync(toPath('dist'), { recursive: true, force: true })
writeLicences([await bundleCommands(), await bundleLibrary()], root)
