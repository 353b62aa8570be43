import type { Locale } from '../../insight/types.js'
import { parseCommentFile, type ReviewComment } from '../comment-file.js'
import type { PageData } from '../page-data.js'
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

/** One text of the page with what a comment says of it. */
interface Place {
  readonly element: HTMLElement
  readonly example: HTMLElement
  readonly exampleId: string
  readonly locale: Locale
  readonly said: string
  readonly parts: readonly (readonly [id: string, text: string])[]
}

const places: readonly Place[] = examples.flatMap((example) => {
  const [exampleId, ...parts] = data.examples[Number(example.id.slice(1))] ?? ['']
  return columns.flatMap((locale, column) => {
    const element = example.querySelector<HTMLElement>(`[data-locale="${locale}"]`)
    const said = element?.querySelector('.words')?.textContent ?? ''
    return element === null ? [] : [{ element, example, exampleId, locale, said, parts: parts[column] ?? [] }]
  })
})

/** Opens the comment on the text of an example in a column, or puts the cursor into the one that is open. */
export function openComment(example: HTMLElement, column: number): void {
  const place = places.find((one) => one.example === example && one.locale === columns[column])
  if (place !== undefined) edit(place)
}

export function startComments(): void {
  by.value = recallName()
  by.addEventListener('change', () => keepName(by.value.trim()))
  for (const place of places) {
    const title = place.example.querySelector('h3')?.textContent ?? ''
    const language = place.element.querySelector('.locale')?.textContent ?? ''
    place.element.append(
      createButton('Comment', () => edit(place), `Comment on the ${language} text of “${title}”`),
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

function edit(place: Place, comment?: ReviewComment): void {
  const open = place.element.querySelector<HTMLTextAreaElement>('.draft textarea')
  if (open !== null) {
    open.focus()
    return
  }
  const draft = createElement('form', 'draft')
  const about = createElement('select')
  for (const [id, text] of place.parts) {
    const option = createElement(
      'option',
      '',
      text === place.said || id === place.parts[0]?.[0] ? 'The sentence' : `“${text.trim()}”`,
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
    place.element.querySelector('button')?.focus()
  }
  const keep = createElement('button', 'primary', 'Keep')
  draft.append(label('What you mean', about), label('Comment', words), keep, createButton('Cancel', close))
  draft.addEventListener('submit', (event) => {
    event.preventDefault()
    if (words.value.trim() === '') {
      words.focus()
      return
    }
    close()
    putComment(writeComment(place, about.value, words.value.trim(), comment))
    showComments()
    tell(
      keepsComments()
        ? 'Comment kept in this browser.'
        : 'This browser does not keep comments for this page: save them to a file before you close it.',
    )
  })
  words.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && words.value.trim() === words.defaultValue) close()
  })
  place.element.querySelector('.notes')?.before(draft)
  words.focus()
}

function label(text: string, control: HTMLElement): HTMLLabelElement {
  const element = createElement('label', '', text)
  element.append(control)
  return element
}

function writeComment(place: Place, textId: string, comment: string, former?: ReviewComment): ReviewComment {
  const { exampleId, locale, said } = place
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

/** Puts every comment under its text, counts them, and lists those whose text is not on this page. */
function showComments(): void {
  const comments = listComments()
  const shown = new Set<ReviewComment>()
  for (const place of places) {
    const own = comments.filter(({ example, locale }) => example === place.exampleId && locale === place.locale)
    for (const comment of own) shown.add(comment)
    place.element.querySelector('.notes')?.replaceChildren(...own.map((comment) => createNote(comment, place)))
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

function createNote(comment: ReviewComment, place?: Place): HTMLElement {
  const note = createElement('div', 'note')
  const part = place?.parts.find(([id]) => id === comment.textId)
  const about = part === undefined || part === place?.parts[0] ? '' : ` on “${part[1].trim()}”`
  const changed = place !== undefined && place.said === comment.said ? '' : ' · The text was another then:'
  note.append(createElement('p', 'by', `${comment.by || 'No name'}, ${comment.at.slice(0, 10)}${about}${changed}`))
  if (changed !== '') {
    const said = createElement('p', 'then', comment.said)
    said.lang = comment.locale
    note.append(said)
  }
  note.append(createElement('p', 'comment', comment.comment))
  if (place !== undefined) note.append(createButton('Edit', () => edit(place, comment)))
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
  // The browser reads it after this turn.
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
