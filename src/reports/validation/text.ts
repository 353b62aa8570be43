import type { LocatedViolation, PayloadResult, Summary } from '../../payload-files/result.js'
import type { Paint } from '../../runtime/style.js'
import { count, toPrintable } from '../../text/words.js'
import { type CreateReporter, shownWarnings } from './reporter.js'

/** Writes a report for people: the violations, then a summary line. */
export const createTextReporter: CreateReporter = (write, options) => {
  const { paint, quiet } = options
  return {
    valid: () => undefined,
    result: (result) => {
      const block = renderViolations({ ...result, warnings: shownWarnings(result, options) }, paint)
      if (block !== '') write(`${block}\n`)
    },
    // The command prints problems on stderr in every format.
    problem: () => undefined,
    end: (summary) => {
      if (summary.notShown > 0) write(`… and ${count(summary.notShown, 'more violation')} not shown (--max-errors).\n`)
      if (!quiet) write(`${renderSummary(summary, paint)}\n`)
    },
  }
}

/**
 * Renders the violations of a payload, two lines each: location and message as compilers write them, so that terminals and editors
 * open the place; then the rule and the JSON Pointer.
 */
export function renderViolations(
  { source, errors, warnings }: Pick<PayloadResult, 'source' | 'errors' | 'warnings'>,
  paint: Paint,
): string {
  const render = ({ line, column, message, rule, path }: LocatedViolation, label: string) => {
    const detail = toPrintable([rule, path].filter((part) => part !== '').join('  '))
    return `${paint('bold', `${toPrintable(source)}:${line}:${column}:`)} ${label} ${toPrintable(message)}\n    ${paint('dim', detail)}\n`
  }
  return [
    ...errors.map((error) => render(error, paint('red', 'error:'))),
    ...warnings.map((warning) => render(warning, paint('yellow', 'warning:'))),
  ].join('')
}

/** Renders the counts of a run as a sentence. */
export function renderSummary(summary: Summary, paint: Paint): string {
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
