import { get, make } from '../shared/dom.js'
import { ExchangeList } from './exchange.js'
import type { Pets } from './pets.js'
import { showProblem } from './problem.js'
import { makeRequestLink } from './requests.js'
import { type Problem, Work } from './work.js'

/**
 * A section of the page: says how it goes, shows what went wrong, its requests with their answers, and the cost. All of this
 * is of one subject at a time: what happens to another one is shown when its turn comes.
 */
export class Step {
  readonly root: HTMLElement
  readonly #status: HTMLElement
  readonly #place: HTMLElement
  readonly #cost = make('p', { class: 'cost' })
  readonly #exchanges = new ExchangeList()
  readonly #works = new Map<string, Work>()
  #front = this.of('')
  #problem: Problem | undefined

  readonly #onDraw: () => void

  /** `onDraw` is called whenever the step is drawn anew, so that its own parts can follow. */
  constructor(selector: string, onDraw = () => {}) {
    this.#onDraw = onDraw
    this.root = get(HTMLElement, selector)
    this.#status = get(HTMLElement, '.status', this.root)
    this.#status.tabIndex = -1
    // The form for the key, in the first step, has a place of its own for this.
    this.#place = get(HTMLElement, '.problem:not(form.key *)', this.root)
    get(HTMLElement, '.under', this.root).append(this.#exchanges.root, this.#cost)
  }

  /** The work for a subject; that of `''` is in front until another one is shown. */
  of(subject: string): Work {
    const work = this.#works.get(subject) ?? new Work(() => this.#front === work && this.#draw())
    this.#works.set(subject, work)
    return work
  }

  /** Has the pet that is in front on the page in front here, too. */
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
    // What stays the same is not written again: it would be read aloud again.
    if (this.#status.textContent !== status) this.#status.textContent = status
    if (this.#cost.textContent !== cost) this.#cost.textContent = cost
    this.root.ariaBusy = String(isBusy)
    this.#exchanges.show(exchanges)
    if (problem !== this.#problem) this.#drawProblem(problem)
    this.#onDraw()
  }

  #drawProblem(problem: Problem | undefined): void {
    this.#problem = problem
    // The button that is pressed goes; who pressed it goes on at what is said of the new try.
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
