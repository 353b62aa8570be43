/** The element of the page with an ID. Throws where there is none: page and script are made together. */
export function getElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id)
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}.`)
  return element
}

/** An element with a class and a text; the text is never markup. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className !== '') element.className = className
  element.textContent = text
  return element
}

/** A button that is named by its text, and more exactly for whoever does not see where it stands. */
export function createButton(text: string, onClick: () => void, label = text): HTMLButtonElement {
  const button = createElement('button', '', text)
  button.type = 'button'
  if (label !== text) button.setAttribute('aria-label', label)
  button.addEventListener('click', onClick)
  return button
}

let hiding: ReturnType<typeof setTimeout> | undefined

/** Tells the reader what happened, for a while; `undo` offers to take it back. */
export function tell(message: string, undo?: () => void): void {
  const status = getElement('told', HTMLElement)
  status.textContent = message
  clearTimeout(hiding)
  hiding = setTimeout(() => status.replaceChildren(), undo === undefined ? 8_000 : 20_000)
  if (undo === undefined) return
  const button = createButton('Undo', () => {
    undo()
    status.textContent = ''
  })
  status.append(' ', button)
}

export const examples: readonly HTMLElement[] = [...document.querySelectorAll<HTMLElement>('.example')]
