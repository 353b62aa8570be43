import type { LocatedViolation } from '../input/syntax.js'
import type { Paint } from '../output/style.js'
import { count, toPrintable } from '../output/words.js'
import type { PayloadResult, Summary } from '../validate/result.js'
import type { CreateReporter } from './index.js'
import { shownWarnings } from './warnings.js'

/** For people: what is wrong, file by file, and one line at the end that says how it went. */
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
    // Problems are told on stderr, whatever the format.
    problem: () => undefined,
    end: (summary) => {
      if (summary.notShown > 0) write(`… and ${count(summary.notShown, 'more violation')} not shown (--max-errors).\n`)
      if (!quiet) write(`${renderSummary(summary, paint)}\n`)
    },
  }
}

/** The violations of a payload, two lines each: place and sentence, then the rule and the JSON Pointer. */
export function renderViolations(
  { errors, warnings }: Pick<PayloadResult, 'errors' | 'warnings'>,
  paint: Paint,
): string {
  const rows = [
    ...errors.map((violation) => ({ violation, label: paint('red', 'error  ') })),
    ...warnings.map((violation) => ({ violation, label: paint('yellow', 'warning') })),
  ]
  const width = Math.max(...rows.map(({ violation }) => placeOf(violation).length))
  return rows
    .map(({ violation, label }) => {
      const place = placeOf(violation).padStart(width)
      const detail = [violation.rule, violation.path].filter((part) => part !== '').join('  ')
      return `  ${place}  ${label}  ${toPrintable(violation.message)}\n${' '.repeat(width + 13)}${paint('dim', toPrintable(detail))}\n`
    })
    .join('')
}

function placeOf({ line, column }: LocatedViolation): string {
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
