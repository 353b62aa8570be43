import type { Rule } from '../../insight/types.js'
import type { LocatedViolation, PayloadResult, Problem, Summary } from '../../payload-files/result.js'
import type { Paint } from '../../runtime/style.js'

/** Writes a report while the results arrive, source by source in order. */
export interface Reporter {
  /** Reports a run of valid payloads without warnings; `index` is the first of them. */
  readonly valid: (source: string, index: number, count: number) => void
  readonly result: (result: PayloadResult) => void
  readonly problem: (problem: Problem) => void
  readonly end: (summary: Summary) => void
}

/** The options of annotations for GitHub. */
export interface AnnotationOptions {
  /** The folder that file names are relative to. */
  readonly cwd: string
  /** The file of the summary of the step, to which a table is appended; undefined outside of GitHub Actions. */
  readonly stepSummary?: string | undefined
}

export interface ReportOptions extends AnnotationOptions {
  readonly paint: Paint
  /** Shows only the violations that make payloads invalid, and no summary. */
  readonly quiet: boolean
  /** Warnings make a payload invalid. */
  readonly strict: boolean
  /** The start of the run. */
  readonly now: Date
  readonly rules: readonly Rule[]
  readonly toolVersion: string
}

export type CreateReporter = (write: (text: string) => void, options: ReportOptions) => Reporter

type Strictness = Pick<ReportOptions, 'quiet' | 'strict'>

/** Returns the warnings to show. With `quiet`, only those that make the payload invalid. */
export function shownWarnings(
  { warnings }: Pick<PayloadResult, 'warnings'>,
  { quiet, strict }: Strictness,
): readonly LocatedViolation[] {
  return quiet && !strict ? [] : warnings
}

/** Returns the level of a warning in formats for tools: an error if it makes the payload invalid. */
export function levelOfWarnings({ strict }: Strictness): 'error' | 'warning' {
  return strict ? 'error' : 'warning'
}
