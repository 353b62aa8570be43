import 'openapi-explorer'
import { startTheme } from '../shared/theme.js'
import { type ApiDocument, prepareDocument } from './document.js'
import { bodies, shippedBodies } from './examples.js'
import { openExplorer } from './explorer.js'
import { startKeyForm } from './key-form.js'

startTheme()
// Where this server is, also below a path of its own.
const base = location.href.replace(/\/docs(?:[?#].*)?$/, '')
const explorer = openExplorer(base)

const read = async (path: string): Promise<unknown> => (await fetch(`${base}/${path}`)).json()
const shipped = Object.entries(shippedBodies).map(async ([name, path]) => [name, await read(path)] as const)
const document = (await read('openapi.json')) as ApiDocument
const examples = { ...bodies, ...Object.fromEntries(await Promise.all(shipped)) }
await explorer.loadSpec(prepareDocument(document, base, examples))
startKeyForm(explorer)
