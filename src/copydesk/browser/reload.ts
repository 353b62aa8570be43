import { tell } from './page.js'
import { findExample } from './targets.js'

const name = 'svc-insight-desk-return'

/** Loads the page again after a change of the catalog, then shows a message and the example that was open. */
export function reload(message: string, exampleId?: string): void {
  sessionStorage.setItem(name, JSON.stringify({ message, exampleId }))
  // The browser would return to the former place after the page has.
  if (exampleId !== undefined) history.scrollRestoration = 'manual'
  location.reload()
}

export function startReload(): void {
  const kept = sessionStorage.getItem(name)
  if (kept === null) return
  sessionStorage.removeItem(name)
  history.scrollRestoration = 'auto'
  const { exampleId = '', message }: { readonly exampleId?: string; readonly message: string } = JSON.parse(kept)
  tell(message)
  const example = findExample(exampleId)
  example?.focus({ preventScroll: true })
  example?.scrollIntoView({ block: 'start' })
}
