import type { Rule } from '../../insight/types.js'
import type { CommandResult } from '../command.js'
import { type FormatName, formats, type Reporter, type ReportOptions } from '../formats/index.js'
import { findSources } from '../input/sources.js'
import { type Output, openFile, openStdout } from '../output/stream.js'
import { createStdoutPaint, plain } from '../output/style.js'
import { toPrintable } from '../output/words.js'
import { limitViolations } from './limit.js'
import type { Progress } from './progress.js'
import type { Problem } from './result.js'
import { type CheckOptions, checkSources } from './run.js'

export interface ValidateOptions extends CheckOptions {
  readonly formats: readonly FormatTarget[]
  readonly quiet: boolean
  readonly maxErrors?: number | undefined
  readonly rules: readonly Rule[]
  readonly toolVersion: string
  readonly now: Date
}

/** A format and where its document goes: a file, or standard output. */
export interface FormatTarget {
  readonly format: FormatName
  readonly file?: string
}

/**
 * Checks all payloads that the arguments name and writes a report in every format asked for.
 * Answers 0 all valid, 1 some invalid, 2 something could not be read.
 */
export async function runValidate(args: readonly string[], options: ValidateOptions): Promise<CommandResult> {
  const reports = options.formats.map((target) => openReport(target, options))
  const found = await findSources(args)
  const limit = limitViolations(options.maxErrors)
  const tally = { payloads: 0, valid: 0, invalid: 0, errors: 0, warnings: 0, problems: 0 }
  let progress: Progress | undefined
  for await (const event of checkSources(found, options)) {
    if (event.kind !== 'valid') {
      // What is printed takes the line's place, for good.
      progress?.stop()
      progress = undefined
    } else if (
      tally.problems + tally.invalid + tally.warnings === 0 &&
      tally.payloads > longRun &&
      showsProgress(options)
    ) {
      progress ??= (await import('./progress.js')).startProgress()
      progress.tell(tally.payloads)
    }
    if (event.kind === 'valid') {
      tally.payloads += event.count
      tally.valid += event.count
      for (const { reporter } of reports) reporter.valid(event.source, event.index, event.count)
    } else if (event.kind === 'result') {
      tally.payloads++
      tally[event.result.valid ? 'valid' : 'invalid']++
      tally.errors += event.result.errors.length
      tally.warnings += event.result.warnings.length
      const shown = limit.take(event.result)
      for (const { reporter } of reports) reporter.result(shown)
    } else {
      tally.problems++
      tellProblem(event)
      for (const { reporter } of reports) reporter.problem(event)
    }
    const open = await Promise.all(reports.map(({ output }) => output.flush()))
    if (!open.includes(true)) break
  }
  progress?.stop()
  const summary = { sources: found.filter(({ source }) => source).length, ...tally, notShown: limit.notShown() }
  for (const { reporter, output } of reports) {
    reporter.end(summary)
    await output.close()
  }
  if (tally.problems > 0) return 2
  return tally.invalid > 0 ? 1 : 0
}

/** Payloads after which a person wants to see that something goes on. */
const longRun = 5000

/** A terminal without a width, as some CI systems have, would take the line for endlessly many. */
function showsProgress({ quiet }: ValidateOptions): boolean {
  return process.stderr.isTTY === true && process.stderr.columns >= 40 && !quiet
}

interface Report {
  readonly reporter: Reporter
  readonly output: Output
}

function openReport({ format, file }: FormatTarget, options: ValidateOptions): Report {
  const output = file === undefined ? openStdout() : openFile(file)
  const context: ReportOptions = {
    ...options,
    paint: file === undefined ? createStdoutPaint() : plain,
    cwd: process.cwd(),
  }
  return { reporter: formats[format](output.write, context), output }
}

/** Says on stderr what could not be read. */
export function tellProblem({ source, message }: Problem): void {
  process.stderr.write(`svc: ${toPrintable(source === undefined ? message : `${source}: ${message}`)}\n`)
}
