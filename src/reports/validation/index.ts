import { createGithubReporter } from './github.js'
import { createJsonReporter } from './json.js'
import { createJunitReporter } from './junit.js'
import type { CreateReporter } from './reporter.js'
import { createSarifReporter } from './sarif.js'
import { createTextReporter } from './text.js'

/** Every format of `svc validate`. */
export const formats = {
  text: createTextReporter,
  json: createJsonReporter,
  github: createGithubReporter,
  junit: createJunitReporter,
  sarif: createSarifReporter,
} satisfies Record<string, CreateReporter>

export type FormatName = keyof typeof formats
