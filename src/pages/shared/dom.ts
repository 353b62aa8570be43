type Child = Node | string | undefined

/** Makes an element with attributes and children. Strings become text, never markup; undefined attributes are omitted. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined))
  return element
}

/** Returns the element for a selector. Throws if it is missing or has another type. */
export function get<T extends Element>(type: new () => T, selector: string, within: ParentNode = document): T {
  const found = within.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`)
  return found
}

/** Checks the radio button with the value. */
export function setChoice(name: string, value: string): void {
  get(HTMLInputElement, `input[name="${name}"][value="${value}"]`).checked = true
}

/** Returns the value of the checked radio button. */
export function getChoice(name: string): string {
  return get(HTMLInputElement, `input[name="${name}"]:checked`).value
}
