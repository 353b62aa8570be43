import { get } from '../shared/dom.js'
import { CallError, send } from './api.js'
import { forgetKey, getKey, keepKey } from './key.js'
import { showProblem } from './step.js'

export interface KeyForm {
  /** Whether there is a key; asks for one where there is none. */
  require(): boolean
}

/** The form that takes the key, and the button that forgets it. `onKey` is called with each key that the server takes. */
export function startKeyForm(onKey: () => void): KeyForm {
  const form = get(HTMLFormElement, '#key-form')
  const input = get(HTMLInputElement, '#key')
  const problem = get(HTMLElement, '.problem', form)
  const forget = get(HTMLButtonElement, '#forget')

  const ask = () => {
    form.hidden = false
    forget.hidden = true
  }
  const check = async () => {
    problem.replaceChildren()
    try {
      await send({ method: 'GET', path: 'v1/models' })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // A key that may not list the models is a key.
      if (error.status !== 403) {
        if (error.status === 401) forgetKey()
        ask()
        showProblem(problem, error, () => void check())
        return
      }
    }
    form.hidden = true
    forget.hidden = false
    input.value = ''
    onKey()
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (keepKey(input.value)) void check()
    else problem.replaceChildren('A key begins with svc_ and has no spaces.')
  })
  forget.addEventListener('click', () => {
    forgetKey()
    ask()
    input.focus()
  })
  if (getKey() === '') ask()
  else void check()
  return {
    require: () => {
      if (getKey() !== '') return true
      ask()
      if (problem.childElementCount === 0) problem.replaceChildren('First the key, please.')
      input.focus()
      return false
    },
  }
}
