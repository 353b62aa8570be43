import { served } from './data.js'
import { type Keeping, startOutbox } from './outbox.js'
import { getElement } from './page.js'

/** Says whether everything typed is kept. */
export function startKeeping(): void {
  if (served === undefined) return
  const shown = getElement('kept', HTMLOutputElement)
  const show = (state: Keeping) => {
    const isProblem = typeof state === 'object'
    shown.textContent = isProblem ? state.problem : state === 'kept' ? 'All is kept' : 'Keeping…'
    shown.classList.toggle('problem', isProblem)
  }
  show('kept')
  startOutbox(show)
}
