import { make } from './dom.js'

/** Makes a button that copies a text, or selects it if the page may not write to the clipboard. */
export function makeCopyButton(label: string, source: HTMLElement): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'quiet small' }, label)
  copyFrom(button, source)
  return button
}

/** Lets a button copy a text as `change` returns it. */
export function copyFrom(
  button: HTMLButtonElement,
  source: HTMLElement,
  change: (text: string) => string = (text) => text,
): void {
  const label = button.textContent
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(change(source.textContent ?? ''))
      button.textContent = 'Copied'
    } catch {
      // Browsers permit this only on https and localhost.
      getSelection()?.selectAllChildren(source)
      button.textContent = 'Selected'
    }
    setTimeout(() => {
      button.textContent = label
    }, 1600)
  })
}
