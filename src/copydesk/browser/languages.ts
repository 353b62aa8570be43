import { type Locale, locales } from '../../insight/types.js'
import { getNote, setNote } from './notes.js'
import { getElement } from './page.js'

const select = getElement('languages', HTMLSelectElement)

/** The languages that the reader reviews. */
export const listReviewed = (): readonly Locale[] => locales.filter((one) => ['', one].includes(select.value))

/** Shows the languages that the reader chose, now and the last time. */
export function startLanguages(onChange: () => void): void {
  select.value = getNote('languages') ?? ''
  if (select.selectedIndex === -1) select.value = ''
  const show = () => {
    document.body.dataset.languages = select.value
  }
  select.addEventListener('change', () => {
    setNote('languages', select.value === '' ? undefined : select.value)
    show()
    onChange()
  })
  show()
}
