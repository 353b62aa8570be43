import { get, make } from '../shared/dom.js'
import { CallError, send } from './api.js'
import { wait } from './follow.js'
import { getKey } from './key.js'
import { describeRequest } from './request-story.js'
import { showProblem } from './step.js'

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

  constructor() {
    this.#hold.addEventListener('click', () => {
      this.#isHeld = !this.#isHeld
      this.#hold.textContent = this.#isHeld ? 'Go on' : 'Hold'
    })
  }

  /** Looks for new requests as long as the key may, and the page is seen. */
  async watch(): Promise<void> {
    const key = getKey()
    if (key === this.#key) return
    this.#key = key
    this.#cursor = undefined
    this.#rows.replaceChildren()
    while (this.#key === getKey() && this.#key !== '') {
      if (!this.#isHeld && !document.hidden && !(await this.#look())) break
      await wait(everySeconds)
    }
    this.#reveal(false)
    if (this.#key === key) this.#key = ''
  }

  /** Shows a request on top; of those that ask for the same again and again, only the last. */
  #show(row: RequestRow): void {
    const query = toQuery(row)
    const [same] =
      query === undefined ? [] : this.#rows.querySelectorAll<HTMLElement>(`[data-query="${CSS.escape(query)}"]`)
    const isRead = same?.querySelector('[aria-expanded=true]') != null
    if (!isRead) same?.remove()
    this.#rows.prepend(drawRow(row, isRead ? 1 : Number(same?.dataset.times ?? 0) + 1))
  }

  #reveal(isSeen: boolean): void {
    this.#table.hidden = !isSeen
    this.#hold.hidden = !isSeen
    this.#note.hidden = isSeen
  }

  /** Answers whether to look again. */
  async #look(): Promise<boolean> {
    const query = new URLSearchParams({ limit: String(atOnce), ...(this.#cursor && { after: this.#cursor }) })
    try {
      const { data, cursor } = await send<RequestPage>({ method: 'GET', path: `_svc/requests?${query}` })
      this.#cursor = cursor
      this.#problem.replaceChildren()
      this.#reveal(true)
      for (const row of data) if (!isAside(row)) this.#show(row)
      while (this.#rows.childElementCount > shownAtMost) this.#rows.lastElementChild?.remove()
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.isPassing) showProblem(this.#problem, error)
      return error.isPassing
    }
  }
}

/** What the page itself asks for to show what it shows. */
function isAside({ path }: RequestRow): boolean {
  return /^\/(_svc|objects)\//.test(path)
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

function drawRow(row: RequestRow, times: number): HTMLTableRowElement {
  const { time, method, path, status, duration_ms, key_name, pet_id } = row
  const button = make('button', { type: 'button', class: 'link', 'aria-expanded': 'false' }, `${method} ${path}`)
  const line = make(
    'tr',
    { 'data-query': toQuery(row), 'data-times': String(times) },
    make('td', {}, make('time', { datetime: time }, clock.format(new Date(time)))),
    make('td', {}, button, times > 1 ? ` the last of ${times}` : ''),
    make('td', {}, make('span', { class: 'code', 'data-class': String(status)[0] }, String(status))),
    make('td', { class: 'number' }, formatDuration(duration_ms)),
    make('td', {}, key_name ?? ''),
    make('td', {}, pet_id ?? ''),
  )
  button.addEventListener('click', () => void toggleStory(line, button, row.request_id))
  return line
}

/** What a request asks for, if it only asks: the same again tells little. */
function toQuery({ method, path, status, key_name }: RequestRow): string | undefined {
  return method === 'GET' ? [status, key_name, path].join(' ') : undefined
}

async function toggleStory(line: HTMLElement, button: HTMLButtonElement, requestId: string): Promise<void> {
  const isOpen = button.ariaExpanded === 'true'
  button.ariaExpanded = String(!isOpen)
  if (isOpen) {
    line.nextElementSibling?.remove()
    return
  }
  const cell = make('td', { colspan: '6' }, 'Reading…')
  line.after(make('tr', { class: 'story' }, cell))
  cell.replaceChildren(await describeRequest(requestId))
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
