import { statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import type { LocatedViolation } from '../../payload-files/result.js'
import { stdinName } from '../../payload-files/sources.js'
import { appendToFile } from '../../runtime/output.js'
import { plain } from '../../runtime/style.js'
import { count, escapeControls, toPrintableLines } from '../../text/words.js'
import { escapeMarkdown } from '../insight/markdown.js'
import { type AnnotationOptions, type CreateReporter, levelOfWarnings, shownWarnings } from './reporter.js'
import { renderSummary } from './text.js'

/** Writes what GitHub shows at the lines of the files, and as the summary of the step. */
export const createGithubReporter: CreateReporter = (write, options) => {
  const { quiet } = options
  const annotations = createAnnotations(write, 'svc validate', options)
  const add = (level: AnnotationLevel, source: string, { rule, message, path, line, column }: LocatedViolation) =>
    annotations.add({ level, source, line, column, rule, message: path === '' ? message : `${message} (${path})` })
  return {
    valid: () => undefined,
    result: (result) => {
      for (const error of result.errors) add('error', result.source, error)
      for (const warning of shownWarnings(result, options)) add(levelOfWarnings(options), result.source, warning)
    },
    problem: ({ source, message }) => annotations.add({ level: 'error', source, message }),
    end: (summary) => {
      const { notShown } = summary
      const more = notShown > 0 ? ` … and ${count(notShown, 'more violation')} not shown (--max-errors).` : ''
      annotations.end(`${renderSummary(summary, plain)}${more}`, quiet)
    },
  }
}

type AnnotationLevel = 'error' | 'warning'

/** A row of a report for GitHub. */
interface Annotation {
  readonly level: AnnotationLevel
  readonly source?: string | undefined
  readonly line?: number
  readonly column?: number
  readonly rule?: string
  readonly message: string
}

/** GitHub shows so many annotations of each level for a step. */
const shownPerLevel = 10
/** GitHub rejects a longer summary of a step. */
const summaryBytesAtMost = 1 << 20

/**
 * Writes workflow commands, errors before warnings, and no more than GitHub shows; then a line with the total. All rows are in
 * the table of the summary, as far as it may be long.
 * Source: docs.github.com, "Workflow commands for GitHub Actions".
 */
export function createAnnotations(write: (text: string) => void, command: string, options: AnnotationOptions) {
  const { cwd, stepSummary } = options
  const amounts = { error: 0, warning: 0 }
  const rows = { error: '', warning: '' }
  let warnings = ''
  return {
    add: ({ level, source, line, column, rule, message }: Annotation) => {
      const file = source === undefined || source === stdinName ? source : toRepositoryPath(source, cwd)
      if (++amounts[level] <= shownPerLevel) {
        const place = source === stdinName ? {} : { file, line, col: column }
        const title = rule === undefined ? command : `${command}: ${rule}`
        const annotation = renderAnnotation(level, { ...place, title }, message)
        if (level === 'error') write(annotation)
        else warnings += annotation
      }
      if (stepSummary === undefined || rows[level].length > summaryBytesAtMost) return
      const place = [file, line, column].filter((part) => part !== undefined).join(':')
      rows[level] += `| ${[level, place, message, rule ?? ''].map(escapeCell).join(' | ')} |\n`
    },
    end: (total: string, quiet = false) => {
      write(warnings)
      const left = (['error', 'warning'] as const).flatMap((level) => {
        const more = amounts[level] - shownPerLevel
        return more > 0 ? count(more, level) : []
      })
      const without = left.length === 0 ? '' : ` Not annotated: ${left.join(', ')}.`
      if (!quiet || without !== '') write(`${total}${without}\n`)
      if (stepSummary !== undefined)
        appendToFile(stepSummary, renderTable(`### ${command}\n\n${total}`, rows, stepSummary))
    },
  }
}

/** Renders the table, without the last rows if the file would be too long with them. */
function renderTable(head: string, rows: Readonly<Record<AnnotationLevel, string>>, file: string): string {
  if (rows.error + rows.warning === '') return `${head}\n\n`
  const title = `${head}\n\n| Level | Place | Message | Rule |\n| --- | --- | --- | --- |\n`
  const tail = '\nThe other rows are left out, as GitHub shows at most 1 MiB.\n\n'
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const bytes = Buffer.from(`${title}${rows.error}${rows.warning}`)
  const room = summaryBytesAtMost - size - Buffer.byteLength(tail)
  if (bytes.length <= room) return `${bytes}\n`
  const end = bytes.subarray(0, Math.max(0, room)).lastIndexOf('\n') + 1
  return end < Buffer.byteLength(title) ? '' : `${bytes.subarray(0, end)}${tail}`
}

/** Escapes also what GitHub makes formulas and links of. */
function escapeCell(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkdown(line).replace(/[$:]/g, '\\$&'))
    .join('<br>')
}

/** Renders one workflow command on its own line. */
function renderAnnotation(
  level: AnnotationLevel,
  properties: { file?: string | undefined; line?: number | undefined; col?: number | undefined; title: string },
  message: string,
): string {
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  )
  return `::${level} ${list.join(',')}::${escapeData(message)}\n`
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
