import type { HealthDetailPayload } from './schema.js'
import type { Copy, Explanation, Insight, Locale } from './types.js'

export interface GenerateOptions {
  readonly copy: Copy
  /** Overrides the payload's own locale. */
  readonly locale?: Locale
}

export function generate(payload: HealthDetailPayload, options: GenerateOptions): Insight {
  return {
    scenario: 'INSUFFICIENT_DATA',
    locale: options.locale ?? payload.locale ?? 'en-US',
    status: 'insufficient_data',
    severity: 'none',
    summary: '',
    generation: { ruleId: 'HR_INSUFFICIENT_DATA', ruleVersion: options.copy.ruleVersion, aiPolished: false },
  }
}

export function explain(payload: HealthDetailPayload, options: GenerateOptions): Explanation {
  const { scenario, status, generation } = generate(payload, options)
  return { scenario, status, ruleId: generation.ruleId, condition: '', facts: [], clauses: [] }
}
