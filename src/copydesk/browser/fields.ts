import type { Locale } from '../../insight/types.js'
import { withEndsOf } from '../edit/draft.js'
import type { Piece } from '../edit/pieces.js'
import { capitalize } from '../page/words.js'
import { maxTextLength } from '../serve/change.js'
import { countCharacters, createElement, createLabel } from './page.js'

let ids = 0

/** Creates the fields of one text: one for each run of words, or one for the whole text with its braces. */
export function createFields(locale: Locale, onChange: (text: string) => void) {
  const element = createElement('div', 'fields')
  const runs = createElement('div', 'runs')
  const whole = createField(locale)
  const details = createElement('details', 'whole')
  const hint = createElement(
    'p',
    'more',
    'Words in braces, such as {name}, become a name or a number; # is the number. Keep them. Write an apostrophe twice here.',
  )
  details.append(
    createElement('summary', '', 'The whole text, with its braces'),
    createLabel('Whole text', whole),
    countCharacters(whole, maxTextLength),
    hint,
  )
  element.append(runs, details)
  whole.addEventListener('input', () => onChange(whole.value))
  let focused: HTMLElement = whole

  /** Shows a text; without pieces, it is shown whole. */
  const show = (text: string, pieces: readonly Piece[] | undefined) => {
    if (document.activeElement !== whole) whole.value = text
    details.open ||= pieces === undefined
    const read = (piece: Piece) => text.slice(piece.offset, piece.offset + piece.length)
    const fields = (pieces ?? []).map((piece) => ({ piece, former: read(piece), field: createField(locale) }))
    // A run of placeholders and marks alone holds no words.
    const shown = fields.filter(
      ({ former, piece }) => /\p{L}/u.test(former.replaceAll(/\{\w+\}/g, '')) || piece.when.length > 0,
    )
    for (const { field, former } of shown) {
      field.value = toWords(former)
      field.addEventListener('input', () => {
        // From the end, so that the offsets of what is left stay.
        const edited = shown.reduceRight(
          (next, { piece: { length, offset }, former, field: { value } }) =>
            next.slice(0, offset) + withEnds(former, toPattern(value)) + next.slice(offset + length),
          text,
        )
        whole.value = edited
        onChange(edited)
      })
    }
    const said = shown.filter(({ piece }) => piece.isSaid)
    const depth = Math.max(...said.map(({ piece }) => piece.when.length))
    focused = (said.find(({ piece }) => piece.when.length === depth) ?? shown[0])?.field ?? whole
    runs.replaceChildren(
      ...shown.flatMap(({ field, piece }) => [
        createLabel(shown.length === 1 ? 'Words' : nameRun(piece), field),
        countCharacters(field, maxTextLength),
      ]),
    )
  }
  return {
    element,
    show,
    /** Moves the focus to the words that the example says, in the innermost case. */
    focus: () => focused.focus(),
    /** True while the reader edits the whole text. */
    isWhole: () => document.activeElement === whole,
    /** Marks the fields as wrong; `reasons` says why. */
    setInvalid: (isInvalid: boolean, reasons: HTMLElement) => {
      reasons.id ||= `reasons-${++ids}`
      for (const field of element.querySelectorAll('textarea')) {
        if (isInvalid) field.setAttribute('aria-invalid', 'true')
        else field.removeAttribute('aria-invalid')
        field.setAttribute('aria-describedby', reasons.id)
      }
    },
  }
}

function createField(locale: Locale): HTMLTextAreaElement {
  const field = createElement('textarea')
  field.lang = locale
  field.dir = 'auto'
  field.rows = 2
  field.spellcheck = true
  // A text is one line.
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
  return field
}

const nameRun = ({ isSaid, when }: Piece) =>
  when.length === 0 ? 'Always' : `${capitalize(when.join(', '))}${isSaid ? ' (this example)' : ''}`

/** An apostrophe is written twice in a pattern. */
const toWords = (run: string) => run.replaceAll("''", "'").trim()
const toPattern = (words: string) => words.replaceAll("'", "''").replaceAll(/\s*[\r\n]+\s*/g, ' ')

/** Keeps the white space at the ends of a run that has words: it joins the run to others. */
const withEnds = (former: string, text: string) => (former.trim() === '' ? text : withEndsOf(former, text))
