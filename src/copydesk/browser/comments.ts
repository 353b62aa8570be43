import { locales } from '../../insight/types.js'
import type { ReviewComment } from '../comment-file.js'
import { formatDate, localeNames } from '../page/words.js'
import { maxTextLength } from '../serve/change.js'
import { applyFilters } from './filters.js'
import { getNote, setNote } from './notes.js'
import { listPending, record, wouldLoseChanges } from './outbox.js'
import {
  countCharacters,
  createButton,
  createElement,
  createLabel,
  data,
  examples,
  getElement,
  served,
  setMark,
  tell,
} from './page.js'
import { createPartSelect, findExample, findTarget, idOf, onTextShown, type TextTarget, targetsOf } from './targets.js'

const findBy = () => getElement('by', HTMLInputElement)

/** Opens a comment on the text of an example in a column, or focuses the open one. */
export function openComment(example: HTMLElement, column: number): void {
  const target = findTarget(example, column)
  if (target !== undefined && served !== undefined) edit(target)
}

export function startComments(): void {
  if (served === undefined) return
  const by = findBy()
  by.value = getNote('name') ?? ''
  by.addEventListener('change', () => {
    setNote('name', by.value.trim())
    nameComments(by.value.trim())
    showComments()
  })
  onTextShown((target) => {
    const name = `Comment on the ${localeNames[target.locale]} text of “${target.title}”`
    const button = createButton('Comment', () => edit(target), name)
    // The selected words stay selected.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    target.element.querySelector('.cell')?.append(button)
    showNotes(target)
    resume(target)
  })
  showComments()
  window.addEventListener('beforeunload', (event) => {
    if (wouldLoseChanges()) event.preventDefault()
  })
}

/** An unfinished comment, which is kept while it is typed. */
interface Typed {
  readonly textId: string
  readonly comment: string
  /** The comment that it changes. */
  readonly id?: string
}

const keyOfTyped = ({ exampleId, locale }: TextTarget) => `typing ${locale} ${exampleId}`

/** Opens the unfinished comment on a text that an earlier page left. */
function resume(target: TextTarget): void {
  const note = getNote(keyOfTyped(target))
  if (note === undefined) return
  const typed: Typed = JSON.parse(note)
  createForm(target, comments.get(typed.id ?? ''), typed)
}

function edit(target: TextTarget, comment?: ReviewComment): void {
  const selected = comment === undefined ? readSelected(target) : undefined
  const open = target.element.querySelector<HTMLTextAreaElement>('.draft textarea') ?? createForm(target, comment)
  if (selected !== undefined) {
    const about = open.form?.querySelector('select')
    if (about) about.value = String(selected.part)
    open.value += `${open.value === '' ? '' : '\n'}“${selected.words}” `
    open.dispatchEvent(new Event('input', { bubbles: true }))
  }
  open.focus()
}

/** Returns the words of a text that the reader selected, and the smallest part that says them there. */
function readSelected({ element, parts, said }: TextTarget) {
  const selection = getSelection()
  const words = element.querySelector('.words')
  if (selection === null || selection.isCollapsed || words === null) return undefined
  const range = selection.getRangeAt(0)
  if (!words.contains(range.commonAncestorContainer)) return undefined
  const selected = range.toString()
  const holds = (text: string) => {
    for (let at = said.indexOf(text); at !== -1; at = said.indexOf(text, at + 1)) {
      if (at <= range.startOffset && range.endOffset <= at + text.length) return true
    }
    return false
  }
  const holding = parts.filter(([, text]) => holds(text)).sort(([, a], [, b]) => a.length - b.length)
  const part = holding[0] === undefined ? 0 : parts.indexOf(holding[0])
  return selected.trim() === '' ? undefined : { words: selected.trim(), part }
}

function createForm(target: TextTarget, comment?: ReviewComment, typed?: Typed): HTMLTextAreaElement {
  const draft = createElement('form', 'draft')
  const about = createPartSelect(target)
  const textId = typed?.textId ?? comment?.textId
  if (textId !== undefined) about.value = String(target.parts.findIndex(([id]) => id === textId))
  const readTextId = () => target.parts[Number(about.value)]?.[0] ?? ''
  const words = createElement('textarea')
  words.defaultValue = comment?.comment ?? ''
  if (typed !== undefined) words.value = typed.comment
  words.rows = 3
  const close = () => {
    setNote(keyOfTyped(target), undefined)
    draft.remove()
  }
  const leave = () => {
    close()
    target.element.querySelector<HTMLElement>('.cell button')?.focus()
  }
  const keepTyped = () => {
    const own: Typed = { textId: readTextId(), comment: words.value, ...(comment && { id: comment.id }) }
    setNote(keyOfTyped(target), words.value.trim() === '' ? undefined : JSON.stringify(own))
  }
  const keep = createElement('button', 'primary', 'Save')
  draft.append(
    createLabel('Part of the text', about),
    createLabel('Comment', words),
    countCharacters(words, maxTextLength),
    keep,
    createButton('Cancel', leave),
  )
  draft.addEventListener('input', keepTyped)
  draft.addEventListener('submit', (event) => {
    event.preventDefault()
    if (words.value.trim() === '' || words.value.length > maxTextLength) {
      words.focus()
      return
    }
    leave()
    putComments([writeComment(target, readTextId(), words.value.trim(), comment)])
    showChange()
    tell('Comment saved.')
  })
  words.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && words.value.trim() === words.defaultValue) leave()
  })
  target.element.querySelector('.notes')?.before(draft)
  return words
}

function writeComment(target: TextTarget, textId: string, comment: string, former?: ReviewComment): ReviewComment {
  const { exampleId, locale, said } = target
  return {
    id: former?.id ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`,
    example: exampleId,
    locale,
    textId,
    said,
    pattern: data.patterns[locale][textId] ?? '',
    comment,
    by: findBy().value.trim(),
    at: new Date().toISOString(),
  }
}

/** Shows every comment under its text, and those whose text is not on this page. */
function showComments(): void {
  groups.clear()
  for (const comment of listComments()) {
    const key = `${comment.locale} ${comment.example}`
    groups.set(key, [...(groups.get(key) ?? []), comment])
  }
  const orphans = listComments().filter(({ example }) => findExample(example) === undefined)
  const section = getElement('orphans', HTMLElement)
  section.hidden = orphans.length === 0
  section.querySelector('div')?.replaceChildren(...orphans.map((comment) => createNote(comment)))
  for (const example of examples) {
    if (example.querySelector('.notes') !== null) for (const target of targetsOf(example)) showNotes(target)
    const keys = locales.map((locale) => `${locale} ${idOf(example)}`)
    setMark(
      example,
      'commented',
      keys.some((key) => groups.has(key) || getNote(`typing ${key}`) !== undefined),
    )
  }
}

/** The comments by language and example. */
const groups = new Map<string, ReviewComment[]>()
const listNotes = ({ exampleId, locale }: TextTarget) => groups.get(`${locale} ${exampleId}`) ?? []

/** Shows the comments of a text; one that was not shown yet has no place for them. */
function showNotes(target: TextTarget): void {
  const place = target.element.querySelector('.notes')
  place?.replaceChildren(...listNotes(target).map((comment) => createNote(comment, target)))
}

function createNote(comment: ReviewComment, target?: TextTarget): HTMLElement {
  const note = createElement('div', 'note')
  const part = target?.parts.find(([id]) => id === comment.textId)
  const about = part === undefined || part === target?.parts[0] ? '' : ` on “${part[1].trim()}”`
  const changed = target !== undefined && target.said === comment.said ? '' : ' · The text was different then:'
  note.append(
    createElement(
      'p',
      'by',
      `${comment.by || 'No name'}, ${formatDate(comment.at.slice(0, 10), navigator.language)}${about}${changed}`,
    ),
  )
  if (changed !== '') {
    const said = createElement('p', 'then', comment.said)
    said.lang = comment.locale
    note.append(said)
  }
  note.append(createElement('p', 'comment', comment.comment))
  if (target !== undefined) note.append(createButton('Edit', () => edit(target, comment)))
  note.append(createButton('Delete', () => remove(comment)))
  return note
}

function showChange(): void {
  showComments()
  applyFilters()
}

function remove(comment: ReviewComment): void {
  comments.delete(comment.id)
  record({ kind: 'no-comment', id: comment.id })
  showChange()
  tell('Comment deleted.', () => {
    putComments([comment])
    showChange()
  })
}

/** The comments by ID: what the program kept, with the changes that it has not acknowledged. */
const comments = new Map((served?.comments ?? []).map((comment) => [comment.id, comment]))
for (const change of listPending()) {
  if (change.kind === 'comment') comments.set(change.comment.id, change.comment)
  if (change.kind === 'no-comment') comments.delete(change.id)
}

const listComments = (): readonly ReviewComment[] => [...comments.values()]

function putComments(changed: readonly ReviewComment[]): void {
  for (const comment of changed) comments.set(comment.id, comment)
  record(...changed.map((comment) => ({ kind: 'comment', comment }) as const))
}

/** Adds the name to comments that were written before it was entered. */
function nameComments(name: string): void {
  if (name === '') return
  putComments(listComments().flatMap((comment) => (comment.by === '' ? [{ ...comment, by: name }] : [])))
}
