import type { Config } from '../../config.js'
import { noPublicUrl } from '../notices.js'

/** The result of a check. A note needs no action. */
export interface CheckResult {
  readonly check: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly message: string
  /** The action that solves a problem. */
  readonly fix?: string
}

export function ok(check: string, message: string): CheckResult {
  return { check, state: 'ok', message }
}

export function note(check: string, message: string): CheckResult {
  return { check, state: 'note', message }
}

export function problem(check: string, message: string, fix: string): CheckResult {
  return { check, state: 'problem', message, fix }
}

/** Notes that a server got requests from a proxy, unless the settings name the address that callers use. */
export function describeProxy({ publicUrl }: Pick<Config, 'publicUrl'>, time: string | undefined): CheckResult[] {
  return publicUrl !== null || time === undefined ? [] : [note('proxy', `At ${time}: ${noPublicUrl}`)]
}

const namesShown = 5

/** Lists the first names, and the number of the others. */
export function shorten(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `${names.slice(0, namesShown).join(', ')}${more}`
}

/** Returns the first line of an error message. */
export function reasonIn(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
