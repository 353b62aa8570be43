import { basename, join } from 'node:path'
import { type Check, checkTexts } from '../../review/check.js'
import type { Finding } from '../../review/finding.js'
import type { CommandResult } from '../command.js'
import { type Location, locate, toLocation } from '../input/location.js'
import { createPaint } from '../output/style.js'
import { type CheckFormatName, checkFormats } from './check-formats.js'
import { findCatalogFolder, type ReviewInput, readReviewInput } from './review-input.js'

/** A finding with its place in the file system. */
export interface LocatedFinding extends Finding {
  readonly path: string
  readonly location?: Location
}

/** `svc insight check`: prints what must not be published. Answers 0 for nothing, else 1; throws for an unreadable file. */
export async function runCheck(format: CheckFormatName): Promise<CommandResult> {
  const input = await readReviewInput()
  const check = checkTexts(input)
  const { stdout } = process
  stdout.write(checkFormats[format](describeCheck(input, check), { paint: createPaint(stdout), cwd: process.cwd() }))
  return check.findings.length === 0 ? 0 : 1
}

/** What a report is made of. */
export interface CheckReport {
  readonly ruleVersion: string
  readonly findings: readonly LocatedFinding[]
  readonly signed: Check['signed']
  /** Whether the texts could be put together. */
  readonly isRendered: boolean
}

function describeCheck(input: ReviewInput, { findings, isRendered, signed }: Check): CheckReport {
  const located = findings.map((finding) => locateFinding(input, finding))
  const inOrder = [...new Set(located.map(({ file }) => file))]
    .sort()
    .flatMap((file) =>
      located
        .filter((finding) => finding.file === file)
        .sort((a, b) => (a.location?.line ?? 0) - (b.location?.line ?? 0)),
    )
  return { ruleVersion: input.ruleVersion, findings: inOrder, signed, isRendered }
}

const start = { line: 1, column: 1 }

export function locateFinding({ sources }: Pick<ReviewInput, 'sources'>, finding: Finding): LocatedFinding {
  const { file, id, locale, offset } = finding
  const path = join(findCatalogFolder(), basename(file))
  const content = sources.find((source) => source.file === file)?.content
  if (content === undefined) return { ...finding, path }
  if (offset !== undefined) return { ...finding, path, location: toLocation(content, offset, start) }
  if (id === undefined) return { ...finding, path }
  const pointer = [id, ...(locale === undefined ? [] : [locale])].map(escapePointer).join('/')
  return { ...finding, path, location: locate(content, `/${pointer}`, start) }
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
