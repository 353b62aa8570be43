import 'openapi-explorer'
import { get } from '../shared/dom.js'
import { startTheme } from '../shared/theme.js'
import { type ApiDocument, prepareDocument } from './document.js'
import { bodies, shippedBodies } from './examples.js'
import { completeForms, openExplorer, scrollDelayMs, showExplorer } from './explorer.js'
import { startKeyForm } from './key-form.js'

// The base URL of the server, which may be below a path.
const base = location.href.replace(/\/docs(?:[?#].*)?$/, '')

async function start(): Promise<void> {
  const shipped = Object.entries(shippedBodies).map(async ([name, path]) => [name, await read(path)] as const)
  const document = (await read('openapi.json')) as ApiDocument
  const examples = { ...bodies, ...Object.fromEntries(await Promise.all(shipped)) }
  const prepared = prepareDocument(document, base, examples)
  const isNamed = location.hash.startsWith('#?route=')
  if (!isNamed) chooseOperation(prepared)
  const explorer = openExplorer(base)
  if (isNamed) showExplorer(explorer)
  await explorer.loadSpec(prepared)
  completeForms(explorer)
  startKeyForm(explorer)
  // While hidden, the explorer scrolls without moving the page or the focus. Only an address that names an operation scrolls.
  if (!isNamed) setTimeout(showExplorer, scrollDelayMs, explorer)
}

/** Names the first operation in the address: without its introduction, the explorer starts only with an operation. */
function chooseOperation({ paths }: ApiDocument): void {
  const [[path, operations] = ['', {}]] = Object.entries(paths)
  const [method = ''] = Object.keys(operations)
  history.replaceState(null, '', `#?route=${method}-${path.replaceAll(/[{}]/g, '-')}`)
}

async function read(path: string): Promise<unknown> {
  const answer = await fetch(`${base}/${path}`)
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

startTheme()
start().catch((error) => {
  get(HTMLElement, '#reference').textContent = 'The API description could not be loaded. Reload the page to try again.'
  throw error
})
