import { Marked } from 'marked'
import { escapeHtml } from '../../text/html.js'
import { code } from './html.js'

/**
 * Renders a text in Markdown as HTML. Headings get an ID from their words and a link to themselves. A block
 * `call NAME STATUS` is an example: commands, a line `---`, and the answer that they print.
 */
export function renderText(markdown: string): string {
  return String(marked.parse(markdown))
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const title = this.parser.parseInline(tokens)
      return renderHeading(depth, toId(title), title)
    },
    code({ text, lang = '' }) {
      const [kind, name = '', status = ''] = lang.split(' ')
      return kind === 'call' ? renderExample(name, status, text) : renderBlock(text, lang)
    },
  },
})

/** Renders a heading of level `depth`, with a link to itself. */
export function renderHeading(depth: number, id: string, title: string): string {
  const label = escapeHtml(`Link to “${title.replaceAll(/<[^>]+>/g, '')}”`)
  return `<h${depth} id="${id}">${title}<a class="anchor" href="#${id}" aria-label="${label}">#</a></h${depth}>`
}

function toId(title: string): string {
  return title
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function renderExample(name: string, status: string, text: string): string {
  const [commands = '', answer = ''] = text.split(/^---\n?/m)
  return [
    `<figure class="example" data-name="${name}" data-status="${status}">`,
    `<figcaption class="hidden" id="example-${name}">Example: ${name}</figcaption>`,
    renderBlock(commands.trimEnd(), 'command', `Command: ${name}`),
    status === '' ? '' : `<p class="status">${renderStatus(status)}</p>`,
    answer === '' ? '' : renderBlock(answer, 'answer', `Answer: ${name}`),
    '</figure>\n',
  ].join('')
}

/** Renders the status of the last call, such as `200`. */
const renderStatus = (status: string) => `Answer: <b class="status-${status[0]}">${status}</b>`

function renderBlock(text: string, kind: string, label = 'Code'): string {
  return `<pre class="${kind || 'text'}" tabindex="0" role="region" aria-label="${label}">${code(text)}</pre>\n`
}
