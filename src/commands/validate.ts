import type { Command } from 'commander'
import { findStepSummary, refuseUnknownVariables } from '../config.js'
import { rules, type UnknownMembers, unknownMemberModes } from '../insight/index.js'
import { type CheckEvent, type CheckOptions, checkSources } from '../payload-files/check-sources.js'
import type { PayloadResult, Summary } from '../payload-files/result.js'
import { findSources } from '../payload-files/sources.js'
import { type FormatName, formats } from '../reports/validation/index.js'
import type { Reporter, ReportOptions } from '../reports/validation/reporter.js'
import { openFile, openStdout } from '../runtime/output.js'
import { version } from '../runtime/program-name.js'
import { createStdoutPaint, plain } from '../runtime/style.js'
import { findNearest } from '../text/spelling.js'
import { count } from '../text/words.js'
import type { ProgressLine } from './client/spinner.js'
import { type CommandModule, type CommandResult, printProblem } from './command.js'
import { withChoices } from './completion/option-with-choices.js'

const examples = `
A file has one payload, a JSON array of payloads, or NDJSON (one payload per line); the content decides which.
In a folder, .json, .ndjson and .jsonl files are read, except hidden ones and node_modules. Columns count UTF-16 code units.

Exit codes: 0 all valid, 1 some invalid, 2 something could not be read, or wrong usage.

Examples:
  svc validate fixtures/insight
  svc validate --format github --format junit=report.xml 'payloads/**/*.json'
  tail -n 1000 requests.ndjson | svc validate --json -
  svc validate --unknown warn payloads
  svc validate --explain payload-json
`

interface Flags {
  readonly format?: readonly string[]
  readonly json?: boolean
  readonly explain?: string
  readonly listRules?: boolean
  readonly printSchema?: boolean
  readonly strict?: boolean
  readonly unknown?: UnknownMembers
  readonly quiet?: boolean
  readonly maxErrors?: string
  readonly threads?: string
}

const formatNames = Object.keys(formats)

export const register: CommandModule['register'] = (program, finish) => {
  program
    .command('validate')
    .hook('preAction', () => refuseUnknownVariables())
    .description('Check health-detail payloads and list every violation with its location.')
    .argument('[files...]', 'files, folders, patterns in quotes, or - for standard input')
    .addOption(
      withChoices(
        program
          .createOption('-f, --format <name[=file]>', `${formatNames.join(', ')}; repeatable, to a file or stdout`)
          .argParser((value: string, earlier: string[] = []) => [...earlier, value]),
        formatNames,
      ),
    )
    .option('--json', 'the same as --format json')
    .option('--explain <rule>', 'print a rule with its source and examples')
    .option('--list-rules', 'print all rules')
    .option('--print-schema', 'print the JSON Schema (2020-12) of a payload')
    .option('--strict', 'warnings make a payload invalid')
    .addOption(
      program
        .createOption(
          '--unknown <mode>',
          'all unknown members (default: a warning for those that look misspelled, a hint for others)',
        )
        .choices(unknownMemberModes),
    )
    .option('-q, --quiet', 'print only what makes payloads invalid, and no summary')
    .option('--max-errors <n>', 'print at most this many violations')
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
  const quiet = flags.quiet === true
  const progress = createProgressLine(quiet)
  const summary = await reportSources(files, {
    formats: parseTargets(flags, command),
    strict: flags.strict === true,
    unknown: flags.unknown,
    quiet,
    maxErrors: parseCount('--max-errors', flags.maxErrors, command),
    threads: parseCount('--threads', flags.threads, command),
    rules,
    toolVersion: version,
    cwd: process.cwd(),
    stepSummary: findStepSummary(),
    now: new Date(),
    onEvent: progress.onEvent,
    onChecked: progress.stop,
    onIgnoring: (payloads) => {
      const found = `${count(payloads, 'payload')} with unknown members, which are ignored`
      if (!quiet) process.stderr.write(`svc: ${found}; --unknown warn lists these members.\n`)
    },
  }).finally(progress.stop)
  if (summary.problems > 0) return 2
  return summary.invalid > 0 ? 1 : 0
}

/** A run with more payloads shows its progress. */
const longRun = 5000

/** Shows progress on a terminal until the first output, which takes its place. Prints problems. */
function createProgressLine(quiet: boolean) {
  // Without a width, as in some CI systems, ora would clear lines without end. A short run makes no stream, which takes 2 ms.
  const isShown = () => process.stderr.isTTY === true && process.stderr.columns >= 40 && !quiet
  let line: ProgressLine | undefined
  const stop = () => {
    line?.stop()
    line = undefined
  }
  const onEvent = async (event: CheckEvent, { payloads, invalid, warnings, problems }: SummaryCounts) => {
    if (event.kind === 'ignoring') return
    if (event.kind === 'valid') {
      if (payloads <= longRun || invalid + warnings + problems > 0 || !isShown()) return
      line ??= (await import('./client/spinner.js')).startProgress()
      line.update(payloads)
    } else {
      stop()
      if (event.kind === 'problem') printProblem(event)
    }
  }
  return { onEvent, stop }
}

async function print({ printSchema, listRules, explain, json }: Flags): Promise<CommandResult> {
  const prints = await import('./validate/print-rules.js')
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
  if (!Object.hasOwn(formats, name)) {
    const nearest = findNearest(name, formatNames)
    const hint = nearest === undefined ? '' : `\n(Did you mean ${nearest}?)`
    return command.error(`error: unknown format '${name}': use ${formatNames.join(', ')}${hint}`)
  }
  if (file === '') command.error(`error: a file name must follow --format ${name}=`)
  return { format: name as FormatName, ...(file !== undefined && { file }) }
}

function parseCount(flag: string, value: string | undefined, command: Command): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(value)) command.error(`error: ${flag} must be an integer from 1, not '${value}'`)
  return Number(value)
}

interface ReportSourcesOptions extends CheckOptions, Omit<ReportOptions, 'paint'> {
  readonly formats: readonly FormatTarget[]
  readonly maxErrors?: number | undefined
  /** Called with each event before it is reported, and the counts so far. */
  readonly onEvent: (event: CheckEvent, counts: SummaryCounts) => void | Promise<void>
  /** Called after the last event, before the reports end. */
  readonly onChecked: () => void
  /** Called at the end with the number of payloads that have unknown members which the reports do not name, if there are any. */
  readonly onIgnoring: (payloads: number) => void
}

/** A format and its destination: a file, or standard output. */
interface FormatTarget {
  readonly format: FormatName
  readonly file?: string
}

type SummaryCounts = Omit<Summary, 'sources' | 'notShown'>

/** Checks all payloads that the arguments name and writes a report in every format. Stops if their reader is gone. */
export async function reportSources(args: readonly string[], options: ReportSourcesOptions): Promise<Summary> {
  const reports = options.formats.map((target) => openReport(target, options))
  const sources = await findSources(args)
  const limit = limitViolations(options.maxErrors)
  const counts = { payloads: 0, valid: 0, invalid: 0, errors: 0, warnings: 0, problems: 0 }
  let ignoring = 0
  for await (const event of checkSources(sources, options)) {
    await options.onEvent(event, counts)
    if (event.kind === 'valid') {
      counts.payloads += event.count
      counts.valid += event.count
      for (const { reporter } of reports) reporter.valid(event.source, event.index, event.count)
    } else if (event.kind === 'result') {
      counts.payloads++
      counts[event.result.valid ? 'valid' : 'invalid']++
      counts.errors += event.result.errors.length
      counts.warnings += event.result.warnings.length
      const shown = limit.take(event.result)
      for (const { reporter } of reports) reporter.result(shown)
    } else if (event.kind === 'ignoring') {
      ignoring += event.count
    } else {
      counts.problems++
      for (const { reporter } of reports) reporter.problem(event)
    }
    const open = await Promise.all(reports.map(({ output }) => output.flush()))
    if (!open.includes(true)) break
  }
  options.onChecked()
  const summary = { sources: sources.filter(({ source }) => source).length, ...counts, notShown: limit.notShown() }
  for (const { reporter, output } of reports) {
    reporter.end(summary)
    await output.close()
  }
  if (ignoring > 0) options.onIgnoring(ignoring)
  return summary
}

function openReport({ format, file }: FormatTarget, options: ReportSourcesOptions) {
  const output = file === undefined ? openStdout() : openFile(file)
  const paint = file === undefined ? createStdoutPaint() : plain
  const reporter: Reporter = formats[format](output.write, { ...options, paint })
  return { reporter, output }
}

/** Keeps the first `maximum` violations of a run, errors of a payload before its warnings, and counts the rest. */
export function limitViolations(maximum = Number.POSITIVE_INFINITY) {
  let left = maximum
  let notShown = 0
  const cut = <Item>(items: readonly Item[]): readonly Item[] => {
    const shown = items.length <= left ? items : items.slice(0, left)
    left -= shown.length
    notShown += items.length - shown.length
    return shown
  }
  return {
    take: (result: PayloadResult): PayloadResult => {
      const errors = cut(result.errors)
      return { ...result, errors, warnings: cut(result.warnings) }
    },
    notShown: () => notShown,
  }
}
