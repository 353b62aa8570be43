import type { Created, TaskStatus, UsageEntry } from './answers.js'
import { type ApiCall, CallError, type Exchange, send } from './api.js'
import { isEnded, retryTransient, wait } from './follow.js'
import { findGuestPet } from './key.js'
import type { Pet } from './pets.js'

const defaultSeconds = 3

/** An error to show; `retry` is set if the reader can try again and it may help. */
export interface ShownProblem {
  readonly error: CallError
  readonly retry?: () => void
}

/** An exchange; of repeated queries of the same path, the last one and their number. */
export interface SeenExchange {
  readonly exchange: Exchange
  readonly times: number
}

/** The activity of a step for one subject, such as a pet. It is kept while the step shows another subject. */
export class Activity {
  status = ''
  cost = ''
  problem: ShownProblem | undefined
  exchanges: readonly SeenExchange[] = []
  isBusy = false
  #next: (() => Promise<void>) | undefined

  constructor(private readonly onChange: () => void) {}

  /** Sends a call and shows it. Throws `CallError`. */
  call<T>(call: ApiCall): Promise<T> {
    return send<T>(call, (exchange) => this.note(exchange))
  }

  /**
   * Polls a task until it has ended, or until `isWanted` returns false, at the interval that the server gives, and calls `onSeen`
   * with each state. Shows errors that it retries.
   */
  async follow<T extends Created & { readonly status: TaskStatus }>(
    path: string,
    onSeen = (_: T) => {},
    isWanted = () => true,
  ): Promise<T> {
    for (;;) {
      const task = await retryTransient(
        () => this.call<T>({ method: 'GET', path }),
        (error) => this.showProblem(error),
      )
      this.hideProblem()
      onSeen(task)
      if (isEnded(task) || !isWanted()) return task
      await wait(task.poll_after_seconds ?? defaultSeconds)
    }
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

  /** Runs an action unless one is running. Shows errors, with a retry. */
  async run(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) return
    await this.#do(action)
    while (this.#next !== undefined) {
      const next = this.#next
      this.#next = undefined
      await this.#do(next)
    }
  }

  /** Runs an action after the running one. Of several waiting actions only the last runs. */
  async runNext(action: () => Promise<void>): Promise<void> {
    if (this.isBusy) this.#next = action
    else await this.run(action)
  }

  /** True if another action waits. */
  get isOvertaken(): boolean {
    return this.#next !== undefined
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

  /** Shows the cost of a pet so far. */
  async showCost(pet: Pet): Promise<void> {
    this.sayCost(await describeUsage(pet))
  }

  showProblem(error: CallError): void {
    this.#change({ problem: { error } })
  }

  hideProblem(): void {
    if (this.problem !== undefined) this.#change({ problem: undefined })
  }

  #change(change: Partial<Pick<Activity, 'status' | 'cost' | 'problem' | 'exchanges' | 'isBusy'>>): void {
    Object.assign(this, change)
    this.onChange()
  }
}

export const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 })

/** Describes the cost of a pet so far, or says that the key may not see it. */
async function describeUsage({ id, userId, name }: Pet): Promise<string> {
  if (findGuestPet() !== undefined) return ''
  try {
    const { entries } = await send<{ entries: UsageEntry[] }>({ method: 'GET', path: '_svc/usage?by=pet' })
    const mine = entries.find(({ pet_id, user_id }) => pet_id === id && user_id === userId)
    if (mine === undefined) return `${name} has cost nothing so far.`
    const { requests, units, cost } = mine
    return `${name} so far: ${count(requests, 'request')}, ${count(units, 'picture or clip', 'pictures and clips')}, ${money.format(cost)}`
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return error.status === 403 ? 'Only keys made with --admin see the cost.' : ''
  }
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}
