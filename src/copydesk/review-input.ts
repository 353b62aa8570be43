import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  conflictWords,
  findConflict,
  labelTexts,
  readInsightFiles,
  readInsightSignoff,
  readInsightVersion,
  readInsightWording,
  type TextFile,
} from '../catalog/catalog.js'
import { findSyntaxError } from '../payload-files/syntax-error.js'
import { shippedUrl } from '../runtime/entry.js'
import { listMembers, skipBlank } from '../text/json-location.js'
import type { CheckInput } from './check.js'
import { type EntryFile, readEntries, type TextEntry } from './entries.js'
import type { Finding } from './finding.js'
import { readFixtures } from './fixtures.js'
import { parseWording } from './lint/wording.js'
import { parseSignoff } from './signoff/signoff.js'

/** The input of the checks with the source files. */
export interface ReviewInput extends CheckInput {
  readonly sources: readonly TextFile[]
}

/** Reads the shipped catalog and its fixtures. Throws an SvcError for a file that cannot be read. */
export async function readReviewInput(): Promise<ReviewInput> {
  const folder = shippedUrl('catalog/insight/')
  const sources = readInsightFiles(folder)
  const read = sources.map(readEntryFile)
  const files = read.flatMap((result) => ('code' in result ? [] : [result]))
  return {
    sources,
    broken: read.flatMap((result) => ('code' in result ? [result] : [])),
    files,
    fixtures: await readFixtures(),
    wording: parseWording(readInsightWording(folder)),
    signoff: parseSignoff(readInsightSignoff(folder)),
    ...labelTexts(readInsightVersion(folder), readEntries(files).texts.patterns),
  }
}

/** Reads the files of the catalog in which a merge left conflicts, each with the finding on the first of them. */
export function readConflicts(): { readonly sources: readonly TextFile[]; readonly findings: readonly Finding[] } {
  const folder = shippedUrl('catalog/')
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ file: file.replaceAll('\\', '/'), content: readFileSync(new URL(file, folder), 'utf8') }))
  return { sources, findings: sources.flatMap((source) => describeConflict(source) ?? []) }
}

function describeConflict({ content, file }: TextFile): Finding | undefined {
  const offset = findConflict(content)
  return offset === undefined ? undefined : { code: 'file-conflict', file, offset, ...conflictWords }
}

/** Returns the folder of the texts that this program uses, also for `svc insight render`. */
export function findCatalogFolder(): string {
  return fileURLToPath(shippedUrl('catalog/insight'))
}

/** Parses a file of texts into its members. Returns a finding if it is not a JSON object. */
export function readEntryFile({ file, content }: TextFile): EntryFile | Finding {
  const conflict = describeConflict({ file, content })
  if (conflict !== undefined) return conflict
  const start = skipBlank(content, 0)
  try {
    JSON.parse(content)
  } catch {
    const { message, offset } = findSyntaxError(content)
    const fix =
      'Inside a text, write a quotation mark as \\". Write one comma between two entries and no comma after the last.'
    return { code: 'file-broken', file, offset, message: `catalog/${file} is not valid JSON: ${message}.`, fix }
  }
  if (content[start] !== '{') {
    const fix = 'Restore the last version of the file.'
    return { code: 'file-broken', file, message: `catalog/${file} must be a JSON object.`, fix }
  }
  const entries = [...listMembers(content, start)].map(({ name, offset }): TextEntry => {
    const members = content[offset] === '{' ? [...listMembers(content, offset)] : undefined
    return { id: name, offset, members: members?.map((member) => readMember(content, member)) }
  })
  return { file, entries }
}

function readMember(content: string, { name, offset, end }: { name: string; offset: number; end: number }) {
  return { name, offset, value: JSON.parse(content.slice(offset, end)) as unknown }
}
