import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { escapeHtml } from './api-docs/html.js'
import { parts } from './api-docs/parts.js'
import { renderText } from './api-docs/text.js'

/**
 * Fills the built page of `/api-docs` with the texts of `src/pages/api-docs/text/`. What they leave to the contract, a line
 * such as `{{fields getHealth}}`, is made from its declarations, so that it cannot differ from what the server does.
 */
export function writeApiDocs(root: URL): void {
  const folder = new URL('src/pages/api-docs/text/', root)
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
  const markdown = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  const content = renderText(fillParts(markdown))
  const page = new URL('dist/pages/api-docs/index.html', root)
  const html = readFileSync(page, 'utf8')
    .replace('<!-- contents -->', () => listContents(content))
    .replace('<!-- content -->', () => content)
  writeFileSync(page, html)
}

function fillParts(markdown: string): string {
  return markdown.replaceAll(/^\{\{(\w+)(?: (\S+))?\}\}$/gm, (line, name: string, argument = '') => {
    const part = parts[name]
    if (part === undefined) throw new Error(`src/pages/api-docs/text/ asks for ${line}, which there is not.`)
    // Markdown takes lines of HTML as they are, up to an empty one.
    return `${part(argument)}\n`
  })
}

/** The table of contents: every heading of the second and third order. */
function listContents(content: string): string {
  const headings = [...content.matchAll(/<h([23]) id="([\w-]+)">(.*?)<a /gs)]
  const items = headings.map(([, level, id, title = '']) => {
    const text = escapeHtml(title.replaceAll(/<[^>]+>/g, '').trim()).replaceAll('&amp;', '&')
    return `<li class="level-${level}"><a href="#${id}">${text}</a></li>`
  })
  return `<ol>${items.join('')}</ol>`
}
