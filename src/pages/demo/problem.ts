import { make } from '../shared/dom.js'
import type { CallError } from './api.js'

/** Shows an error; `retry` is set if the reader can try again and it may help. */
export function showProblem(place: HTMLElement, error: CallError, retry?: () => void): void {
  const { envelope, isTransient, status } = error
  // The banner says that the server does not answer.
  const lines: HTMLElement[] = status === undefined ? [] : [make('p', {}, make('strong', {}, error.message))]
  if (envelope !== undefined) {
    const { code, request_id } = envelope.error
    lines.push(make('p', {}, make('code', {}, `${status} ${code}`), ' request ', make('code', {}, request_id)))
    lines.push(make('pre', { tabindex: '0', role: 'group', 'aria-label': 'Error' }, JSON.stringify(envelope, null, 2)))
  }
  place.replaceChildren(...lines)
  if (retry === undefined || !isTransient) return
  const button = make('button', { type: 'button', class: 'quiet' }, 'Try again')
  button.addEventListener('click', retry)
  place.append(button)
}
