import type { PayloadResult } from '../../payload-files/result.js'
import { toJsonText } from '../../text/words.js'
import { presentResult } from '../validation/json.js'
import type { CreateRenderer } from './renderer.js'

/**
 * Writes one JSON document: a result per payload and language on a line each, and the invalid payloads as in `svc
 * validate`.
 */
export const createJsonRenderer: CreateRenderer = (write) => {
  const invalid: PayloadResult[] = []
  let separator = '\n'
  write('{"results":[')
  return {
    payload: ({ source, index, variant, insights, explanations }) => {
      for (const [position, insight] of insights.entries()) {
        const { locale, scenario, status, severity, summary, generation } = insight
        const explanation = explanations?.[position]
        const result = { source, index, variant, locale, scenario, status, severity, summary, generation, explanation }
        write(`${separator}${toJsonText(result)}`)
        separator = ',\n'
      }
    },
    invalid: (result) => {
      invalid.push(result)
    },
    end: () => write(`\n],"invalid":${toJsonText(invalid.map((result) => presentResult(result)))}}\n`),
  }
}
