import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { magicPets } from '../faults/magic-pets.js'
import { rules } from '../insight/rules/index.js'
import { escapeHtml } from '../text/html.js'
import type { Save } from './api-docs/example.js'
import { type MarkdownPage, writeMarkdown } from './api-docs/markdown.js'
import { renderText } from './api-docs/text.js'

/** The groups of pages, by the first digit of their files. */
const groups: Readonly<Record<string, string>> = { 1: 'Basics', 2: 'Operations', 3: 'Your program' }

/**
 * Writes the pages of `/api-docs`, one for each text of `src/pages/api-docs/text/`, the same in Markdown, the sections for their
 * search, and the small clients.
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
      const content = noteSaves(renderText(text, saves), savedBy)
      const page = toPage({ slug: index === 0 ? '' : name, name, group: groups[digit] ?? '', text, content })
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
  writeMarkdown(pages, target)
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

/** The generators that a text calls by a line `{{NAME ARGUMENT}}`. Each returns Markdown. */
const generators: Readonly<Record<string, (argument: string) => string>> = {
  rules: renderRules,
  magic: renderMagicPets,
  'main-server': renderMainServer,
}

/** Replaces lines such as `{{rules}}` by lists that are declared in the code, so that they always match the server. */
function fillGenerated(markdown: string): string {
  return markdown.replaceAll(/^\{\{([\w-]+)(?: (\S+))?\}\}$/gm, (line, name: string, argument = '') => {
    const render = generators[name]
    if (render === undefined) throw new Error(`src/pages/api-docs/text/ has ${line}, but there is no such generator.`)
    return render(argument)
  })
}

/** The sections of the health detail contract that have rules. */
const sections = [
  ['2.1', 'Envelope, pet and period'],
  ['2.2', 'Context'],
  ['2.2.1', 'Comparison'],
  ['2.3', 'Supplied judgment'],
  ['2.4', 'Metrics and daily series'],
  ['4', 'Windows, modes and agreement of the numbers'],
  ['8', 'Limits'],
] as const

function renderRules(): string {
  const parts = sections.map(([number, title]) => {
    const rows = rules
      .filter(({ section }) => section === number)
      .map(({ id, severity, sentence }) => [`\`${id}\``, severity, sentence])
    return `## ${number} ${title}\n\n${table(['Rule', 'Severity', 'Requires'], rows)}`
  })
  return parts.join('\n\n')
}

/** Renders the pet IDs that are fault rules. */
function renderMagicPets(): string {
  const rows = Object.entries(magicPets).map(([id, { summary }]) => [`\`${id}\``, summary])
  return table(['`pet_id`', 'Effect'], rows)
}

const table = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Renders a function or a test of the main server in `test/main-server`, whose suite runs with the tests of svc. The argument
 * is the file and the name of the function, or the title of the test with hyphens: `main-server.mjs#call`.
 */
function renderMainServer(argument: string): string {
  const [name = '', part = ''] = argument.split('#')
  const file = `test/main-server/${name}`
  const code = listParts(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).get(part)
  if (code === undefined) throw new Error(`${file} has no function or test ${part}.`)
  return `\`\`\`file ${file}\n${code}\n\`\`\``
}

/** Lists the functions, with the comments before them, and the tests of a module. */
function listParts(text: string): ReadonlyMap<string, string> {
  const functions = text.matchAll(/^(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?(?:async )?function (\w+)\([\s\S]*?^\}$/gms)
  const tests = text.matchAll(/^test\('([^']+)'.*?^\}\)$/gms)
  return new Map([
    ...[...functions].map(([part, name = '']) => [name, part] as const),
    ...[...tests].map(([part, title = '']) => [title.replaceAll(/[ ,]+/g, '-'), part] as const),
  ])
}

/** A page of the guide: a text, rendered. */
interface GuidePage extends MarkdownPage {
  /** The address below `/api-docs/`; empty for the first page. */
  readonly slug: string
  readonly content: string
  /** The first one is the title. */
  readonly headings: readonly Heading[]
}

interface Heading {
  readonly level: number
  readonly id: string
  /** Without markup. */
  readonly title: string
  /** The offset of its tag in the content. */
  readonly offset: number
}

function toPage(page: Pick<GuidePage, 'slug' | 'name' | 'group' | 'text' | 'content'>): GuidePage {
  const { content } = page
  const headings = [...content.matchAll(/<h([123]) id="([\w-]+)">(.*?)<a class="anchor"/gs)].map(
    ({ 1: level, 2: id = '', 3: text = '', index }) => ({
      level: Number(level),
      id,
      title: toPlainText(text),
      offset: index,
    }),
  )
  return { ...page, title: headings[0]?.title ?? '', ids: headings.map(({ id }) => id), headings }
}

/** Removes markup and entities. */
function toPlainText(html: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const addressOf = ({ slug }: GuidePage) => (slug === '' ? 'api-docs' : `api-docs/${slug}`)

/** Fills the template of the guide with a page: its text, the list of all pages, and links to the next and the previous one. */
function fillTemplate(template: string, page: GuidePage, pages: readonly GuidePage[]): string {
  const html = template
    .replace('<!-- title -->', () => escapeHtml(page.title))
    .replace('NAME.md', `${page.name}.md`)
    .replace('<!-- contents -->', () => listPages(page, pages))
    .replace('<!-- content -->', () => linkPages(page, pages) + linkNeighbors(page, pages))
  // Relative, for a proxy that serves below a path: the other pages are one folder deeper than the first.
  return page.slug === '' ? html : html.replaceAll(/(?<=\s(?:href|src)=")(?!#|[a-z]+:)/g, '../')
}

function listPages(current: GuidePage, pages: readonly GuidePage[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))]
  return groups
    .map((group) => {
      const items = pages.filter((page) => page.group === group).map((page) => listPage(page, page === current))
      return `<p class="group">${group}</p><ol>${items.join('')}</ol>`
    })
    .join('')
}

function listPage(page: GuidePage, isCurrent: boolean): string {
  const link = `<a href="${addressOf(page)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a>`
  const sections = page.headings
    .filter(({ level }) => level === 2)
    .map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
  return `<li>${link}${isCurrent && sections.length > 1 ? `<ol class="sections">${sections.join('')}</ol>` : ''}</li>`
}

/** Lets links such as `#errors` lead to the page that has the section. */
function linkPages(page: GuidePage, pages: readonly GuidePage[]): string {
  return page.content.replaceAll(/href="#([\w-]+)"/g, (link, id: string) => {
    const home = pages.find(({ headings }) => headings.some((heading) => heading.id === id))
    if (home === undefined) throw new Error(`The page “${page.title}” of the guide links to #${id}, which no page has.`)
    if (home === page) return link
    return `href="${addressOf(home)}${home.headings[0]?.id === id ? '' : `#${id}`}"`
  })
}

function linkNeighbors(page: GuidePage, pages: readonly GuidePage[]): string {
  const index = pages.indexOf(page)
  const links = [
    ['Previous', pages[index - 1]],
    ['Next', pages[index + 1]],
  ] as const
  const items = links.map(([label, other]) =>
    other === undefined
      ? '<span></span>'
      : `<a href="${addressOf(other)}"><span>${label}</span>${escapeHtml(other.title)}</a>`,
  )
  return `<nav class="neighbors" aria-label="Next pages">${items.join('')}</nav>`
}

/** Splits the pages into their sections, for the search: the text from a heading to the next. `id` is the address below `/api-docs`. */
function listSearchEntries(pages: readonly GuidePage[]) {
  return pages.flatMap(({ slug, title: page, content, headings }) =>
    headings.map(({ level, id, title, offset }, index) => ({
      id: `${slug === '' ? '' : `/${slug}`}${level === 1 ? '' : `#${id}`}`,
      anchor: id,
      title,
      page,
      text: toPlainText(removeRepeated(content.slice(offset, headings[index + 1]?.offset)))
        .slice(title.length)
        .trim(),
    })),
  )
}

/** Removes headings of tables, labels, and the code of all languages but the first, whose words the others repeat. */
function removeRepeated(html: string): string {
  return html.replaceAll(
    /<div role="tabpanel"[^>]*data-panel="(?:TypeScript|Python)".*?<\/pre>|<thead>.*?<\/thead>|<figcaption.*?<\/figcaption>|<button.*?<\/button>|<a class="anchor".*?<\/a>/gs,
    ' ',
  )
}
