type Child = Node | string | undefined

/** An element with attributes and children. Texts are text, never markup; an attribute that is undefined is left out. */
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

/** What the page's HTML has under a selector. Throws where the two do not belong together. */
export function get<T extends Element>(type: new () => T, selector: string, within: ParentNode = document): T {
  const found = within.querySelector(selector)
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`)
  return found
}

/** The value of the radio button that is on. */
export function getChoice(name: string): string {
  return get(HTMLInputElement, `input[name="${name}"]:checked`).value
}
