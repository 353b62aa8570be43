import { get, make } from '../shared/dom.js'
import { CallError, send } from './api.js'
import { wait } from './follow.js'
import { getKey } from './key.js'
import { showProblem } from './problem.js'
import { describeRequest, formatDuration } from './request-detail.js'

export interface RequestRow {
  readonly time: string
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly key_name?: string
  readonly pet_id?: string
}

interface RequestPage {
  readonly data: readonly RequestRow[]
  readonly cursor: string
}

const everySeconds = 2
const atOnce = 50
const shownAtMost = 200

/** The live list of requests, for admin keys. */
export class RequestList {
  readonly #rows = get(HTMLElement, '#request-rows')
  readonly #table = get(HTMLElement, '#request-table')
  readonly #hold = get(HTMLButtonElement, '#hold')
  readonly #problem = get(HTMLElement, '#requests .problem')
  readonly #note = get(HTMLElement, '#requests .status')
  #cursor: string | undefined
  /** The key of the current list; another key starts a new one. */
  #key = ''
  #isHeld = false
  /** The request that the user wants to see. */
  #wanted: string | undefined

  constructor() {
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-request]') : null
      this.#wanted = link?.dataset.request
      // Otherwise the link leads to the list, and the request is shown as soon as it appears.
      if (this.#showWanted()) event.preventDefault()
    })
    this.#hold.addEventListener('click', () => {
      this.#isHeld = !this.#isHeld
      this.#hold.textContent = this.#isHeld ? 'Resume' : 'Hold'
    })
  }

  /** Polls for new requests while the key is permitted and the page is visible. */
  async watch(): Promise<void> {
    const key = getKey()
    if (key === this.#key) return
    this.clear()
    this.#key = key
    while (this.#key === getKey() && this.#key !== '') {
      const isPolling = !this.#isHeld || this.#wanted !== undefined
      if (isPolling && !document.hidden && !(await this.#poll())) break
      await wait(everySeconds)
    }
    if (this.#key === key) this.#key = ''
  }

  /** Empties the list. */
  clear(): void {
    this.#cursor = undefined
    this.#rows.replaceChildren()
    this.#problem.replaceChildren()
    this.#reveal(false)
  }

  /** Shows a request on top. Repeated queries share one row, which shows the last. */
  #show(row: RequestRow): void {
    const query = toQuery(row)
    const [same] =
      query === undefined ? [] : this.#rows.querySelectorAll<HTMLElement>(`[data-query="${CSS.escape(query)}"]`)
    if (same === undefined || same.querySelector('[aria-expanded=true]') !== null) {
      this.#rows.prepend(drawRow(row))
      return
    }
    fillRow(same, row, Number(same.dataset.times) + 1)
    // Moving the row would lose the focus.
    if (!same.contains(document.activeElement)) this.#rows.prepend(same)
  }

  /** Scrolls to the wanted request and opens its details. Returns false if it is not in the list. */
  #showWanted(): boolean {
    if (this.#wanted === undefined) return false
    const line = this.#rows.querySelector<HTMLElement>(`[data-request="${CSS.escape(this.#wanted)}"]`)
    if (line === null) return false
    this.#wanted = undefined
    const button = get(HTMLButtonElement, 'button', line)
    if (button.ariaExpanded !== 'true') void toggleStory(line, button)
    line.scrollIntoView({ block: 'center' })
    button.focus({ preventScroll: true })
    return true
  }

  #reveal(isSeen: boolean): void {
    this.#table.hidden = !isSeen
    this.#hold.hidden = !isSeen
    this.#note.hidden = isSeen
  }

  /** Returns true if polling should continue. */
  async #poll(): Promise<boolean> {
    const query = new URLSearchParams({ limit: String(atOnce), ...(this.#cursor && { after: this.#cursor }) })
    const key = this.#key
    try {
      const { data, cursor } = await send<RequestPage>({ method: 'GET', path: `_svc/requests?${query}` })
      if (key !== getKey()) return false
      this.#cursor = cursor
      this.#problem.replaceChildren()
      this.#reveal(true)
      // Without those that the page makes only to show this list and the pictures.
      for (const row of data) if (!/^\/(_svc|objects)\//.test(row.path)) this.#show(row)
      while (this.#rows.childElementCount > shownAtMost) this.#rows.lastElementChild?.remove()
      this.#showWanted()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // The list of an expired key stays; a key without permission gets an explanation.
      if (error.status === 403) this.clear()
      else showProblem(this.#problem, error)
      return error.isTransient
    }
  }
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

function drawRow(row: RequestRow): HTMLTableRowElement {
  const button = make('button', { type: 'button', class: 'link', 'aria-expanded': 'false' })
  const line = make(
    'tr',
    {},
    make('td'),
    make('td', {}, button, make('span', { class: 'times' })),
    make('td', {}, make('span', { class: 'code' })),
    make('td', { class: 'number' }),
    make('td'),
    make('td'),
  )
  fillRow(line, row, 1)
  line.addEventListener('click', () => void toggleStory(line, button))
  return line
}

/** Writes a request into its row; `times` is its number among repeated queries. */
function fillRow(line: HTMLElement, row: RequestRow, times: number): void {
  const { time, method, path, status, duration_ms, key_name, pet_id, request_id } = row
  Object.assign(line.dataset, { query: toQuery(row) ?? '', times: String(times), request: request_id })
  const [when, , , took, key, pet] = line.children
  get(HTMLButtonElement, 'button', line).textContent = `${method} ${path}`
  get(HTMLElement, '.times', line).textContent = times > 1 ? ` the last of ${times}` : ''
  const code = get(HTMLElement, '.code', line)
  code.textContent = String(status)
  code.dataset.class = String(status)[0] ?? ''
  when?.replaceChildren(make('time', { datetime: time }, clock.format(new Date(time))))
  took?.replaceChildren(formatDuration(duration_ms))
  key?.replaceChildren(key_name ?? '')
  pet?.replaceChildren(pet_id ?? '')
  pet?.setAttribute('title', pet_id ?? '')
}

/** Returns the identity of a GET request, by which repeated queries share a row. */
function toQuery({ method, path, status, key_name }: RequestRow): string | undefined {
  return method === 'GET' ? [status, key_name, path].join(' ') : undefined
}

async function toggleStory(line: HTMLElement, button: HTMLButtonElement): Promise<void> {
  const isOpen = button.ariaExpanded === 'true'
  button.ariaExpanded = String(!isOpen)
  if (isOpen) {
    line.nextElementSibling?.remove()
    return
  }
  const cell = make('td', { colspan: '6' }, 'Reading…')
  line.after(make('tr', { class: 'story' }, cell))
  cell.replaceChildren(await describeRequest(line.dataset.request ?? ''))
}

/** Makes a link to a request in the list, whose details the response may not show. */
export function makeRequestLink(requestId: string): HTMLElement {
  return make('a', { href: '#requests', 'data-request': requestId }, 'See what the server saw')
}
