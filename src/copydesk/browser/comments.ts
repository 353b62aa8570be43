import type { Locale } from '../../insight/types.js'
import { parseCommentFile, type ReviewComment } from '../comment-file.js'
import type { PageData } from '../page/data.js'
import {
  addComments,
  isCommentKey,
  keepName,
  keepsComments,
  listComments,
  loadComments,
  nameComments,
  putComment,
  recallName,
  removeComment,
  wouldLose,
  writeFile,
} from './comment-store.js'
import { applyFilters } from './filters.js'
import { createButton, createElement, examples, getElement, tell } from './page.js'

const data: PageData = JSON.parse(getElement('data', HTMLScriptElement).text)
const columns: readonly Locale[] = ['zh-CN', 'en-US', 'es']
const by = getElement('by', HTMLInputElement)
const file = getElement('file', HTMLInputElement)

/** One text of the page, with the data that a comment on it needs. */
interface CommentTarget {
  readonly element: HTMLElement
  readonly example: HTMLElement
  readonly exampleId: string
  readonly locale: Locale
  readonly said: string
  readonly parts: readonly (readonly [id: string, text: string])[]
}

const targets: readonly CommentTarget[] = examples.flatMap((example) => {
  const [exampleId, ...parts] = data.examples[Number(example.id.slice(1))] ?? ['']
  return columns.flatMap((locale, column) => {
    const element = example.querySelector<HTMLElement>(`[data-locale="${locale}"]`)
    const said = element?.querySelector('.words')?.textContent ?? ''
    return element === null ? [] : [{ element, example, exampleId, locale, said, parts: parts[column] ?? [] }]
  })
})

/** Opens a comment on the text of an example in a column, or focuses the open one. */
export function openComment(example: HTMLElement, column: number): void {
  const target = targets.find((one) => one.example === example && one.locale === columns[column])
  if (target !== undefined) edit(target)
}

export function startComments(): void {
  by.value = recallName()
  by.addEventListener('change', () => keepName(by.value.trim()))
  for (const target of targets) {
    const title = target.example.querySelector('h3')?.textContent ?? ''
    const language = target.element.querySelector('.locale')?.textContent ?? ''
    target.element.append(
      createButton('Comment', () => edit(target), `Comment on the ${language} text of “${title}”`),
      createElement('div', 'notes'),
    )
  }
  loadComments()
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
    const drafts = [...document.querySelectorAll<HTMLTextAreaElement>('.draft textarea')]
    if (wouldLose() || drafts.some(({ value, defaultValue }) => value.trim() !== defaultValue)) event.preventDefault()
  })
}

function edit(target: CommentTarget, comment?: ReviewComment): void {
  const open = target.element.querySelector<HTMLTextAreaElement>('.draft textarea')
  if (open !== null) {
    open.focus()
    return
  }
  const draft = createElement('form', 'draft')
  const about = createElement('select')
  for (const [id, text] of target.parts) {
    const option = createElement(
      'option',
      '',
      text === target.said || id === target.parts[0]?.[0] ? 'The sentence' : `“${text.trim()}”`,
    )
    option.value = id
    about.append(option)
  }
  if (comment !== undefined) about.value = comment.textId
  const words = createElement('textarea')
  words.defaultValue = comment?.comment ?? ''
  words.rows = 3
  const close = () => {
    draft.remove()
    target.element.querySelector('button')?.focus()
  }
  const keep = createElement('button', 'primary', 'Keep')
  draft.append(label('Part of the text', about), label('Comment', words), keep, createButton('Cancel', close))
  draft.addEventListener('submit', (event) => {
    event.preventDefault()
    if (words.value.trim() === '') {
      words.focus()
      return
    }
    close()
    putComment(writeComment(target, about.value, words.value.trim(), comment))
    showComments()
    tell(
      keepsComments()
        ? 'Comment kept in this browser.'
        : 'This browser does not keep comments for this page. Save them to a file before you close it.',
    )
  })
  words.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && words.value.trim() === words.defaultValue) close()
  })
  target.element.querySelector('.notes')?.before(draft)
  words.focus()
}

function label(text: string, control: HTMLElement): HTMLLabelElement {
  const element = createElement('label', '', text)
  element.append(control)
  return element
}

function writeComment(target: CommentTarget, textId: string, comment: string, former?: ReviewComment): ReviewComment {
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
  for (const example of examples) {
    const marks = new Set((example.dataset.show ?? '').split(' '))
    if (example.querySelector('.note') === null) marks.delete('commented')
    else marks.add('commented')
    example.dataset.show = [...marks].join(' ')
  }
  getElement('comments', HTMLElement).textContent = `(${comments.length})`
  applyFilters()
}

function createNote(comment: ReviewComment, target?: CommentTarget): HTMLElement {
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
