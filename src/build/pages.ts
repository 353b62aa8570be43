import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { type FaultField, type FaultFieldName, faultFieldNames, faultFields } from '../contract/faults.js'
import { scenarios } from '../insight/scenarios.js'
import { escapeHtml } from '../text/html.js'

/**
 * Builds each folder of `src/pages/` with an `index.html` into `dist/pages/`. The scripts (`.ts`), styles and icons
 * that the HTML references become files with a content hash in their name.
 */
export async function buildPages(root: URL): Promise<Metafile[]> {
  const sources = fileURLToPath(new URL('src/pages/', root))
  const pages = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => basename(file) === 'index.html',
  )
  const metafiles = await Promise.all(pages.map((file) => buildPage(root, dirname(file))))
  writeFixtureList(root)
  return metafiles
}

/** Matches references of an `index.html` to its own files: `src="main.ts"`, `href="../shared/icon.svg"`. */
const reference = /(?<=\s(?:src|href)=")[\w./-]+\.(?:ts|css|svg)(?=")/g

async function buildPage(root: URL, page: string): Promise<Metafile> {
  const folder = `src/pages/${page}`
  const html = readFileSync(new URL(`${folder}/index.html`, root), 'utf8').replace(
    '<!-- fault fields -->',
    renderFaultFields,
  )
  const toSource = (name: string) => posix.join(folder, name)
  const { metafile } = await build({
    absWorkingDir: fileURLToPath(root),
    entryPoints: [...new Set(html.match(reference))].map(toSource),
    outdir: `dist/pages/${page}`,
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    loader: { '.svg': 'copy', '.woff2': 'file' },
    minify: true,
    legalComments: 'none',
    metafile: true,
  })
  const built = new Map(Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [entryPoint, basename(file)]))
  // Relative, so that a proxy may serve everything under a path prefix.
  const linked = html.replaceAll(reference, (name) => `${page}/${built.get(toSource(name))}`)
  writeFileSync(new URL(`dist/pages/${page}/index.html`, root), linked)
  return metafile
}

/** Writes the list of `fixtures/insight/` for the demo page. A file is named after its scenario and variant. */
function writeFixtureList(root: URL): void {
  const names = readdirSync(new URL('fixtures/insight/', root)).filter((name) => name.endsWith('.json'))
  const conditions = new Map(scenarios.map(({ id, condition }) => [id, condition]))
  const fixtures = names.sort().map((file) => {
    const [scenario = '', variant] = file.replace(/\.json$/, '').split('.')
    return { file, scenario, condition: conditions.get(scenario), variant: variant?.replaceAll('-', ' ') }
  })
  writeFileSync(new URL('dist/pages/demo/fixtures.json', root), JSON.stringify(fixtures))
}

const titles: Readonly<Record<FaultField['part'], string>> = {
  match: 'Which calls, or poses and scenes. All matches given must fit',
  call: 'The effect on calls',
  unit: 'The effect on poses and scenes',
  bound: 'How often',
}

/** Renders the fields of a fault rule for the demo page, as they are written in the compact form. */
function renderFaultFields(): string {
  return Object.entries(titles)
    .map(([part, title]) => {
      const names = faultFieldNames.filter((name) => faultFields[name].part === part)
      return `<p>${title}:</p><dl>${names.map(renderField).join('')}</dl>`
    })
    .join('')
}

function renderField(name: FaultFieldName): string {
  const { value, summary }: FaultField = faultFields[name]
  const written = value === undefined ? name : `${name}=${value.toUpperCase()}`
  return `<dt><code>${escapeHtml(written)}</code></dt><dd>${escapeHtml(summary)}</dd>`
}
