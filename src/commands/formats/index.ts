import type { Rule } from '../../insight/types.js'
import type { Paint } from '../output/style.js'
import type { PayloadResult, Problem, Summary } from '../validate/result.js'
import { createGithubReporter } from './github.js'
import { createJsonReporter } from './json.js'
import { createJunitReporter } from './junit.js'
import { createSarifReporter } from './sarif.js'
import { createTextReporter } from './text.js'

/** Writes a report while the results come in, source by source in order. */
export interface Reporter {
  /** A run of valid payloads without warnings, `index` the first of them. */
  readonly valid: (source: string, index: number, count: number) => void
  readonly result: (result: PayloadResult) => void
  readonly problem: (problem: Problem) => void
  readonly end: (summary: Summary) => void
}

export interface ReportOptions {
  readonly paint: Paint
  /** Only what makes payloads invalid, and no summary. */
  readonly quiet: boolean
  /** Warnings make a payload invalid. */
  readonly strict: boolean
  /** The folder that file names are relative to. */
  readonly cwd: string
  /** When the run began. */
  readonly now: Date
  readonly rules: readonly Rule[]
  readonly toolVersion: string
}

export type CreateReporter = (write: (text: string) => void, options: ReportOptions) => Reporter

/** Every format of `svc validate`. */
export const formats = {
  text: createTextReporter,
  json: createJsonReporter,
  github: createGithubReporter,
  junit: createJunitReporter,
  sarif: createSarifReporter,
} satisfies Record<string, CreateReporter>

export type FormatName = keyof typeof formats
