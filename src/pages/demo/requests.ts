import { get, make } from '../shared/dom.js'
import { CallError, send } from './api.js'
import { wait } from './follow.js'
import { getKey } from './key.js'
import { showProblem } from './problem.js'
import { describeRequest } from './request-story.js'

export interface RequestRow {
  readonly time: string
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly duration_ms: number
  readonly key_name?: string
  readonly pet_id?: string
  readonly task_id?: string
}

interface RequestPage {
  readonly data: readonly RequestRow[]
  readonly cursor: string
}

const everySeconds = 2
const atOnce = 50
const shownAtMost = 200

/** The live list of requests, for keys that may see it. */
export class RequestList {
  readonly #rows = get(HTMLElement, '#request-rows')
  readonly #table = get(HTMLElement, '#request-table')
  readonly #hold = get(HTMLButtonElement, '#hold')
  readonly #problem = get(HTMLElement, '#requests .problem')
  readonly #note = get(HTMLElement, '#requests .status')
  #cursor: string | undefined
  /** The key that is looked with; another one begins anew. */
  #key = ''
  #isHeld = false
  /** The request that somebody wants to see. */
  #wanted: string | undefined

  constructor() {
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-request]') : null
      this.#wanted = link?.dataset.request
      // Else the link leads to the list, and its request is shown as soon as it is there.
      if (this.#showWanted()) event.preventDefault()
    })
    this.#hold.addEventListener('click', () => {
      this.#isHeld = !this.#isHeld
      this.#hold.textContent = this.#isHeld ? 'Go on' : 'Hold'
    })
  }

  /** Looks for new requests as long as the key may, and the page is seen. */
  async watch(): Promise<void> {
    const key = getKey()
    if (key === this.#key) return
    this.clear()
    this.#key = key
    while (this.#key === getKey() && this.#key !== '') {
      const looks = !this.#isHeld || this.#wanted !== undefined
      if (looks && !document.hidden && !(await this.#look())) break
      await wait(everySeconds)
    }
    if (this.#key === key) this.#key = ''
  }

  /** Forgets what was shown. */
  clear(): void {
    this.#cursor = undefined
    this.#rows.replaceChildren()
    this.#problem.replaceChildren()
    this.#reveal(false)
  }

  /** Shows a request on top; of those that ask for the same again and again, only the last. */
  #show(row: RequestRow): void {
    const query = toQuery(row)
    const [same] =
      query === undefined ? [] : this.#rows.querySelectorAll<HTMLElement>(`[data-query="${CSS.escape(query)}"]`)
    if (same === undefined || same.querySelector('[aria-expanded=true]') !== null) {
      this.#rows.prepend(drawRow(row))
      return
    }
    fillRow(same, row, Number(same.dataset.times) + 1)
    // To move it would take the focus away.
    if (!same.contains(document.activeElement)) this.#rows.prepend(same)
  }

  /** Goes to the request that is wanted, and opens its story. Answers whether it is there. */
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

  /** Answers whether to look again. */
  async #look(): Promise<boolean> {
    const query = new URLSearchParams({ limit: String(atOnce), ...(this.#cursor && { after: this.#cursor }) })
    const key = this.#key
    try {
      const { data, cursor } = await send<RequestPage>({ method: 'GET', path: `_svc/requests?${query}` })
      if (key !== getKey()) return false
      this.#cursor = cursor
      this.#problem.replaceChildren()
      this.#reveal(true)
      for (const row of data) if (!isAside(row)) this.#show(row)
      while (this.#rows.childElementCount > shownAtMost) this.#rows.lastElementChild?.remove()
      this.#showWanted()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // What was seen with a key that has ended stays; a key that may not see it is told so.
      if (error.status === 403) this.clear()
      else showProblem(this.#problem, error)
      return error.isPassing
    }
  }
}

/** What the page itself asks for to show what it shows. */
function isAside({ path }: RequestRow): boolean {
  return /^\/(_svc|objects)\//.test(path)
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
  button.addEventListener('click', () => void toggleStory(line, button))
  return line
}

/** Writes a request into its row; `times` says the how-manieth of its kind it is. */
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

/** What a request asks for, if it only asks: the same again tells little. */
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

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** A link to a request in the list: to its story, which an answer may keep to itself. */
export function makeRequestLink(requestId: string): HTMLElement {
  return make('a', { href: '#requests', 'data-request': requestId }, 'See what the server saw')
}
