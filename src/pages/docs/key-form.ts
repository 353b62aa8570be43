import { getKey, keepKey } from '../demo/key.js'
import { get } from '../shared/dom.js'
import type { Explorer } from './explorer.js'

/** Has the explorer send the key of this tab, and lets one be entered. */
export function startKeyForm(explorer: Explorer): void {
  const input = get(HTMLInputElement, '#key')
  const note = get(HTMLElement, '#key-note')
  const use = () => explorer.setAuthenticationConfiguration('apiKey', { token: getKey() })
  input.value = getKey()
  if (getKey() !== '') {
    note.textContent = 'The key of this tab is used.'
    void use()
  }
  get(HTMLFormElement, '#key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const isKept = keepKey(input.value)
    note.textContent = isKept ? 'The key is used from now on.' : 'That is no key: it begins with svc_.'
    input.setAttribute('aria-invalid', String(!isKept))
    if (isKept) void use()
  })
}
