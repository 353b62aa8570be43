import type { Config } from '../../config.js'
import { SvcError } from '../../errors.js'

/** Throws `invalid_request` in production. */
export function requireTest({ environment }: Config, name: string): void {
  if (environment === 'test') return
  throw new SvcError('invalid_request', `${name} is for tests: SVC_ENV is ${environment}, and must be test.`)
}
