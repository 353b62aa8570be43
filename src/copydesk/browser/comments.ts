import type { ReviewComment } from '../comment-file.js'
import { maxTextLength } from '../serve/change.js'
import { data, served } from './data.js'
import { applyFilters } from './filters.js'
import { getNote, setNote } from './notes.js'
import { listPending, record, wouldLoseChanges } from './outbox.js'
import { countCharacters, createButton, createElement, createLabel, getElement, setMark, tell } from './page.js'
import { createPartSelect, findTarget, type TextTarget, targets } from './targets.js'

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
  for (const target of targets) {
    const button = createButton(
      'Comment',
      () => edit(target),
      `Comment on the ${target.language} text of “${target.title}”`,
    )
    target.element.querySelector('.cell')?.append(button)
    resume(target)
  }
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
  createForm(target, findComment(typed.id ?? ''), typed)
}

function edit(target: TextTarget, comment?: ReviewComment): void {
  const open = target.element.querySelector<HTMLTextAreaElement>('.draft textarea')
  ;(open ?? createForm(target, comment)).focus()
}

function createForm(target: TextTarget, comment?: ReviewComment, typed?: Typed): HTMLTextAreaElement {
  const draft = createElement('form', 'draft')
  const about = createPartSelect(target)
  const textId = typed?.textId ?? comment?.textId
  if (textId !== undefined) about.value = textId
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
    const own: Typed = { textId: about.value, comment: words.value, ...(comment && { id: comment.id }) }
    setNote(keyOfTyped(target), words.value.trim() === '' ? undefined : JSON.stringify(own))
  }
  const keep = createElement('button', 'primary', 'Keep')
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
    putComments([writeComment(target, about.value, words.value.trim(), comment)])
    showComments()
    tell('Comment kept.')
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
  const left = new Map<string, ReviewComment[]>()
  for (const comment of listComments()) {
    const key = `${comment.locale} ${comment.example}`
    const own = left.get(key)
    if (own === undefined) left.set(key, [comment])
    else own.push(comment)
  }
  for (const target of targets) {
    const key = `${target.locale} ${target.exampleId}`
    const own = left.get(key) ?? []
    left.delete(key)
    target.element.querySelector('.notes')?.replaceChildren(...own.map((comment) => createNote(comment, target)))
  }
  const orphans = [...left.values()].flat()
  const section = getElement('orphans', HTMLElement)
  section.hidden = orphans.length === 0
  section.querySelector('div')?.replaceChildren(...orphans.map((comment) => createNote(comment)))
  for (const { example } of targets) setMark(example, 'commented', example.querySelector('.note') !== null)
  applyFilters()
}

function createNote(comment: ReviewComment, target?: TextTarget): HTMLElement {
  const note = createElement('div', 'note')
  const part = target?.parts.find(([id]) => id === comment.textId)
  const about = part === undefined || part === target?.parts[0] ? '' : ` on “${part[1].trim()}”`
  const changed = target !== undefined && target.said === comment.said ? '' : ' · The text was different then:'
  note.append(createElement('p', 'by', `${comment.by || 'No name'}, ${comment.at.slice(0, 10)}${about}${changed}`))
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

function remove(comment: ReviewComment): void {
  removeComment(comment)
  showComments()
  tell('Comment deleted.', () => {
    putComments([comment])
    showComments()
  })
}

/** The comments by ID: what the program kept, with the changes that it has not acknowledged. */
const comments = new Map((served?.comments ?? []).map((comment) => [comment.id, comment]))
for (const change of listPending()) {
  if (change.kind === 'comment') comments.set(change.comment.id, change.comment)
  if (change.kind === 'no-comment') comments.delete(change.id)
}

const listComments = (): readonly ReviewComment[] => [...comments.values()]
const findComment = (id: string): ReviewComment | undefined => comments.get(id)

function putComments(changed: readonly ReviewComment[]): void {
  for (const comment of changed) comments.set(comment.id, comment)
  record(...changed.map((comment) => ({ kind: 'comment', comment }) as const))
}

function removeComment({ id }: ReviewComment): void {
  comments.delete(id)
  record({ kind: 'no-comment', id })
}

/** Adds the name to comments that were written before it was entered. */
function nameComments(name: string): void {
  if (name === '') return
  putComments(listComments().flatMap((comment) => (comment.by === '' ? [{ ...comment, by: name }] : [])))
}
