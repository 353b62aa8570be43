import { readFileSync } from 'node:fs'
import { escapeHtml } from '../../text/html.js'
import { code } from './html.js'

const folder = 'test/main-server/'
const root = new URL('../../../', import.meta.url)

/**
 * Renders a function or a test of the main server in `test/main-server`, whose suite runs with the tests of svc. The argument
 * is the file and the name of the function, or the title of the test with hyphens: `main-server.mjs#call`.
 */
export function renderMainServer(argument: string): string {
  const [file = '', name = ''] = argument.split('#')
  const text = readFileSync(new URL(folder + file, root), 'utf8')
  const found = listParts(text).find((part) => part.name === name)
  if (found === undefined) throw new Error(`${folder}${file} has no function or test ${name}.`)
  const label = escapeHtml(`${file}: ${name}`)
  return `<p class="file">${code(folder + file)}</p><pre class="file" tabindex="0" role="group" aria-label="${label}">${code(found.text)}</pre>`
}

/** Lists the functions, with the comments before them, and the tests of a module. */
function listParts(text: string): readonly { readonly name: string; readonly text: string }[] {
  const functions = text.matchAll(/^(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?(?:async )?function (\w+)\([\s\S]*?^\}$/gms)
  const tests = text.matchAll(/^test\('([^']+)'.*?^\}\)$/gms)
  return [
    ...[...functions].map(([part, name = '']) => ({ name, text: part })),
    ...[...tests].map(([part, title = '']) => ({ name: title.replaceAll(/[ ,]+/g, '-'), text: part })),
  ]
}
