import { get } from '../shared/dom.js'
import type { ApiDocument } from './document.js'
import { styleExplorer } from './explorer-style.js'

/** The interface of openapi-explorer's web component that this page uses. */
export interface Explorer extends HTMLElement {
  loadSpec(document: ApiDocument): Promise<void>
  setAuthenticationConfiguration(scheme: string, settings: { token: string }): Promise<void>
}

/** Adds the explorer to the page, still hidden, in the colours of the page's theme. */
export function openExplorer(base: string): Explorer {
  styleExplorer()
  const explorer = document.createElement('openapi-explorer') as Explorer
  for (const name of ['hide-info', 'hide-server-selection', 'hide-authentication']) {
    explorer.setAttribute(name, 'true')
  }
  explorer.setAttribute('server-url', base)
  // Shows the example first, then the schema.
  explorer.setAttribute('default-schema-tab', 'body')
  const paint = () => paintExplorer(explorer)
  new MutationObserver(paint).observe(document.documentElement, { attributeFilter: ['style'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint)
  paint()
  explorer.hidden = true
  get(HTMLElement, '#reference').append(explorer)
  return explorer
}

/** Replaces the loading note by the explorer. */
export function showExplorer(explorer: Explorer): void {
  explorer.hidden = false
  get(HTMLElement, '#reference .loading').remove()
}

/** The delay after loading by which the explorer has scrolled to its first operation: at once, on a phone after this. */
export const scrollDelayMs = 150

/** The form of an operation in openapi-explorer, with the command that it shows. */
interface RequestForm extends HTMLElement {
  readonly curlSyntax: string
  computeCurlSyntax(): void
}

/**
 * Completes each form that the explorer shows: labels its fields for screen readers, which are not linked to their names, and
 * shows its command, which is blank until the first change if the form was collapsed.
 */
export function completeForms({ shadowRoot }: Explorer): void {
  if (shadowRoot === null) return
  const complete = () => {
    for (const input of shadowRoot.querySelectorAll<HTMLElement>('input[data-pname]:not([aria-label])')) {
      input.ariaLabel = input.dataset.pname ?? null
    }
    for (const form of shadowRoot.querySelectorAll<RequestForm>('api-request')) {
      if (!form.curlSyntax) form.computeCurlSyntax()
    }
  }
  new MutationObserver(complete).observe(shadowRoot, { childList: true, subtree: true })
  complete()
}

/** The explorer's colour attributes, with the page's colours for them. */
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

/** The explorer's CSS colour variables, also in the form `#rrggbb`. */
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

/** The explorer accepts colours only as `#rrggbb`. */
function toHex(colour: string): string {
  const parts = colour.match(/\d+/g)?.slice(0, 3) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}
