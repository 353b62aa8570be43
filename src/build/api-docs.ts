import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { escapeHtml } from '../text/html.js'
import { renderFields, renderOperation, renderRoutes } from './api-docs/operations.js'
import { renderErrors, renderPayload, renderRules } from './api-docs/tables.js'
import { renderText } from './api-docs/text.js'

/** The generators that a text calls by a line `{{NAME ARGUMENT}}`. */
const generators: Readonly<Record<string, (argument: string) => string>> = {
  operation: renderOperation,
  fields: renderFields,
  routes: renderRoutes,
  errors: renderErrors,
  rules: renderRules,
  payload: renderPayload,
}

/**
 * Fills the built page of `/api-docs` with the texts of `src/pages/api-docs/text/`. Lines such as `{{fields getHealth}}` are
 * generated from the declarations of the contract, so that they always match the server.
 */
export function writeApiDocs(root: URL): void {
  const folder = new URL('src/pages/api-docs/text/', root)
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .sort()
  const markdown = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  const content = renderText(fillGenerated(markdown))
  const page = new URL('dist/pages/api-docs/index.html', root)
  const html = readFileSync(page, 'utf8')
    .replace('<!-- contents -->', () => listContents(content))
    .replace('<!-- content -->', () => content)
  writeFileSync(page, html)
}

function fillGenerated(markdown: string): string {
  return markdown.replaceAll(/^\{\{(\w+)(?: (\S+))?\}\}$/gm, (line, name: string, argument = '') => {
    const render = generators[name]
    if (render === undefined) throw new Error(`src/pages/api-docs/text/ has ${line}, but there is no such generator.`)
    // Markdown keeps lines of HTML unchanged up to an empty line.
    return `${render(argument)}\n`
  })
}

/** Renders the table of contents: the headings of levels 2 and 3. */
function listContents(content: string): string {
  const headings = [...content.matchAll(/<h([23]) id="([\w-]+)">(.*?)<a /gs)]
  const items = headings.map(([, level, id, title = '']) => {
    const text = escapeHtml(title.replaceAll(/<[^>]+>/g, '').trim()).replaceAll('&amp;', '&')
    return `<li class="level-${level}"><a href="#${id}">${text}</a></li>`
  })
  return `<ol>${items.join('')}</ol>`
}
