import { byLocale, type Locale, locales } from '../../insight/types.js'
import type { Piece } from '../edit/pieces.js'
import { localeNames } from '../page/words.js'
import type { WordChange } from '../word-diff.js'
import { createFields } from './fields.js'
import { ask, flush, listPending, record } from './outbox.js'
import { createButton, createElement, createLabel, data, served, titleOf } from './page.js'
import { reload } from './reload.js'
import { createPartSelect, findExample, onTextShown, type TextTarget } from './targets.js'

type LocaleTexts = Readonly<Record<Locale, string>>
type LocalePieces = Readonly<Record<Locale, readonly Piece[] | undefined>>

interface Opened {
  readonly file: string
  readonly texts: LocaleTexts
  readonly draft: LocaleTexts
  readonly pieces: LocalePieces
  /** The placeholders with their words in the example. */
  readonly values: readonly (readonly [name: string, value: string])[]
}

interface Preview {
  readonly isUsable: boolean
  readonly findings: readonly { readonly message: string; readonly fix: string; readonly locale?: Locale }[]
  readonly pieces: LocalePieces
  readonly said: readonly {
    readonly example: string
    readonly locale: Locale
    readonly changes: readonly WordChange[]
  }[]
}

const previewDelayMs = 300

/** The texts with drafts, by their IDs. */
const drafts: Record<string, LocaleTexts> = {}
const buttons = new Map<TextTarget, HTMLButtonElement>()

/** Adds a button to each text that opens its editor. A text with a draft says so. */
export function startEditing(): void {
  if (served === undefined) return
  Object.assign(drafts, served.drafts)
  for (const change of listPending()) {
    if (change.kind !== 'draft') continue
    const text = change.text ?? readTexts(change.id)[change.locale]
    drafts[change.id] = { ...(drafts[change.id] ?? readTexts(change.id)), [change.locale]: text }
  }
  onTextShown((target) => {
    const button = createButton('Edit', () => void open(target, button))
    buttons.set(target, button)
    target.element.querySelector('.cell')?.append(button)
    nameButton(target, button)
  })
}

function nameButton(target: TextTarget, button: HTMLElement): void {
  const name = findDrafted(target) === -1 ? 'Edit' : 'Continue the draft'
  button.textContent = name
  button.classList.toggle('drafted', name !== 'Edit')
  button.setAttribute('aria-label', `${name}: the ${localeNames[target.locale]} text of “${target.title}”`)
}

/** Returns the place of the part of a text that has a draft, or -1. */
const findDrafted = ({ locale, parts }: TextTarget) =>
  parts.findIndex(([id]) => (drafts[id] ?? readTexts(id))[locale].trim() !== readTexts(id)[locale].trim())

const readTexts = (id: string): LocaleTexts => byLocale((locale) => data.patterns[locale][id] ?? '')

/** Opens the editor below an example; one is open in an example at a time. */
async function open(target: TextTarget, button: HTMLElement): Promise<void> {
  target.example.querySelector('.editor')?.remove()
  const editor = createElement('section', 'editor')
  editor.setAttribute('aria-label', `Edit the ${localeNames[target.locale]} text of “${target.title}”`)
  const part = createPartSelect(target)
  part.value = String(Math.max(0, findDrafted(target)))
  const place = createElement('div')
  const close = () => {
    editor.remove()
    for (const [one, button] of buttons) nameButton(one, button)
    button.focus()
  }
  editor.append(
    createElement('h3', '', `Edit the ${localeNames[target.locale]} text`),
    createLabel('Part of the text', part),
    place,
  )
  target.example.append(editor)
  let asked = 0
  const show = async () => {
    place.replaceChildren()
    const { exampleId, locale, parts } = target
    const [id, said] = parts[Number(part.value)] ?? ['', '']
    asked++
    const own = asked
    try {
      await flush()
      const opened = await ask<Opened>('open', { id, said, example: exampleId, locale })
      // The reader may have chosen again in the meantime.
      if (own !== asked) return
      const { elements, focus } = createEditor(target, id, opened, close)
      place.replaceChildren(...elements)
      focus()
    } catch (error) {
      if (own !== asked) return
      place.replaceChildren(createElement('p', 'finding', (error as Error).message), createButton('Close', close))
    }
  }
  part.addEventListener('change', () => void show())
  await show()
}

function createEditor(target: TextTarget, id: string, opened: Opened, close: () => void) {
  const { locale } = target
  let texts: LocaleTexts = opened.draft
  let asked = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const findings = createElement('div', 'findings')
  findings.setAttribute('role', 'status')
  const preview = createElement('div', 'preview')
  const save = createElement('button', 'primary', 'Save to the catalog')
  save.type = 'button'
  const discard = createButton('Discard the draft', () => {
    for (const one of locales) record({ kind: 'draft', id, locale: one, text: null })
    void flush().then(() => reload('The draft was discarded.', target.exampleId), showProblem)
  })
  const showProblem = (error: Error) => {
    findings.replaceChildren(createElement('p', 'finding', error.message))
  }
  const look = async () => {
    const changed = locales.filter((one) => opened.texts[one].trim() !== texts[one].trim())
    save.disabled = true
    discard.disabled = changed.length === 0
    save.textContent = `Save${changed.map((one) => ` ${localeNames[one]}`).join(' and')} to the catalog`
    if (changed.length === 0) {
      findings.replaceChildren()
      preview.replaceChildren(createElement('p', 'more', 'Nothing is changed yet.'))
      return
    }
    asked++
    const own = asked
    try {
      const answer = await ask<Preview>('preview', { id, before: opened.texts, texts })
      if (own !== asked) return
      if (fields.isWhole()) fields.show(texts[locale], answer.pieces[locale])
      fields.setInvalid(
        answer.findings.some((finding) => (finding.locale ?? locale) === locale),
        findings,
      )
      findings.replaceChildren(...answer.findings.map((finding) => createFinding(finding, answer.isUsable)))
      preview.replaceChildren(...listSaid(answer))
      save.disabled = !answer.isUsable
    } catch (error) {
      if (own === asked) showProblem(error as Error)
    }
  }
  const fields = createFields(locale, (text) => {
    texts = { ...texts, [locale]: text }
    drafts[id] = texts
    record({ kind: 'draft', id, locale, text })
    clearTimeout(timer)
    if (save.disabled) preview.replaceChildren(createElement('p', 'more', 'Checking…'))
    timer = setTimeout(() => void look(), previewDelayMs)
  })
  fields.show(texts[locale], opened.pieces[locale])
  save.addEventListener('click', async () => {
    try {
      clearTimeout(timer)
      await flush()
      const { file } = await ask<{ readonly file: string }>('save', { id, before: opened.texts, texts })
      reload(`Saved to ${file}.`, target.exampleId)
    } catch (error) {
      showProblem(error as Error)
    }
  })
  void look()
  const actions = createElement('p', 'actions')
  actions.append(save, discard, createButton('Close', close, 'Close the editor; the draft is kept'))
  const meanings = opened.values.map(
    ([name, value]) => `{${name}} ${value === '' ? 'says nothing' : `says “${value}”`}`,
  )
  const legend = createElement('p', 'more', meanings.length === 0 ? '' : `In this example, ${meanings.join(', ')}. `)
  if (opened.texts[locale].includes('#')) legend.append('# is the number.')
  legend.lang = 'en'
  return { elements: [fields.element, legend, findings, preview, actions], focus: fields.focus }
}

function createFinding({ fix, message }: Preview['findings'][number], isUsable: boolean): HTMLElement {
  const finding = createElement('p', isUsable ? 'finding warning' : 'finding')
  finding.append(createElement('b', '', isUsable ? 'The check will report: ' : 'Not usable yet: '), `${message} ${fix}`)
  return finding
}

/** Lists what every example says: those that change with the difference, the others folded. */
function listSaid({ isUsable, said }: Preview): HTMLElement[] {
  if (!isUsable) return []
  const isChanged = ({ changes }: Preview['said'][number]) => changes.some(({ kind }) => kind !== 'same')
  const changed = said.filter(isChanged)
  const same = said.filter((one) => !isChanged(one))
  const rest = createElement('details')
  rest.append(createElement('summary', '', `${same.length} that stay as they are`), ...same.map(createSaid))
  return [
    createElement('h4', '', `${changed.length} of ${said.length} examples change`),
    ...changed.map(createSaid),
    ...(same.length === 0 ? [] : [rest]),
  ]
}

function createSaid({ changes, example, locale }: Preview['said'][number]): HTMLElement {
  const row = createElement('div', 'saying')
  const shown = findExample(example)
  row.append(
    createElement('p', 'locale', `${localeNames[locale]} · ${shown === undefined ? example : titleOf(shown)}`),
    createChanges(changes, locale),
  )
  return row
}

/** Creates a paragraph with the words that were removed and added, as the page itself has them. */
export function createChanges(changes: readonly WordChange[], locale: Locale): HTMLElement {
  const paragraph = createElement('p', 'changes')
  paragraph.lang = locale
  paragraph.dir = 'auto'
  for (const { kind, text } of changes) {
    if (kind === 'same') {
      paragraph.append(text)
      continue
    }
    const element = createElement(kind === 'added' ? 'ins' : 'del')
    const said = createElement('span', 'said', ` ${kind}: `)
    said.lang = 'en'
    element.append(said, text, createElement('span', 'said', ' '))
    paragraph.append(element)
  }
  return paragraph
}
