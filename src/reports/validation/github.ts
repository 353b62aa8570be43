import { isAbsolute, relative, sep } from 'node:path'
import { stdinName } from '../../payload-files/sources.js'
import type { LocatedViolation } from '../../payload-files/syntax.js'
import { escapeControls, toPrintableLines } from '../../text/words.js'
import { type CreateReporter, levelOfWarnings, shownWarnings } from './reporter.js'

/**
 * Writes workflow commands, which GitHub shows at the line of the file.
 * Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
export const createGithubReporter: CreateReporter = (write, options) => {
  const { cwd } = options
  const annotate = (level: 'error' | 'warning', source: string | undefined, message: string, at?: LocatedViolation) => {
    const file = source !== undefined && source !== stdinName ? { file: toRepositoryPath(source, cwd) } : {}
    const place = at === undefined ? {} : { line: at.line, column: at.column }
    const title = at === undefined ? 'svc validate' : `svc validate: ${at.rule}`
    write(renderAnnotation(level, { ...file, ...place, title }, message))
  }
  return {
    valid: () => undefined,
    result: (result) => {
      const { source, errors } = result
      for (const error of errors) annotate('error', source, withPath(error), error)
      for (const warning of shownWarnings(result, options)) {
        annotate(levelOfWarnings(options), source, withPath(warning), warning)
      }
    },
    problem: ({ source, message }) => annotate('error', source, message),
    end: ({ notShown }) => {
      if (notShown > 0) annotate('warning', undefined, `${notShown} more not shown (--max-errors).`)
    },
  }
}

/** Renders one workflow command on its own line. */
export function renderAnnotation(
  level: 'error' | 'warning',
  { file, line, column, title }: { file?: string; line?: number; column?: number; title: string },
  message: string,
): string {
  const list = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  )
  return `::${level} ${list.join(',')}::${escapeData(message)}\n`
}

function withPath({ message, path }: LocatedViolation): string {
  return path === '' ? message : `${message} (${path})`
}

/** Returns the path of a source relative to the folder of the run, with forward slashes. */
export function toRepositoryPath(source: string, cwd: string): string {
  return (isAbsolute(source) ? relative(cwd, source) : source).split(sep).join('/').replace(/^\.\//, '')
}

function escapeData(text: string): string {
  return toPrintableLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(escapeControls(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
