import type { Command } from 'commander'
import { rules } from '../insight/index.js'
import { findNearest } from '../spelling.js'
import { version } from '../version.js'
import type { CommandModule, CommandResult } from './command.js'
import { offer } from './completion/offer.js'
import { type FormatName, formats } from './formats/index.js'
import { type FormatTarget, runValidate } from './validate/validate.js'

const examples = `
A file holds one payload, a JSON array of payloads, or NDJSON (one payload a line); which, is told by its content.
In a folder, .json, .ndjson and .jsonl files are read, but for hidden ones and node_modules. Columns count UTF-16 code units.

Exit codes: 0 all valid, 1 some invalid, 2 something could not be read, or wrong usage.

Examples:
  svc validate fixtures/insight
  svc validate --format github --format junit=report.xml 'payloads/**/*.json'
  tail -n 1000 requests.ndjson | svc validate --json -
  svc validate --explain payload-json
`

interface Flags {
  readonly format?: readonly string[]
  readonly json?: boolean
  readonly explain?: string
  readonly listRules?: boolean
  readonly printSchema?: boolean
  readonly strict?: boolean
  readonly quiet?: boolean
  readonly maxErrors?: string
  readonly threads?: string
}

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('validate')
    .description('Check health-detail payloads and say exactly what is wrong and where.')
    .argument('[files...]', 'files, folders, patterns in quotes, or - for standard input')
    .addOption(
      offer(
        program,
        '-f, --format <name[=file]>',
        `${Object.keys(formats).join(', ')}; repeatable, to a file or stdout`,
        Object.keys(formats),
      ).argParser((value: string, earlier: string[] = []) => [...earlier, value]),
    )
    .option('--json', 'the same as --format json')
    .option('--explain <rule>', 'print a rule with its source and examples')
    .option('--list-rules', 'print all rules')
    .option('--print-schema', 'print the JSON Schema (2020-12) of a payload')
    .option('--strict', 'warnings make a payload invalid')
    .option('-q, --quiet', 'print only what makes payloads invalid, and no summary')
    .option('--max-errors <n>', 'stop printing after so many violations')
    .option('--threads <n>', 'threads for long NDJSON (default: one per core)')
    .addHelpText('after', examples)
    .action(async (files: string[], flags: Flags, command: Command) => finish(await run(files, flags, command)))
}

async function run(files: readonly string[], flags: Flags, command: Command): Promise<CommandResult> {
  if (flags.printSchema || flags.listRules || flags.explain !== undefined) return print(flags)
  if (files.length === 0) {
    command.error(
      `error: name a file, a folder, a pattern, or - for standard input\nUsage: svc validate ${command.usage()}`,
    )
  }
  return runValidate(files, {
    formats: parseTargets(flags, command),
    strict: flags.strict === true,
    quiet: flags.quiet === true,
    maxErrors: parseCount('--max-errors', flags.maxErrors, command),
    threads: parseCount('--threads', flags.threads, command),
    rules,
    toolVersion: version,
    now: new Date(),
  })
}

async function print({ printSchema, listRules, explain, json }: Flags): Promise<CommandResult> {
  const prints = await import('./validate/print.js')
  if (printSchema) return prints.printSchema()
  return listRules || explain === undefined
    ? prints.printRules(json === true)
    : prints.printRule(explain, json === true)
}

function parseTargets(flags: Flags, command: Command): FormatTarget[] {
  const targets = [...(flags.format ?? []), ...(flags.json ? ['json'] : [])].map((value) => parseTarget(value, command))
  if (targets.filter(({ file }) => file === undefined).length > 1) {
    command.error(
      'error: only one format can go to standard output; give the others a file, like --format junit=report.xml',
    )
  }
  return targets.length > 0 ? targets : [{ format: 'text' }]
}

function parseTarget(value: string, command: Command): FormatTarget {
  const [, name = '', file] = /^([^=]*)(?:=(.*))?$/s.exec(value) ?? []
  if (!isFormat(name)) {
    const nearest = findNearest(name, Object.keys(formats))
    const hint = nearest === undefined ? '' : `\n(Did you mean ${nearest}?)`
    return command.error(`error: unknown format '${name}': use ${Object.keys(formats).join(', ')}${hint}`)
  }
  if (file === '') command.error(`error: a file name must follow --format ${name}=`)
  return file === undefined ? { format: name } : { format: name, file }
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(formats, name)
}

function parseCount(flag: string, value: string | undefined, command: Command): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(value)) command.error(`error: ${flag} must be a whole number from 1, not '${value}'`)
  return Number(value)
}
