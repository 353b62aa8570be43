import { get, getChoice } from '../shared/dom.js'

/** The playing of clips: paused or not, and their format. Begins paused if the reader prefers reduced motion. */
export class Playback {
  readonly #pause = get(HTMLButtonElement, '#pause')
  readonly #format = get(HTMLFieldSetElement, '#format')
  readonly #listeners: (() => void)[] = []
  /** True if the reader prefers reduced motion: clips then wait for the button. */
  readonly isReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  isPaused = this.isReduced

  constructor() {
    this.#pause.addEventListener('click', () => {
      this.isPaused = !this.isPaused
      this.#notify()
    })
    this.#format.addEventListener('change', () => this.#notify())
    this.#show()
  }

  get format(): 'webp' | 'mp4' {
    return getChoice('format') === 'mp4' ? 'mp4' : 'webp'
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Shows the controls while there are clips to play. */
  offer(hasClips: boolean): void {
    this.#pause.hidden = !hasClips
    this.#format.hidden = !hasClips
  }

  /** Moves the focus to the button that pauses. */
  focus(): void {
    this.#pause.focus()
  }

  #notify(): void {
    this.#show()
    for (const listener of this.#listeners) listener()
  }

  #show(): void {
    this.#pause.textContent = this.isPaused ? 'Play' : 'Pause'
  }
}
