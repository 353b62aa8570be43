import { findStepSummary } from '../../config.js'
import { checkTexts } from '../../copydesk/check.js'
import { describeCheck } from '../../copydesk/located-finding.js'
import { readConflicts, readReviewInput } from '../../copydesk/review-input.js'
import { type CheckFormatName, checkFormats } from '../../reports/copy-check.js'
import { createPaint } from '../../runtime/style.js'
import type { CommandResult } from '../command.js'

/**
 * `svc insight check`: prints the findings. Returns 0 without findings, else 1. Throws for a file that cannot be read.
 */
export async function runCheck(format: CheckFormatName): Promise<CommandResult> {
  const conflicts = readConflicts()
  const isMerged = conflicts.findings.length === 0
  const input = isMerged ? await readReviewInput() : { ...conflicts, ruleVersion: 'version unknown' }
  const check = 'wording' in input ? checkTexts(input) : { ...conflicts, isRendered: false, signed: [] }
  const { stdout } = process
  const options = { paint: createPaint(stdout), cwd: process.cwd(), stepSummary: findStepSummary() }
  stdout.write(checkFormats[format](describeCheck(input, check), options))
  return check.findings.length === 0 ? 0 : 1
}
