import { type GuidePage, toPlainText } from './guide-page.js'

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
