import { type CheckEvent, type CheckOptions, checkSources } from '../../payload-files/check-sources.js'
import type { PayloadResult, Summary } from '../../payload-files/result.js'
import { findSources } from '../../payload-files/sources.js'
import { openFile, openStdout } from '../../runtime/output.js'
import { createStdoutPaint, plain } from '../../runtime/style.js'
import { type FormatName, formats } from './index.js'
import type { Reporter, ReportOptions } from './reporter.js'

export interface ReportSourcesOptions extends CheckOptions, Omit<ReportOptions, 'paint'> {
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
export interface FormatTarget {
  readonly format: FormatName
  readonly file?: string
}

export type SummaryCounts = Omit<Summary, 'sources' | 'notShown'>

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
