import { get } from '../shared/dom.js'
import type { ApiDocument } from './document.js'

/** The interface of openapi-explorer's web component that this page uses. */
export interface Explorer extends HTMLElement {
  loadSpec(document: ApiDocument): Promise<void>
  setAuthenticationConfiguration(scheme: string, settings: { token: string }): Promise<void>
}

/** Adds the explorer to the page, still hidden, in the colors of the page's theme. */
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

/** The explorer's color attributes, with the page's colors for them. */
const colors = {
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

/** The explorer's CSS color variables, also in the form `#rrggbb`. */
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
  for (const [attribute, source] of Object.entries(colors)) explorer.setAttribute(attribute, find(source))
  probe.remove()
}

/** The explorer accepts colors only as `#rrggbb`. */
function toHex(color: string): string {
  const parts = color.match(/\d+/g)?.slice(0, 3) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

/** The elements of openapi-explorer that render in a shadow root, which the style sheet of the page does not reach. */
const elements = ['openapi-explorer', 'api-response', 'schema-tree', 'schema-table', 'json-tree', 'syntax-highlighter']

/** The type of the demo page; on a phone, one column in place of tables. */
const css = `
  :is(h1, h2, h3, .sub-title, .req-res-title) {
    font-family: var(--serif);
    font-weight: 500;
    letter-spacing: -0.01em;
  }
  .tag-link.title { font-size: 2rem; }
  .sub-title.tag { font-size: 1.5rem; }
  .expanded-endpoint-body h2 { font-size: 1.5rem; }
  .req-res-title { font-size: 1.3rem; text-transform: lowercase; }
  :is(.table-title, .resp-headers, .tab-btn, .m-btn, .nav-bar-section-title) { text-transform: lowercase; }
  :is(.req-res-title, .table-title, .table-title.row > :first-child, .resp-headers, .tab-btn, .m-btn, .nav-bar-section-title) {
    &::first-letter { text-transform: uppercase; }
  }
  .m-btn { border-radius: 99px; }
  .m-table, textarea, .example-panel, pre, .security-info-button { border-radius: 10px; }
  .tab-btn { border-radius: 0; }
  .nav-bar, .nav-bar input, .nav-scroll, .nav-bar-section { border-color: var(--line) !important; }
  @media (width < 48rem) {
    table, tbody, tr, td { display: block; }
    td {
      width: auto !important;
      min-width: 0 !important;
      padding: 0.15rem 0.6rem !important;
      border: 0 !important;
      overflow-wrap: anywhere;
    }
    tr { padding-block: 0.5rem; }
    tr + tr { border-top: 1px solid var(--line); }
    td :is(.param-name, .param-type) { margin-block: 0 !important; text-align: left; }
    td :is(.param-name, .param-type, input) { margin-block: 0.2rem !important; }
    .table-title.row { flex-wrap: wrap; }
    .tr { flex-wrap: wrap; }
    .tr > .key { flex: 1 1 auto; }
    .tr > .key-descr { display: block; flex-basis: 100%; padding-left: 1rem; }
    .schema-table-header { display: none; }
    pre, pre code { white-space: pre-wrap !important; overflow-wrap: anywhere; }
    .security-info-button > div { min-width: 0 !important; }
  }
`

/** Gives the elements our style. Lit reads the list of its styles once for each element. */
function styleExplorer(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  for (const name of elements) {
    const element = customElements.get(name) as { elementStyles?: CSSStyleSheet[] } | undefined
    element?.elementStyles?.push(sheet)
  }
}
