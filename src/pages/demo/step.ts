import { get, make } from '../shared/dom.js'
import { Activity, type ShownProblem } from './activity.js'
import { ExchangeList } from './exchange.js'
import type { Pets } from './pets.js'
import { showProblem } from './problem.js'
import { makeRequestLink } from './requests.js'

/**
 * A section of the page: shows its progress, its errors, its requests with their answers, and the cost, of one subject at a
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

  readonly #onDraw: () => void

  /** Calls `onDraw` whenever the step is redrawn, so that its own elements can follow. */
  constructor(selector: string, onDraw = () => {}) {
    this.#onDraw = onDraw
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
    this.#onDraw()
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
