import type { PayloadResult, Summary } from '../../payload-files/result.js'
import type { LocatedViolation } from '../../payload-files/syntax.js'
import type { Paint } from '../../runtime/style.js'
import { count, toPrintable } from '../../text/words.js'
import { type CreateReporter, shownWarnings } from './reporter.js'

/** Writes a report for people: the violations by file, then a summary line. */
export const createTextReporter: CreateReporter = (write, options) => {
  const { paint, quiet } = options
  let shownSource: string | undefined
  return {
    valid: () => undefined,
    result: (result) => {
      const block = renderViolations({ errors: result.errors, warnings: shownWarnings(result, options) }, paint)
      if (block === '') return
      if (result.source !== shownSource) write(`${paint('bold', toPrintable(result.source))}\n`)
      shownSource = result.source
      write(`${block}\n`)
    },
    // The command prints problems on stderr in every format.
    problem: () => undefined,
    end: (summary) => {
      if (summary.notShown > 0) write(`… and ${count(summary.notShown, 'more violation')} not shown (--max-errors).\n`)
      if (!quiet) write(`${renderSummary(summary, paint)}\n`)
    },
  }
}

/** Renders the violations of a payload, two lines each: location and message, then the rule and the JSON Pointer. */
export function renderViolations(
  { errors, warnings }: Pick<PayloadResult, 'errors' | 'warnings'>,
  paint: Paint,
): string {
  const rows = [
    ...errors.map((violation) => ({ violation, label: paint('red', 'error  ') })),
    ...warnings.map((violation) => ({ violation, label: paint('yellow', 'warning') })),
  ]
  const width = Math.max(...rows.map(({ violation }) => formatLocation(violation).length))
  return rows
    .map(({ violation, label }) => {
      const location = formatLocation(violation).padStart(width)
      const detail = [violation.rule, violation.path].filter((part) => part !== '').join('  ')
      return `  ${location}  ${label}  ${toPrintable(violation.message)}\n${' '.repeat(width + 13)}${paint('dim', toPrintable(detail))}\n`
    })
    .join('')
}

function formatLocation({ line, column }: LocatedViolation): string {
  return `${line}:${column}`
}

function renderSummary(summary: Summary, paint: Paint): string {
  const { payloads, valid, invalid, errors, warnings, problems } = summary
  const parts = [
    `${count(payloads, 'payload')} in ${count(summary.sources, 'source')}`,
    paint('green', `${count(valid, 'valid', 'valid')}`),
    paint(invalid > 0 ? 'red' : 'dim', `${count(invalid, 'invalid', 'invalid')}`),
  ]
  const extra = [
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
    ...(problems > 0 ? [`${count(problems, 'problem')} reading`] : []),
  ]
  return `${parts[0]}: ${parts[1]}, ${parts[2]}${extra.length > 0 ? ` (${extra.join(', ')})` : ''}.`
}
