import { get } from '../shared/dom.js'
import type { ApiDocument } from './document.js'

/** What this page uses of the web component of openapi-explorer. */
export interface Explorer extends HTMLElement {
  loadSpec(document: ApiDocument): Promise<void>
  setAuthenticationConfiguration(scheme: string, settings: { token: string }): Promise<void>
}

/** Puts the explorer on the page, in the colours of the page and of its theme. */
export function openExplorer(base: string): Explorer {
  const explorer = document.createElement('openapi-explorer') as Explorer
  for (const name of ['hide-info', 'hide-server-selection', 'hide-authentication']) {
    explorer.setAttribute(name, 'true')
  }
  explorer.setAttribute('server-url', base)
  // What can be sent, then what it may be.
  explorer.setAttribute('default-schema-tab', 'body')
  const paint = () => paintExplorer(explorer)
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ['style'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint)
  paint()
  get(HTMLElement, '#reference').replaceChildren(explorer)
  return explorer
}

/** Has those who listen hear the name of each field of a form: the explorer writes it beside, without saying so. */
export function nameInputs({ shadowRoot }: Explorer): void {
  if (shadowRoot === null) return
  const name = () => {
    for (const input of shadowRoot.querySelectorAll<HTMLElement>('input[data-pname]:not([aria-label])')) {
      input.ariaLabel = input.dataset.pname ?? null
    }
  }
  new MutationObserver(name).observe(shadowRoot, { childList: true, subtree: true })
  name()
}

/** Its attributes for colours, each with the colour of the page that it takes. */
const colours = {
  'bg-color': '--paper',
  'header-bg-color': '--sunk',
  'text-color': '--ink',
  'primary-color': '--accent',
  'secondary-color': '--accent',
  'header-color': '--ink',
  'nav-bg-color': '--sunk',
  'nav-text-color': '--soft',
  'nav-hover-bg-color': '--card',
  'nav-hover-text-color': '--ink',
} as const

/** Its own names for colours, which it reads from styles and takes as `#rrggbb`, too. */
const named = {
  '--blue': '--good',
  '--green': '--accent',
  '--orange': '--warn',
  '--red': '--bad',
  '--purple': '--soft',
  '--yellow': '--warn',
  '--gray': '--soft',
} as const

function paintExplorer(explorer: HTMLElement): void {
  const probe = document.createElement('span')
  document.body.append(probe)
  const find = (name: string) => {
    probe.style.color = `var(${name})`
    return toHex(getComputedStyle(probe).color)
  }
  for (const [name, source] of Object.entries(named)) explorer.style.setProperty(name, find(source))
  for (const [attribute, source] of Object.entries(colours)) explorer.setAttribute(attribute, find(source))
  probe.remove()
}

/** It takes colours as `#rrggbb` alone. */
function toHex(colour: string): string {
  const parts = colour.match(/\d+/g)?.slice(0, 3) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}
