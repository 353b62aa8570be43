import { makeCopyButton } from '../shared/copy.js'
import { make } from '../shared/dom.js'
import type { SeenExchange } from './activity.js'
import type { Exchange } from './api.js'
import { toCurl } from './curl.js'

/** The requests of a step and their answers. */
export class ExchangeList {
  readonly root: HTMLDetailsElement
  readonly #summary = make('span', { class: 'brief' })
  readonly #list = make('div', { class: 'exchanges' })
  #shown: readonly SeenExchange[] = []
  #views: ExchangeView[] = []

  constructor() {
    const summary = make('summary', {}, 'Request and answer ', this.#summary)
    this.root = make('details', { class: 'trace' }, summary, describeKey(), this.#list)
    this.root.hidden = true
    // A closed list is not drawn: polling would redraw it again and again.
    this.root.addEventListener('toggle', () => this.#draw())
  }

  show(exchanges: readonly SeenExchange[]): void {
    if (exchanges === this.#shown) return
    this.#shown = exchanges
    const last = exchanges.at(-1)
    this.root.hidden = last === undefined
    if (last !== undefined) this.#summary.textContent = describe(last.exchange)
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
    for (const [index, view] of views.entries()) {
      const [seen, atPlace] = [this.#shown[index], this.#list.children[index]]
      if (atPlace !== view.root) this.#list.insertBefore(view.root, atPlace ?? null)
      if (seen !== undefined) view.show(seen)
    }
    this.#views = views
  }
}

/** One request, with the last of its answers. */
class ExchangeView {
  readonly call: string
  readonly root: HTMLElement
  readonly #title = make('code')
  readonly #answer = makeCode('', 'Answer')

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
  const end = madeBy ?? `${status ?? 'no answer'} · ${Math.round(durationMs)} ms`
  return `${call.method} /${call.path.replace(/\?.*/, '')} ${end}`
}

function describeAnswer({ answer, madeBy }: Exchange): string {
  if (answer !== undefined) return JSON.stringify(answer, null, 2)
  return madeBy === undefined ? 'No answer.' : 'This page did not see the answer.'
}

/** Makes a block that scrolls, also by keyboard. */
function makeCode(text: string, label: string): HTMLPreElement {
  return make('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text)
}
