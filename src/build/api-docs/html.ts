import { marked } from 'marked'
import { escapeHtml } from '../../text/html.js'

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`

/** Renders a sentence in Markdown as HTML, on one line. */
export const inline = (markdown: string) => String(marked.parseInline(markdown)).replaceAll('\n', ' ')

/** Renders a table as HTML on one line; empty without rows. On narrow screens each cell shows the name of its column. */
export function table(caption: string, columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const head = columns.map((column) => `<th scope="col">${column}</th>`).join('')
  const body = rows.map(
    ([first = '', ...cells]) =>
      `<tr><th scope="row">${first}</th>${cells
        .map((cell, index) => `<td data-column="${columns[index + 1]}">${cell}</td>`)
        .join('')}</tr>`,
  )
  return `<table><caption>${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`
}
