import 'openapi-explorer'
import { get } from '../shared/dom.js'
import { startTheme } from '../shared/theme.js'
import { type ApiDocument, prepareDocument } from './document.js'
import { bodies, shippedBodies } from './examples.js'
import { nameInputs, openExplorer } from './explorer.js'
import { startKeyForm } from './key-form.js'

// Where this server is, also below a path of its own.
const base = location.href.replace(/\/docs(?:[?#].*)?$/, '')

async function start(): Promise<void> {
  const shipped = Object.entries(shippedBodies).map(async ([name, path]) => [name, await read(path)] as const)
  const document = (await read('openapi.json')) as ApiDocument
  const examples = { ...bodies, ...Object.fromEntries(await Promise.all(shipped)) }
  const prepared = prepareDocument(document, base, examples)
  chooseOperation(prepared)
  const explorer = openExplorer(base)
  await explorer.loadSpec(prepared)
  nameInputs(explorer)
  startKeyForm(explorer)
}

/** Without its introduction, the explorer does not begin unless the address names an operation: then it is the first. */
function chooseOperation({ paths }: ApiDocument): void {
  if (location.hash.startsWith('#?route=')) return
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
  get(HTMLElement, '#reference').textContent = 'The server did not give its description. Reload the page to try again.'
  throw error
})
