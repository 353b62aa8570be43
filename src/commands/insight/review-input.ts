import { fileURLToPath } from 'node:url'
import {
  readInsightFiles,
  readInsightSignoff,
  readInsightVersion,
  readInsightWording,
  type TextFile,
} from '../../catalog.js'
import { shippedUrl } from '../../entry.js'
import { type HealthDetailPayload, validate } from '../../insight/index.js'
import type { CheckInput } from '../../review/check.js'
import type { Entry, EntryFile } from '../../review/entries.js'
import type { Finding } from '../../review/finding.js'
import type { ReviewFixture } from '../../review/lint-rendered.js'
import { parseSignoff } from '../../review/signoff.js'
import { parseWording } from '../../review/wording.js'
import { findFault } from '../input/fault.js'
import { listMembers, skipBlank } from '../input/location.js'
import { readPayloads } from '../input/payloads.js'
import { findSources } from '../input/sources.js'

/** What the checks look at, with the files as they are written. */
export interface ReviewInput extends CheckInput {
  readonly sources: readonly TextFile[]
}

/** The catalog that this program answers from, with its fixtures. Throws an SvcError for a file that cannot be read. */
export async function readReviewInput(): Promise<ReviewInput> {
  const folder = shippedUrl('catalog/insight/')
  const sources = readInsightFiles(folder)
  const read = sources.map(readEntryFile)
  return {
    sources,
    broken: read.flatMap((result) => ('code' in result ? [result] : [])),
    files: read.flatMap((result) => ('code' in result ? [] : [result])),
    fixtures: await readFixtures(),
    wording: parseWording(readInsightWording(folder)),
    signoff: parseSignoff(readInsightSignoff(folder)),
    ...readInsightVersion(folder),
  }
}

/** Where the texts lie that this program answers from; `svc insight render` shows the same. */
export function findCatalogFolder(): string {
  return fileURLToPath(shippedUrl('catalog/insight'))
}

/** A file of texts member by member, or what is wrong with it where it is no JSON object. */
export function readEntryFile({ file, content }: TextFile): EntryFile | Finding {
  const start = skipBlank(content, 0)
  try {
    JSON.parse(content)
  } catch {
    const { message, offset } = findFault(content)
    const fix =
      'Inside a text a quotation mark is written \\"; between two entries stands one comma, none after the last.'
    return { code: 'file-broken', file, offset, message: `catalog/${file} is not valid JSON: ${message}.`, fix }
  }
  if (content[start] !== '{') {
    const fix = 'Put back the last version of the file.'
    return { code: 'file-broken', file, message: `catalog/${file} must be a JSON object.`, fix }
  }
  const entries = [...listMembers(content, start)].map(({ name, offset }): Entry => {
    const members = content[offset] === '{' ? [...listMembers(content, offset)] : undefined
    return { id: name, offset, members: members?.map((member) => readMember(content, member)) }
  })
  return { file, entries }
}

function readMember(content: string, { name, offset, end }: { name: string; offset: number; end: number }) {
  return { name, offset, value: JSON.parse(content.slice(offset, end)) as unknown }
}

/** The payloads of a folder that are valid, by the name of their file; those that travel with the program. */
export async function readFixtures(folder = fileURLToPath(shippedUrl('fixtures/insight'))): Promise<ReviewFixture[]> {
  const fixtures: ReviewFixture[] = []
  for (const { source } of await findSources([folder])) {
    if (source === undefined) continue
    for await (const item of readPayloads(source)) {
      if (!('payload' in item) || validate(item.payload).errors.length > 0) continue
      const name = source.name.slice(folder.length + 1).replace(/\.json$/, '')
      fixtures.push({ name, payload: item.payload as HealthDetailPayload })
    }
  }
  return fixtures
}
