import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Save } from './api-docs/example.js'
import { fillGenerated } from './api-docs/generated.js'
import { fillTemplate, type Heading, listSearchEntries, toPage } from './api-docs/guide-page.js'
import { renderText } from './api-docs/text.js'

/** The groups of pages, by the first digit of their files. */
const groups: Readonly<Record<string, string>> = { 1: 'Basics', 2: 'Operations', 3: 'Your program' }

/**
 * Writes the pages of `/api-docs`, one for each text of `src/pages/api-docs/text/`, the sections for their search, and the
 * small clients.
 */
export function writeApiDocs(root: URL): void {
  const folder = new URL('src/pages/api-docs/text/', root)
  const target = new URL('dist/pages/api-docs/', root)
  const saves = new Map<string, Save>()
  /** The title of the page that saves each value. */
  const savedBy = new Map<string, Heading>()
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((file, index) => {
      const [, digit = '', name = ''] = /^(\d)\d\d-(.+)\.md$/.exec(file) ?? []
      const text = fillGenerated(readFileSync(new URL(file, folder), 'utf8'))
      const page = toPage(index === 0 ? '' : name, groups[digit] ?? '', noteSaves(renderText(text, saves), savedBy))
      const [title] = page.headings
      if (title === undefined) throw new Error(`${file} has no title.`)
      for (const variable of saves.keys()) if (!savedBy.has(variable)) savedBy.set(variable, title)
      return page
    })
  const template = readFileSync(new URL('index.html', target), 'utf8')
  for (const page of pages) {
    writeFileSync(
      new URL(`${page.slug === '' ? 'index' : page.slug}.html`, target),
      fillTemplate(template, page, pages),
    )
  }
  writeFileSync(new URL('search.json', target), JSON.stringify(listSearchEntries(pages)))
  for (const client of ['svc.ts', 'svc.py'])
    copyFileSync(new URL(`../clients/${client}`, folder), new URL(client, target))
}

/** Names before the first example of a page the pages whose values it needs. */
function noteSaves(content: string, savedBy: ReadonlyMap<string, Heading>): string {
  const used = [...savedBy].filter(([name]) => new RegExp(`\\$\\{?${name}\\b`).test(content))
  if (used.length === 0) return content
  const links = [...new Set(used.map(([, page]) => page))].map(({ id, title }) => `<a href="#${id}">${title}</a>`)
  return content.replace(
    '<figure',
    () => `<p class="notes">The examples continue those of ${links.join(', ')}.</p>\n<figure`,
  )
}
