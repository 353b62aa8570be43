import { readFileSync } from 'node:fs'
import { magicPets } from '../../faults/magic-pets.js'
import { rules } from '../../insight/rules/index.js'

/** The generators that a text calls by a line `{{NAME ARGUMENT}}`. Each returns Markdown. */
const generators: Readonly<Record<string, (argument: string) => string>> = {
  rules: renderRules,
  magic: renderMagicPets,
  'main-server': renderMainServer,
}

/** Replaces lines such as `{{rules}}` by lists that are declared in the code, so that they always match the server. */
export function fillGenerated(markdown: string): string {
  return markdown.replaceAll(/^\{\{([\w-]+)(?: (\S+))?\}\}$/gm, (line, name: string, argument = '') => {
    const render = generators[name]
    if (render === undefined) throw new Error(`src/pages/api-docs/text/ has ${line}, but there is no such generator.`)
    return render(argument)
  })
}

/** The sections of the health detail contract that have rules. */
const sections = [
  ['2.1', 'Envelope, pet and period'],
  ['2.2', 'Context'],
  ['2.2.1', 'Comparison'],
  ['2.3', 'Supplied judgment'],
  ['2.4', 'Metrics and daily series'],
  ['4', 'Windows, modes and agreement of the numbers'],
  ['8', 'Limits'],
] as const

function renderRules(): string {
  const parts = sections.map(([number, title]) => {
    const rows = rules
      .filter(({ section }) => section === number)
      .map(({ id, severity, sentence }) => [`\`${id}\``, severity, sentence])
    return `## ${number} ${title}\n\n${table(['Rule', 'Severity', 'Requires'], rows)}`
  })
  return parts.join('\n\n')
}

/** Renders the pet IDs that are fault rules. */
function renderMagicPets(): string {
  const rows = Object.entries(magicPets).map(([id, { summary }]) => [`\`${id}\``, summary])
  return table(['`pet_id`', 'Effect'], rows)
}

const table = (columns: readonly string[], rows: readonly (readonly string[])[]) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/**
 * Renders a function or a test of the main server in `test/main-server`, whose suite runs with the tests of svc. The argument
 * is the file and the name of the function, or the title of the test with hyphens: `main-server.mjs#call`.
 */
function renderMainServer(argument: string): string {
  const [name = '', part = ''] = argument.split('#')
  const file = `test/main-server/${name}`
  const code = listParts(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).get(part)
  if (code === undefined) throw new Error(`${file} has no function or test ${part}.`)
  return `\`\`\`file ${file}\n${code}\n\`\`\``
}

/** Lists the functions, with the comments before them, and the tests of a module. */
function listParts(text: string): ReadonlyMap<string, string> {
  const functions = text.matchAll(/^(?:\/\*\*(?:(?!\*\/).)*\*\/\n)?(?:async )?function (\w+)\([\s\S]*?^\}$/gms)
  const tests = text.matchAll(/^test\('([^']+)'.*?^\}\)$/gms)
  return new Map([
    ...[...functions].map(([part, name = '']) => [name, part] as const),
    ...[...tests].map(([part, title = '']) => [title.replaceAll(/[ ,]+/g, '-'), part] as const),
  ])
}
