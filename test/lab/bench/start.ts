/**
 * Bundles the bench with the sources it measures, as they are bundled for `dist/`, and runs it: tsx, which tests run with,
 * puts a call around every function. Threads and processes that the sources start are those of `dist/`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

const root = new URL('../../../', import.meta.url)
const toPath = (path: string) => fileURLToPath(new URL(path, root))
/** Beside the packages that the bundles leave outside. */
const folder = toPath('node_modules/.cache/svc-bench')

/** A source takes itself for a file of `dist/`, and a test for what it is. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/](src|test)[\\/].*\.ts$/ }, ({ path }) => {
      const url = path.startsWith(toPath('src/')) ? new URL('dist/bench.cjs', root) : pathToFileURL(path)
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(url.href))
      return { contents, loader: 'ts' }
    }),
}

await build({
  entryPoints: ['run.ts', 'server/task-reader.ts', 'fleet/member.ts'].map((file) => toPath(`test/lab/bench/${file}`)),
  outbase: toPath('test/lab/bench'),
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  plugins: [keepUrls],
})
const { status } = spawnSync(process.execPath, [`${folder}/run.mjs`, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
