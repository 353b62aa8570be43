import { get, make } from '../shared/dom.js'
import { type Call, CallError, send } from './api.js'
import { ExchangeList } from './exchange.js'
import type { Pet } from './pets.js'
import { describeUsage } from './usage.js'

/** A section of the page: says how it goes, shows what went wrong, its requests with their answers, and the cost. */
export class Step {
  readonly root: HTMLElement
  readonly #status: HTMLElement
  readonly #problem: HTMLElement
  readonly #cost = make('p', { class: 'cost' })
  /** Of another pet, an answer that comes late is not shown. */
  #costOf: Pet | undefined
  readonly #exchanges = new ExchangeList()
  readonly #running = new Set<string>()

  constructor(selector: string) {
    this.root = get(HTMLElement, selector)
    this.#status = get(HTMLElement, '.status', this.root)
    // The form for the key, in the first step, has a place of its own for this.
    this.#problem = get(HTMLElement, '.problem:not(form.key *)', this.root)
    get(HTMLElement, '.under', this.root).append(this.#exchanges.root, this.#cost)
  }

  /** Sends a call and shows it. Throws `CallError`. */
  call<T>(call: Call): Promise<T> {
    return send<T>(call, (exchange) => this.#exchanges.add(exchange))
  }

  say(text: string): void {
    if (this.#status.textContent !== text) this.#status.textContent = text
  }

  /** Forgets what was shown of another pet. */
  clear(): void {
    this.say('')
    this.hideProblem()
    this.#exchanges.clear()
    this.#costOf = undefined
    this.#cost.textContent = ''
  }

  /** Does something, once at a time for each subject: errors are shown here, and how it can be tried again. */
  async run(subject: string, action: () => Promise<void>): Promise<void> {
    if (this.#running.has(subject)) return
    this.hideProblem()
    if (this.#running.size === 0) this.#exchanges.clear()
    this.#running.add(subject)
    this.root.ariaBusy = 'true'
    try {
      await action()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      this.say('')
      this.showProblem(error, () => void this.run(subject, action))
    } finally {
      this.#running.delete(subject)
      this.root.ariaBusy = String(this.#running.size > 0)
    }
  }

  async showCost(pet: Pet): Promise<void> {
    this.#costOf = pet
    const text = await describeUsage(pet)
    if (this.#costOf === pet) this.#cost.textContent = text
  }

  showCostWords(text: string): void {
    this.#cost.textContent = text
  }

  hideProblem(): void {
    this.#problem.replaceChildren()
  }

  /** Shows an error; `retry` where trying again is up to the reader and may help. */
  showProblem(error: CallError, retry?: () => void): void {
    showProblem(this.#problem, error, retry)
  }
}

export function showProblem(place: HTMLElement, error: CallError, retry?: () => void): void {
  const { envelope, isPassing, status } = error
  const lines: HTMLElement[] = [make('p', {}, make('strong', {}, error.message))]
  if (envelope === undefined) {
    lines.push(make('p', {}, retry === undefined ? 'Trying again…' : 'Is it running? Start it with “svc serve”.'))
  } else {
    const { code, request_id } = envelope.error
    lines.push(make('p', {}, make('code', {}, `${status} ${code}`), ' request ', make('code', {}, request_id)))
    lines.push(make('pre', { tabindex: '0', role: 'group', 'aria-label': 'Error' }, JSON.stringify(envelope, null, 2)))
  }
  place.replaceChildren(...lines)
  if (retry === undefined || !isPassing) return
  const button = make('button', { type: 'button', class: 'quiet' }, 'Try again')
  button.addEventListener('click', retry)
  place.append(button)
}
