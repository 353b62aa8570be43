import { SvcError } from '../../errors.js'
import type { RuleHit } from '../../log/request-log.js'

/**
 * A request that breaks its schema; `violations` are for the log. The caller gets one fixed sentence, unless the route may
 * say more. Source: health detail contract, 7.
 */
export class InvalidBody extends SvcError {
  readonly violations: readonly RuleHit[]

  constructor(violations: readonly RuleHit[], message = 'The request is not valid.') {
    super('invalid_request', message)
    this.violations = violations
  }
}

/** The rules that a body breaks as a whole. */
export type BodyRule = 'content-type' | 'payload-json'

export function unreadableBody(rule: BodyRule, message?: string): InvalidBody {
  return new InvalidBody([{ rule, path: '' }], message)
}
