import { marked } from 'marked'

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export const code = (text: string) => `<code>${escapeHtml(text)}</code>`

/** A sentence in Markdown as HTML, on one line. */
export const inline = (markdown: string) => String(marked.parseInline(markdown)).replaceAll('\n', ' ')

/** A table of cells in HTML, on one line; none without rows. On narrow screens each cell says what column it is of. */
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
