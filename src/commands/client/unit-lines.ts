import { toPrintable } from '../../text/words.js'
import type { UnitResult } from './resources.js'

const marks: Readonly<Record<string, string>> = { success: '✓', failed: '✗', processing: '…' }

/** Renders a pose or scene as one line. */
export function describeUnit(name: string, { status, error_message }: UnitResult): string {
  const reason = error_message === null ? '' : `: ${error_message}`
  return toPrintable(`  ${marks[status] ?? ' '} ${name} ${status}${reason}`)
}
