import { type Call, CallError, type Exchange, send } from './api.js'
import type { Pet } from './pets.js'
import { describeUsage } from './usage.js'

/** What went wrong; `retry` where trying again is up to the reader and may help. */
export interface Problem {
  readonly error: CallError
  readonly retry?: () => void
}

/** An exchange, of queries of the same thing the last. */
export interface SeenExchange {
  readonly exchange: Exchange
  readonly times: number
}

/** What a step does for one subject, such as a pet: all of this is kept while the step shows another one. */
export class Work {
  status = ''
  cost = ''
  problem: Problem | undefined
  exchanges: readonly SeenExchange[] = []
  isBusy = false
  readonly #onChange: () => void
  #wish: (() => Promise<void>) | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Sends a call and shows it. Throws `CallError`. */
  call<T>(call: Call): Promise<T> {
    return send<T>(call, (exchange) => this.note(exchange))
  }

  note(exchange: Exchange): void {
    const last = this.exchanges.at(-1)
    const { method, path } = exchange.call
    const isAgain = method === 'GET' && last?.exchange.call.path === path && last.exchange.call.method === method
    this.#change({
      exchanges: isAgain
        ? [...this.exchanges.slice(0, -1), { exchange, times: last.times + 1 }]
        : [...this.exchanges, { exchange, times: 1 }],
    })
  }

  /** Does something, unless it is at work already. Errors are shown, and how it can be tried again. */
  async run(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return
    await this.#do(action)
    while (this.#wish !== undefined) {
      const wish = this.#wish
      this.#wish = undefined
      await this.#do(wish)
    }
  }

  /** Does something, or once it is done with what it is at; of all that is wished meanwhile the last. */
  async runNext(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) this.#wish = action
    else await this.run(action)
  }

  async #do(action: () => Promise<void>): Promise<void> {
    this.#change({ problem: undefined, exchanges: [], isBusy: true })
    try {
      await action()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      this.#change({ status: '', problem: { error, retry: () => void this.run(action) } })
    } finally {
      this.#change({ isBusy: false })
    }
  }

  say(status: string): void {
    this.#change({ status })
  }

  sayCost(cost: string): void {
    this.#change({ cost })
  }

  /** Says what a pet has cost so far. */
  async showCost(pet: Pet): Promise<void> {
    this.sayCost(await describeUsage(pet))
  }

  showProblem(error: CallError): void {
    this.#change({ problem: { error } })
  }

  hideProblem(): void {
    if (this.problem !== undefined) this.#change({ problem: undefined })
  }

  #change(change: Partial<Pick<Work, 'status' | 'cost' | 'problem' | 'exchanges' | 'isBusy'>>): void {
    Object.assign(this, change)
    this.#onChange()
  }
}
