import { escapeHtml } from '../../text/html.js'

/** A page of the guide: a text, rendered. */
export interface GuidePage {
  /** The address below `/api-docs/`; empty for the first page. */
  readonly slug: string
  readonly group: string
  readonly title: string
  readonly content: string
  /** The first one is the title. */
  readonly headings: readonly Heading[]
}

export interface Heading {
  readonly level: number
  readonly id: string
  /** Without markup. */
  readonly title: string
  /** The offset of its tag in the content. */
  readonly offset: number
}

export function toPage(slug: string, group: string, content: string): GuidePage {
  const headings = [...content.matchAll(/<h([123]) id="([\w-]+)">(.*?)<a class="anchor"/gs)].map(
    ({ 1: level, 2: id = '', 3: text = '', index }) => ({
      level: Number(level),
      id,
      title: toPlainText(text),
      offset: index,
    }),
  )
  return { slug, group, title: headings[0]?.title ?? '', content, headings }
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
export function fillTemplate(template: string, page: GuidePage, pages: readonly GuidePage[]): string {
  const html = template
    .replace('<!-- title -->', () => escapeHtml(page.title))
    .replace('<!-- contents -->', () => listPages(page, pages))
    .replace('<!-- content -->', () => linkPages(page, pages) + linkNeighbours(page, pages))
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

function linkNeighbours(page: GuidePage, pages: readonly GuidePage[]): string {
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
  return `<nav class="neighbours" aria-label="Next pages">${items.join('')}</nav>`
}

/** A section of the guide, for its search. */
export interface SearchEntry {
  /** The address below `/api-docs`. */
  readonly id: string
  /** The ID of its heading. */
  readonly anchor: string
  readonly title: string
  readonly page: string
  readonly text: string
}

/** Splits the pages into their sections: the text from a heading to the next. */
export function listSearchEntries(pages: readonly GuidePage[]): SearchEntry[] {
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
