import { get, make } from '../shared/dom.js'
import { CallError, keyRefused, send } from './api.js'
import { dropKey, forgetKey, getKey, keepKey } from './key.js'
import { showProblem } from './problem.js'

interface KeyListeners {
  /** Called after each key that the server accepts. */
  onKey(): void
  onForget(): void
}

/** The form for the key, and the button that forgets it. The form is shown whenever the server rejects the key. */
export class KeyForm {
  readonly #form = get(HTMLFormElement, '#key-form')
  readonly #input = get(HTMLInputElement, '#key')
  readonly #problem = get(HTMLElement, '.problem', this.#form)
  readonly #forget = get(HTMLButtonElement, '#forget')
  readonly #listeners: KeyListeners

  constructor(listeners: KeyListeners) {
    this.#listeners = listeners
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (keepKey(this.#input.value)) void this.#check()
      else this.#problem.replaceChildren('A key begins with svc_ and has no spaces.')
    })
    this.#forget.addEventListener('click', () => {
      forgetKey()
      listeners.onForget()
      this.#ask()
      this.#input.focus()
    })
    addEventListener(keyRefused, (event) => {
      if (event instanceof CustomEvent && event.detail instanceof CallError) this.#refuse(event.detail)
    })
  }

  /** Checks the key of this tab, or asks for one, also if the key in the address was malformed. */
  start(isKeyTaken: boolean): void {
    if (getKey() !== '') void this.#check()
    else this.#ask()
    if (!isKeyTaken) this.#problem.replaceChildren(...describeRefusal('The key in the address is not accepted.'))
  }

  /** Returns true if there is a key, and otherwise asks for one. */
  require(): boolean {
    if (getKey() !== '') return true
    this.#ask()
    if (this.#problem.childElementCount === 0) this.#problem.replaceChildren('Enter the key first.')
    this.#input.focus()
    return false
  }

  #ask(): void {
    this.#form.hidden = false
    this.#forget.hidden = true
  }

  #refuse(error: CallError): void {
    dropKey()
    this.#ask()
    showProblem(this.#problem, error)
    this.#problem.firstElementChild?.replaceWith(
      ...describeRefusal('This server does not know the key, or it is expired or revoked.'),
    )
  }

  async #check(): Promise<void> {
    this.#problem.replaceChildren()
    try {
      await send({ method: 'GET', path: 'v1/models' })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.status === 401) return
      // A key that may not list the models is still valid.
      if (error.status !== 403) {
        this.#ask()
        showProblem(this.#problem, error, () => void this.#check())
        return
      }
    }
    this.#accept()
  }

  #accept(): void {
    // After the form is submitted, the focus moves to the next step.
    const hadFocus = this.#form.contains(document.activeElement)
    this.#form.hidden = true
    this.#forget.hidden = false
    this.#input.value = ''
    if (hadFocus) get(HTMLElement, 'button.pet').focus()
    this.#listeners.onKey()
  }
}

/** Explains that a key was rejected, and where to find one. */
function describeRefusal(sentence: string): HTMLElement[] {
  const command = (text: string) => make('code', {}, text)
  return [
    make('p', {}, make('strong', {}, sentence)),
    make(
      'p',
      {},
      'Enter another one, or open the whole address that ',
      command('svc demo'),
      ' prints; ',
      command('svc key create --name me'),
      ' makes a new key.',
    ),
  ]
}
