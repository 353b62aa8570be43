/**
 * Bundles `src/` into `dist/`: one CommonJS file for each entry (Node starts that soonest), one ES module for TypeScript
 * callers with its types, the published JSON Schema, and the licences of the packages that are inside.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { writeApiDocs } from './api-docs.js'
import { writeCodeCaches } from './code-cache.js'
import { writeLicences } from './licences.js'
import { buildPages } from './pages.js'
import { buildPayloadSchema } from './payload-schema.js'

const root = new URL('../../', import.meta.url)
const toPath = (path: string) => fileURLToPath(new URL(path, root))

/** Files that a process or a thread starts with: the root and the workers. */
const starts = [
  'cli',
  'adapters/clips/child',
  'adapters/photos/child',
  'adapters/provider/stub/thread',
  'adapters/sql/read',
  'adapters/sql/write',
  'commands/validate/worker',
]

/** `src/commands/x.ts` is `dist/commands-x.cjs`. */
const toBundleName = (entry: string) => entry.replaceAll('/', '-')

/**
 * Whatever is loaded by `import('./x.js')` becomes a bundle of its own, so that a command that is named, or a case that
 * happens, loads only what it needs: Node reads and compiles a bundle whole. Collects the files that it meets.
 */
const keepImportsApart = (found: Set<string>): Plugin => ({
  name: 'keep-imports-apart',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\..*\.js$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || /[\\/]node_modules[\\/]/.test(resolveDir)) return undefined
      const entry = relative(toPath('src'), join(resolveDir, path)).replaceAll('\\', '/').slice(0, -3)
      found.add(entry)
      return { path: `./${toBundleName(entry)}.cjs`, external: true }
    }),
})

/**
 * Parts of packages that we never come to: of listhen what its TLS, tunnel, clipboard, banner and live reload use
 * (800 KB that every start would have to load), of commander what starts other programs.
 * Whoever comes to use one of those gets an error that names it.
 */
const leaveOutUnused: Plugin = {
  name: 'leave-out-unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(consola|consola\/utils|node-forge|jiti|untun|tinyclip|uqr|crossws\/.*)$/ }, ({ path }) => ({
      path,
      namespace: 'unused',
    }))
    // Only commands that are programs of their own would need it; Node takes 3 ms to load it.
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

/** Bundles the starts, then what they load later, until nothing new turns up. */
async function bundleCommands(): Promise<Metafile[]> {
  const found = new Set<string>(starts)
  const metafiles: Metafile[] = []
  for (const entry of found) {
    const { metafile } = await build({
      ...shared,
      entryPoints: [{ in: toPath(`src/${entry}.ts`), out: toBundleName(entry) }],
      outdir: toPath('dist'),
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      // `import()` becomes `require`: the first use of Node's loader of ES modules costs more than all of a short command.
      supported: { 'dynamic-import': false },
      minifySyntax: true,
      banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
      define: { 'import.meta.url': 'importMetaUrl' },
      plugins: [keepImportsApart(found), leaveOutUnused],
    })
    metafiles.push(metafile)
  }
  return metafiles
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
writeLicences([...(await bundleCommands()), await bundleLibrary(), ...(await buildPages(root))], root)
writeApiDocs(root)
writeFileSync(toPath('dist/health-detail-v3.schema.json'), `${JSON.stringify(buildPayloadSchema(), null, 2)}\n`)
await writeCodeCaches(root)
