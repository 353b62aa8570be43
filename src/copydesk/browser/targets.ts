import type { Locale } from '../../insight/types.js'
import { data } from './data.js'
import { createElement, examples } from './page.js'

/** One text of the page, with the data that a comment or an edit of it needs. */
export interface TextTarget {
  readonly element: HTMLElement
  readonly example: HTMLElement
  readonly exampleId: string
  /** The title of the example. */
  readonly title: string
  readonly locale: Locale
  /** The name of the language. */
  readonly language: string
  readonly said: string
  readonly parts: readonly (readonly [id: string, text: string])[]
}

const columns: readonly Locale[] = ['zh-CN', 'en-US', 'es']

export const targets: readonly TextTarget[] = examples.flatMap((example) => {
  const [exampleId, ...parts] = data.examples[Number(example.id.slice(1))] ?? ['']
  const title = example.querySelector('h3')?.textContent ?? ''
  return columns.flatMap((locale, column) => {
    const element = example.querySelector<HTMLElement>(`[data-locale="${locale}"]`)
    if (element === null) return []
    element.append(createElement('div', 'cell'), createElement('div', 'notes'))
    const said = element.querySelector('.words')?.textContent ?? ''
    const language = element.querySelector('.locale')?.textContent ?? ''
    return [{ element, example, exampleId, title, locale, language, said, parts: parts[column] ?? [] }]
  })
})

/** Returns the text of an example in a column. */
export const findTarget = (example: HTMLElement, column: number) =>
  targets.find((one) => one.example === example && one.locale === columns[column])

/** Creates a choice among the parts of a text. */
export function createPartSelect({ parts, said }: TextTarget): HTMLSelectElement {
  const select = createElement('select')
  for (const [id, text] of parts) {
    const isSentence = text === said || id === parts[0]?.[0]
    const option = createElement('option', '', isSentence ? 'The sentence' : `“${text.trim()}”`)
    option.value = id
    select.append(option)
  }
  return select
}
