import { get, make } from '../shared/dom.js'
import { CallError, send } from './api.js'
import { wait } from './follow.js'
import { showProblem } from './problem.js'

interface Fault {
  readonly id: string
  readonly rule: string
  readonly state: 'active' | 'spent' | 'expired'
  readonly fired: number
}

const everySeconds = 2
const path = '_svc/faults'

/** The fault rules of the server, for admin keys. Read only while the list is open. */
export function startFaults(): void {
  const details = get(HTMLDetailsElement, '#faults')
  const list = get(HTMLElement, '#fault-list', details)
  const problem = get(HTMLElement, '.problem', details)
  const form = get(HTMLFormElement, 'form', details)
  const input = get(HTMLInputElement, 'input', form)
  let isWatched = false
  /** True while the page shows the problem of a change: it stays until the next one. */
  let isRefused = false

  /** Changes the rules, if it is told how, and shows them. Returns whether to try again after a problem. */
  async function update(change?: () => Promise<unknown>): Promise<boolean> {
    try {
      await change?.()
      const { data } = await send<{ data: readonly Fault[] }>({ method: 'GET', path })
      if (change !== undefined) isRefused = false
      if (!isRefused) problem.replaceChildren()
      show(data)
      return true
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      isRefused = change !== undefined
      showProblem(problem, error)
      return error.isTransient
    }
  }

  /** Redraws only what changed: a new button would lose the focus. */
  function show(faults: readonly Fault[]): void {
    const text = JSON.stringify(faults)
    if (list.dataset.shown === text) return
    list.dataset.shown = text
    list.replaceChildren(...faults.map(draw))
  }

  function draw({ id, rule, state, fired }: Fault): HTMLElement {
    const button = make('button', { type: 'button', class: 'link', 'aria-label': `Remove ${rule}` }, 'Remove')
    button.addEventListener('click', () => update(() => send({ method: 'DELETE', path: `${path}/${id}` })))
    return make('li', {}, make('code', {}, rule), make('span', {}, `${state}, fired ${fired}`), button)
  }

  details.addEventListener('toggle', async () => {
    if (isWatched) return
    isWatched = true
    while (details.open && (document.hidden || (await update()))) await wait(everySeconds)
    isWatched = false
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const rule = input.value.trim()
    await update(async () => {
      await send({ method: 'POST', path, json: { rule } })
      input.value = ''
    })
  })
}
