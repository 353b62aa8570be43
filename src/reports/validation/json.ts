import type { LocatedViolation, PayloadResult, Problem } from '../../payload-files/result.js'
import { toJsonText } from '../../text/words.js'
import { type CreateReporter, shownWarnings } from './reporter.js'

/** Writes one JSON document with a line per payload, so that a reader can process a long one as a stream. */
export const createJsonReporter: CreateReporter = (write, options) => {
  const problems: Problem[] = []
  let separator = '\n'
  const writeResult = (result: PayloadResult) => {
    write(`${separator}${toJsonText(presentResult({ ...result, warnings: shownWarnings(result, options) }))}`)
    separator = ',\n'
  }
  write('{"results":[')
  return {
    valid: (source, index, count) => {
      for (let offset = 0; offset < count; offset++) {
        writeResult({ source, index: index + offset, valid: true, errors: [], warnings: [] })
      }
    },
    result: writeResult,
    problem: ({ source, message }) => {
      problems.push(source === undefined ? { message } : { source, message })
    },
    end: (summary) => write(`\n],"problems":${toJsonText(problems)},"summary":${JSON.stringify(summary)}}\n`),
  }
}

/** Returns the wire form of a result. */
export function presentResult({ source, index, valid, errors, warnings }: PayloadResult) {
  return { source, index, valid, errors: errors.map(presentViolation), warnings: warnings.map(presentViolation) }
}

function presentViolation({ path, rule, message, line, column, expected, actual }: LocatedViolation) {
  return { path, rule, message, line, column, expected: expected ?? null, actual: actual ?? null }
}
