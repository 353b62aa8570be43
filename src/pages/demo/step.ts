import { makeCopyButton } from '../shared/copy.js'
import { get, make } from '../shared/dom.js'
import { Activity, type SeenExchange, type ShownProblem } from './activity.js'
import { type ApiCall, type Exchange, type FormField, toAddress } from './api.js'
import type { Pets } from './pets.js'
import { showProblem } from './problem.js'
import { makeRequestLink } from './requests.js'

/** The requests of a step and their responses. */
class ExchangeList {
  readonly root: HTMLDetailsElement
  readonly #summary = make('span', { class: 'brief' })
  readonly #made = make('div', { class: 'exchanges' })
  readonly #polled = make('div', { class: 'exchanges' })
  readonly #polls = make('details', {}, make('summary', {}, 'Queries'), this.#polled)
  #shown: readonly SeenExchange[] = []
  #views: ExchangeView[] = []

  constructor() {
    const summary = make('summary', {}, 'Request and answer ', this.#summary)
    this.root = make('details', { class: 'trace' }, summary, describeKey(), this.#made, this.#polls)
    this.root.hidden = true
    // A closed list is not drawn: polling would redraw it again and again.
    this.root.addEventListener('toggle', () => this.#draw())
  }

  show(exchanges: readonly SeenExchange[]): void {
    if (exchanges === this.#shown) return
    this.#shown = exchanges
    // The call that made the result says more than the queries after it.
    const main = exchanges.findLast(isCreation) ?? exchanges.at(-1)
    this.root.hidden = main === undefined
    if (main !== undefined) this.#summary.textContent = describe(main.exchange)
    this.#draw()
  }

  #draw(): void {
    if (!this.root.open) return
    // Views of the same request stay in place, so that they keep the focus.
    const views = this.#shown.map((seen, index) => {
      const drawn = this.#views[index]
      return drawn?.call === toCurl(seen.exchange.call) ? drawn : new ExchangeView(seen.exchange)
    })
    for (const view of this.#views) if (!views.includes(view)) view.root.remove()
    const places = new Map([this.#made, this.#polled].map((list) => [list, 0]))
    for (const [index, view] of views.entries()) {
      const seen = this.#shown[index]
      if (seen === undefined) continue
      const list = isCreation(seen) ? this.#made : this.#polled
      const place = places.get(list) ?? 0
      const atPlace = list.children[place]
      if (atPlace !== view.root) list.insertBefore(view.root, atPlace ?? null)
      places.set(list, place + 1)
      view.show(seen)
    }
    this.#polls.hidden = this.#polled.childElementCount === 0
    this.#views = views
  }
}

const isCreation = ({ exchange }: SeenExchange) => exchange.call.method === 'POST'

/** One request, with the last of its responses. */
class ExchangeView {
  readonly call: string
  readonly root: HTMLElement
  readonly #title = make('code')
  readonly #answer = makeCode('', 'Response')

  constructor({ call }: Exchange) {
    this.call = toCurl(call)
    const curl = makeCode(this.call, 'Request as curl')
    const line = make('div', { class: 'line' }, this.#title, makeCopyButton('Copy as curl', curl))
    this.root = make('div', { class: 'exchange' }, line, curl, this.#answer)
  }

  show({ exchange, times }: SeenExchange): void {
    this.#title.textContent = describe(exchange) + (times > 1 ? ` · the last of ${times}` : '')
    this.#answer.textContent = describeAnswer(exchange)
  }
}

/** Explains the variable that the commands need in the shell. */
function describeKey(): HTMLElement {
  const command = make('code', {}, 'export SVC_API_KEY=svc_…')
  return make('p', { class: 'note' }, 'The commands take the key from your shell. Once, before them: ', command)
}

function describe({ call, madeBy, status, durationMs }: Exchange): string {
  const end = madeBy ?? `${status ?? 'no response'} · ${Math.round(durationMs)} ms`
  return `${call.method} /${call.path.replace(/\?.*/, '')} ${end}`
}

function describeAnswer({ answer, madeBy }: Exchange): string {
  if (answer !== undefined) return JSON.stringify(answer, null, 2)
  return madeBy === undefined ? 'No response.' : 'This page did not see the response.'
}

/** Makes a block that scrolls, also by keyboard. */
function makeCode(text: string, label: string): HTMLPreElement {
  return make('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text)
}

/** Renders a call as a shell command, with the key as `$SVC_API_KEY`. Files that the server has are fetched first. */
function toCurl({ method, path, json, form }: ApiCall): string {
  const lines = [`curl -sS ${quote(toAddress(path).href)}`, '-H "Authorization: Bearer $SVC_API_KEY"']
  if (json !== undefined) lines.push("-H 'Content-Type: application/json'", `--data-raw ${quote(JSON.stringify(json))}`)
  for (const [name, value] of form ?? []) {
    // With -F, curl would read a leading @ or < in a text field as a file name.
    lines.push(
      typeof value === 'string' ? `--form-string ${quote(`${name}=${value}`)}` : `-F ${quoteFile(name, value)}`,
    )
  }
  if (method === 'POST' && json === undefined && form === undefined) lines.push('-X POST')
  return [...(form ?? []).flatMap(fetchFile), lines.join(' \\\n  ')].join('\n')
}

function fetchFile([, value, source]: FormField): string[] {
  if (typeof value === 'string' || source === undefined) return []
  return [`curl -sS -o ${quote(value.name)} ${quote(toAddress(source).href)}`]
}

/** Quotes a text literally, for any POSIX shell. */
function quote(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function quoteFile(field: string, { name }: File): string {
  return quote(`${field}=@"${name.replaceAll(/[\\"]/g, '\\$&')}"`)
}

/**
 * A section of the page: shows its progress, its errors, its requests with their responses, and the cost, of one subject at a
 * time. The activity of another subject is shown when that becomes current.
 */
export class Step {
  readonly root: HTMLElement
  readonly #status: HTMLElement
  readonly #place: HTMLElement
  readonly #cost = make('p', { class: 'cost' })
  readonly #exchanges = new ExchangeList()
  readonly #activities = new Map<string, Activity>()
  #front = this.of('')
  #problem: ShownProblem | undefined

  /** Calls `onDraw` whenever the step is redrawn, so that its own elements can follow. */
  constructor(
    selector: string,
    private readonly onDraw = () => {},
  ) {
    this.root = get(HTMLElement, selector)
    this.#status = get(HTMLElement, '.status', this.root)
    this.#status.tabIndex = -1
    // The key form, in the first step, has its own element for errors.
    this.#place = get(HTMLElement, '.problem:not(form.key *)', this.root)
    get(HTMLElement, ':scope > .under', this.root).append(this.#exchanges.root, this.#cost)
  }

  /** Returns the activity of a subject; that of `''` is shown until another one is. */
  of(subject: string): Activity {
    const activity = this.#activities.get(subject) ?? new Activity(() => this.#front === activity && this.#draw())
    this.#activities.set(subject, activity)
    return activity
  }

  /** Shows the current pet of the page. */
  followPets(pets: Pets): void {
    const show = () => {
      this.#front = this.of(pets.current.id)
      this.#draw()
    }
    pets.onChange((_, isOther) => isOther && show())
    show()
  }

  #draw(): void {
    const { cost, exchanges, isBusy, problem, status } = this.#front
    // Unchanged text is not written again, since screen readers would read it again.
    if (this.#status.textContent !== status) this.#status.textContent = status
    if (this.#cost.textContent !== cost) this.#cost.textContent = cost
    this.root.ariaBusy = String(isBusy)
    this.#exchanges.show(exchanges)
    if (problem !== this.#problem) this.#drawProblem(problem)
    this.onDraw()
  }

  #drawProblem(problem: ShownProblem | undefined): void {
    this.#problem = problem
    // The pressed button disappears, so the focus moves to the status of the new attempt.
    const hadFocus = this.#place.contains(document.activeElement)
    if (problem === undefined) this.#place.replaceChildren()
    else {
      const { envelope } = problem.error
      showProblem(this.#place, problem.error, problem.retry)
      if (envelope !== undefined) this.#place.append(make('p', {}, makeRequestLink(envelope.error.request_id)))
    }
    if (hadFocus) this.#status.focus()
  }
}
