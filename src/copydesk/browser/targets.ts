import { type Locale, locales } from '../../insight/types.js'
import { createElement, data, examples, onFirstShown, titleOf } from './page.js'

/** One text of the page, with the data that a comment or an edit of it needs. */
export interface TextTarget {
  readonly element: HTMLElement
  readonly example: HTMLElement
  readonly exampleId: string
  /** The title of the example. */
  readonly title: string
  readonly locale: Locale
  readonly said: string
  readonly parts: readonly (readonly [id: string, text: string])[]
}

const dataOf = (example: HTMLElement) => data.examples[Number(example.id.slice(1))] ?? (['', []] as const)
/** Returns the ID that the program knows an example by. */
export const idOf = (example: HTMLElement) => dataOf(example)[0]
/** Returns the facts that an example uses, and its rule. */
export const factsOf = (example: HTMLElement) => dataOf(example)[1]

const byId = new Map(examples.map((example) => [idOf(example), example]))
const known = new Map<HTMLElement, readonly TextTarget[]>()

export const findExample = (exampleId: string): HTMLElement | undefined => byId.get(exampleId)

/** Returns the texts of an example. */
export function targetsOf(example: HTMLElement): readonly TextTarget[] {
  const found = known.get(example) ?? listTexts(example)
  known.set(example, found)
  return found
}

function listTexts(example: HTMLElement): readonly TextTarget[] {
  const [exampleId, , ...parts] = dataOf(example)
  return locales.flatMap((locale, column) => {
    const element = example.querySelector<HTMLElement>(`[data-locale="${locale}"]`)
    if (element === null) return []
    const said = element.querySelector('.words')?.textContent ?? ''
    return [{ element, example, exampleId, title: titleOf(example), locale, said, parts: parts[column] ?? [] }]
  })
}

/** Has `begin` run for each text before it is shown for the first time. */
export const onTextShown = (begin: (target: TextTarget) => void) =>
  onFirstShown((example) => targetsOf(example).forEach(begin))

onTextShown(({ element }) => element.append(createElement('div', 'cell'), createElement('div', 'notes')))

/** Returns the text of an example in a column. */
export const findTarget = (example: HTMLElement, column: number) =>
  targetsOf(example).find(({ locale }) => locale === locales[column])

/** Creates a choice among the parts of a text by their places: a part may be used twice. */
export function createPartSelect({ parts, said }: TextTarget): HTMLSelectElement {
  const select = createElement('select')
  for (const [index, [id, text]] of parts.entries()) {
    const isSentence = text === said || id === parts[0]?.[0]
    const option = createElement('option', '', isSentence ? 'The sentence' : `“${text.trim()}”`)
    option.value = String(index)
    select.append(option)
  }
  return select
}
