import { get, make } from '../shared/dom.js'
import { CallError, keyRefused, send } from './api.js'
import { dropKey, forgetKey, getKey, keepKey } from './key.js'
import { showProblem } from './problem.js'

interface KeyListeners {
  /** Called after each key that the server accepts. */
  onKey(): void
  onForget(): void
}

/** True on the machine of the server, whose user can make keys. Elsewhere, a guest asks the host for a link. */
const isOwnMachine = ['127.0.0.1', 'localhost'].includes(location.hostname)

/** The form for the key, and the button that forgets it. The form is shown whenever the server rejects the key. */
export class KeyForm {
  readonly #form = get(HTMLFormElement, '#key-form')
  readonly #input = get(HTMLInputElement, '#key')
  readonly #ask = get(HTMLButtonElement, '#ask')
  readonly #details = get(HTMLDetailsElement, 'details', this.#form)
  readonly #problem = get(HTMLElement, '.problem', this.#form)
  readonly #forget = get(HTMLButtonElement, '#forget')

  constructor(private readonly listeners: KeyListeners) {
    this.#ask.hidden = isOwnMachine
    this.#details.open = isOwnMachine
    this.#ask.addEventListener('click', () => {
      const wish = `Please send me a new link to the demo on ${location.host}.`
      get(HTMLElement, '[role=status]', this.#form).textContent = `Tell your host: “${wish}”`
      // Browsers share from secure pages only, and the user may decline.
      navigator.share?.({ text: wish }).catch(() => {})
    })
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (keepKey(this.#input.value)) void this.#check()
      else this.#problem.replaceChildren('A key begins with svc_ and has no spaces.')
    })
    this.#forget.addEventListener('click', () => {
      forgetKey()
      listeners.onForget()
      this.#show()
      this.#focus()
    })
    addEventListener(keyRefused, (event) => {
      if (event instanceof CustomEvent && event.detail instanceof CallError) this.#refuse(event.detail)
    })
  }

  /** Checks the key of this tab, or asks for one, also if the key in the address was malformed. */
  start(isKeyTaken: boolean): void {
    if (getKey() !== '') void this.#check()
    else this.#show()
    if (!isKeyTaken) this.#problem.replaceChildren(describeRefusal('The key in the address is not accepted.'))
  }

  /** Returns true if there is a key, and otherwise asks for one. */
  require(): boolean {
    if (getKey() !== '') return true
    this.#show()
    if (isOwnMachine && this.#problem.childElementCount === 0) this.#problem.replaceChildren('Enter the key first.')
    this.#focus()
    return false
  }

  #focus(): void {
    if (this.#details.open) this.#input.focus()
    else this.#ask.focus()
  }

  #show(): void {
    this.#form.hidden = false
    this.#forget.hidden = true
  }

  #refuse(error: CallError): void {
    dropKey()
    this.#show()
    const refusal = describeRefusal('This server does not know the key, or it is expired or revoked.')
    if (isOwnMachine) showProblem(this.#problem, error)
    if (isOwnMachine) this.#problem.firstElementChild?.replaceWith(refusal)
    else this.#problem.replaceChildren(refusal)
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
        this.#show()
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
    this.listeners.onKey()
  }
}

/** Explains that a key was rejected, and how to get one. */
function describeRefusal(sentence: string): HTMLElement {
  const next = isOwnMachine
    ? 'Enter another one, or open the whole address that svc demo prints.'
    : 'The link of a guest is valid for an hour.'
  return make('p', {}, make('strong', {}, sentence), ` ${next}`)
}
