import { makeCopyButton } from '../shared/copy.js'
import { make } from '../shared/dom.js'
import type { Exchange } from './api.js'
import { toCurl } from './curl.js'

/** The requests of a step and their answers; of queries of the same thing the last. */
export class ExchangeList {
  readonly root: HTMLDetailsElement
  readonly #summary = make('span', { class: 'brief' })
  readonly #list = make('div', { class: 'exchanges' })
  #shown: { exchange: Exchange; times: number }[] = []

  constructor() {
    const summary = make('summary', {}, 'Request and answer ', this.#summary)
    this.root = make('details', { class: 'trace' }, summary, describeKey(), this.#list)
    this.root.hidden = true
    // What nobody looks at is not drawn: a long poll would do so again and again.
    this.root.addEventListener('toggle', () => this.#draw())
  }

  clear(): void {
    this.#shown = []
    this.root.hidden = true
  }

  add(exchange: Exchange): void {
    const last = this.#shown.at(-1)
    const { method, path } = exchange.call
    const isAgain = method === 'GET' && last?.exchange.call.path === path && last.exchange.call.method === method
    if (isAgain) this.#shown.pop()
    this.#shown.push({ exchange, times: isAgain ? last.times + 1 : 1 })
    this.root.hidden = false
    this.#summary.textContent = describe(exchange)
    this.#draw()
  }

  #draw(): void {
    if (this.root.open) this.#list.replaceChildren(...this.#shown.map(({ exchange, times }) => draw(exchange, times)))
  }
}

/** What the commands need of the shell that they are pasted into. */
function describeKey(): HTMLElement {
  const command = make('code', {}, 'export SVC_API_KEY=svc_…')
  return make('p', { class: 'note' }, 'The commands take the key from your shell. Once, before them: ', command)
}

function describe({ call, status, durationMs }: Exchange): string {
  return `${call.method} /${call.path.replace(/\?.*/, '')} ${status ?? 'no answer'} · ${Math.round(durationMs)} ms`
}

function draw(exchange: Exchange, times: number): HTMLElement {
  const title = describe(exchange) + (times > 1 ? ` · the last of ${times}` : '')
  const curl = makeCode(toCurl(exchange.call), 'Request as curl')
  const answer = makeCode(
    exchange.answer === undefined ? 'No answer.' : JSON.stringify(exchange.answer, null, 2),
    'Answer',
  )
  return make(
    'div',
    { class: 'exchange' },
    make('div', { class: 'line' }, make('code', {}, title), makeCopyButton('Copy as curl', curl)),
    curl,
    answer,
  )
}

/** Scrolls within itself, also for those who scroll with keys. */
function makeCode(text: string, label: string): HTMLPreElement {
  return make('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text)
}
