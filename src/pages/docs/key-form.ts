import { getKey, keepKey } from '../demo/key.js'
import { get } from '../shared/dom.js'
import type { Explorer } from './explorer.js'

/** Lets the explorer send the key of this tab, and the user enter one: before, the form is disabled, and keeps what is typed. */
export function startKeyForm(explorer: Explorer): void {
  const input = get(HTMLInputElement, '#key')
  const note = get(HTMLElement, '#key-note')
  const use = () => explorer.setAuthenticationConfiguration('apiKey', { token: getKey() })
  if (getKey() !== '') {
    input.value = getKey()
    note.textContent = 'Calls use the key of this tab.'
    void use()
  }
  get(HTMLFormElement, '#key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const isKept = keepKey(input.value)
    note.textContent = isKept ? 'Calls now use this key.' : 'This is not a valid key: keys begin with svc_.'
    input.setAttribute('aria-invalid', String(!isKept))
    if (isKept) void use()
  })
  get(HTMLButtonElement, '#key-form button').disabled = false
}
