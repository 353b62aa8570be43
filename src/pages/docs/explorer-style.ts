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
export function styleExplorer(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  for (const name of elements) {
    const element = customElements.get(name) as { elementStyles?: CSSStyleSheet[] } | undefined
    element?.elementStyles?.push(sheet)
  }
}
