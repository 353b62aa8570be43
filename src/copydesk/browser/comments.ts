import { parseCommentFile, type ReviewComment } from '../comment-file.js'
import {
  addComments,
  isCommentKey,
  keepsComments,
  listComments,
  loadComments,
  nameComments,
  putComment,
  removeComment,
  wouldLose,
  writeFile,
} from './comment-store.js'
import { data } from './data.js'
import { applyFilters } from './filters.js'
import { getNote, keepsNotes, setNote } from './notes.js'
import { wouldLoseChanges } from './outbox.js'
import { createButton, createElement, createLabel, getElement, setMark, tell } from './page.js'
import { createPartSelect, findTarget, type TextTarget, targets } from './targets.js'

const by = getElement('by', HTMLInputElement)
const file = getElement('file', HTMLInputElement)

/** Opens a comment on the text of an example in a column, or focuses the open one. */
export function openComment(example: HTMLElement, column: number): void {
  const target = findTarget(example, column)
  if (target !== undefined) edit(target)
}

export function startComments(): void {
  by.value = getNote('name') ?? ''
  by.addEventListener('change', () => {
    setNote('name', by.value.trim())
    nameComments(by.value.trim())
    showComments()
  })
  loadComments()
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
  for (const [action, run] of [
    ['save', save],
    ['open', () => file.click()],
  ] as const) {
    document.querySelector(`[data-action=${action}]`)?.addEventListener('click', run)
  }
  file.addEventListener('change', open)
  window.addEventListener('storage', (event) => {
    if (!isCommentKey(event.key)) return
    loadComments()
    showComments()
  })
  window.addEventListener('beforeunload', (event) => {
    const isTyping = targets.some((target) => getNote(keyOfTyped(target)) !== undefined)
    if (wouldLose() || wouldLoseChanges() || (isTyping && !keepsNotes())) event.preventDefault()
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
  const comment = listComments().find(({ id }) => id === typed.id)
  createForm(target, comment, typed)
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
    countComments()
  }
  const leave = () => {
    close()
    target.element.querySelector<HTMLElement>('.cell button')?.focus()
  }
  const keepTyped = () => {
    const own: Typed = { textId: about.value, comment: words.value, ...(comment && { id: comment.id }) }
    setNote(keyOfTyped(target), words.value.trim() === '' ? undefined : JSON.stringify(own))
    countComments()
  }
  const keep = createElement('button', 'primary', 'Keep')
  draft.append(
    createLabel('Part of the text', about),
    createLabel('Comment', words),
    keep,
    createButton('Cancel', leave),
  )
  draft.addEventListener('input', keepTyped)
  draft.addEventListener('submit', (event) => {
    event.preventDefault()
    if (words.value.trim() === '') {
      words.focus()
      return
    }
    leave()
    putComment(writeComment(target, about.value, words.value.trim(), comment))
    showComments()
    tell(
      keepsComments()
        ? `Comment kept${data.served === undefined ? ' in this browser' : ''}.`
        : 'This browser does not keep comments for this page. Save them to a file before you close it.',
    )
  })
  words.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && words.value.trim() === words.defaultValue) leave()
  })
  target.element.querySelector('.notes')?.before(draft)
  return words
}

/** Keeps the comments that are still being typed, as their own button would. */
function keepOpen(): void {
  for (const words of document.querySelectorAll<HTMLTextAreaElement>('.draft textarea')) {
    if (words.value.trim() !== '') words.form?.requestSubmit()
  }
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
    by: by.value.trim(),
    at: new Date().toISOString(),
  }
}

/** Shows every comment under its text, their number, and those whose text is not on this page. */
function showComments(): void {
  const comments = listComments()
  const shown = new Set<ReviewComment>()
  for (const target of targets) {
    const own = comments.filter(({ example, locale }) => example === target.exampleId && locale === target.locale)
    for (const comment of own) shown.add(comment)
    target.element.querySelector('.notes')?.replaceChildren(...own.map((comment) => createNote(comment, target)))
  }
  const orphans = comments.filter((comment) => !shown.has(comment))
  const section = getElement('orphans', HTMLElement)
  section.hidden = orphans.length === 0
  section.querySelector('div')?.replaceChildren(...orphans.map((comment) => createNote(comment)))
  for (const { example } of targets) setMark(example, 'commented', example.querySelector('.note') !== null)
  countComments()
  applyFilters()
}

/** Counts the comments, those that are being typed among them: saving keeps these, too. */
function countComments(): void {
  const known = new Set(listComments().map(({ id }) => id))
  const typed = targets.flatMap((target) => getNote(keyOfTyped(target)) ?? [])
  const fresh = typed.filter((note) => !known.has((JSON.parse(note) as Typed).id ?? ''))
  getElement('comments', HTMLElement).textContent = `(${known.size + fresh.length})`
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
    putComment(comment)
    showComments()
  })
}

function save(): void {
  keepOpen()
  const { length } = listComments()
  if (length === 0) {
    tell('There are no comments to save yet.')
    return
  }
  nameComments(by.value.trim())
  showComments()
  const link = createElement('a')
  link.href = URL.createObjectURL(new Blob([writeFile(data.ruleVersion)], { type: 'application/json' }))
  link.download = `comments-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  // The browser reads the URL in a later turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  tell(`${length === 1 ? '1 comment' : `${length} comments`} saved as ${link.download}: send this file to the team.`)
}

async function open(): Promise<void> {
  const [chosen] = file.files ?? []
  if (chosen === undefined) return
  const found = parseCommentFile(await chosen.text())
  file.value = ''
  if (typeof found === 'string') {
    tell(found)
    return
  }
  const added = addComments(found.comments)
  showComments()
  const known = found.comments.length - added
  tell(
    `${added === 1 ? '1 comment' : `${added} comments`} added${known === 0 ? '' : `, ${known} ${known === 1 ? 'was' : 'were'} here already`}.`,
  )
}
