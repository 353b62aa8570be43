import {
  hashTexts,
  labelTexts,
  readInsightFiles,
  readInsightVersion,
  readInsightWording,
} from '../../src/catalog/catalog.js'
import { type CheckInput, type CopyCheck, checkTexts } from '../../src/copydesk/check.js'
import { type EntryFile, readEntries } from '../../src/copydesk/entries.js'
import { readFixtures } from '../../src/copydesk/fixtures.js'
import { parseWording } from '../../src/copydesk/lint/wording.js'
import { type ReviewInput, readEntryFile } from '../../src/copydesk/review-input.js'
import { approve } from '../../src/copydesk/signoff/signing.js'
import type { Patterns } from '../../src/copydesk/signoff/signoff.js'
import type { Locale } from '../../src/insight/types.js'
import { isKept, testTexts } from './desk.js'

/** The label of changed texts in tests. */
export const newLabel = 'health-detail-copy-2099.1'

const sources = readInsightFiles(testTexts)
const read = readFiles(sources)
const version = labelTexts(readInsightVersion(testTexts), readEntries(read.files).texts.patterns)

const firstLabel = 'health-detail-copy-2026.1'
const signed: ReviewInput = approveAll({
  ...version,
  sources,
  broken: [],
  files: read.files,
  fixtures: (await readFixtures()).filter(({ name }) => isKept.test(`${name}.json`)),
  wording: parseWording(readInsightWording(testTexts)),
  signoff: {
    labels: { 'zh-CN': {}, 'en-US': { [firstLabel]: '', [version.ruleVersion]: version.pinnedHash }, es: {} },
    ...{ wording: '', texts: {}, answers: {} },
  },
})
const { RANGE, ...others } = signed.signoff.texts
if (RANGE?.es === undefined) throw new Error('RANGE has no Spanish text')

/** The texts of tests as the input of the check: all are signed, one of them under an earlier label. */
export const baseline: ReviewInput = {
  ...signed,
  signoff: {
    ...signed.signoff,
    texts: { RANGE: { ...RANGE, es: { ...RANGE.es, ruleVersion: firstLabel } }, ...others },
  },
}

export const baselineTexts = readEntries(baseline.files).texts

function readFiles(read: ReviewInput['sources']): Pick<ReviewInput, 'broken' | 'files'> {
  const results = read.map(readEntryFile)
  return {
    broken: results.flatMap((result) => ('code' in result ? [result] : [])),
    files: results.flatMap((result) => ('code' in result ? [] : [result])),
  }
}

/** Changes one text in one language. */
export function changeText(
  id: string,
  locale: Locale,
  change: (text: string) => string,
  input: ReviewInput = baseline,
): ReviewInput {
  const changeFile = (file: EntryFile): EntryFile => ({
    ...file,
    entries: file.entries.map((entry) => {
      if (entry.id !== id) return entry
      const members = entry.members?.map((member) =>
        member.name === locale ? { ...member, value: change(String(member.value)) } : member,
      )
      return { ...entry, members }
    }),
  })
  return { ...input, files: input.files.map(changeFile) }
}

/** Changes the content of a file of texts. */
export function changeFile(name: string, change: (content: string) => string): ReviewInput {
  const sources = baseline.sources.map(({ file, content }) => ({
    file,
    content: file === `insight/${name}.json` ? change(content) : content,
  }))
  return { ...baseline, sources, ...readFiles(sources) }
}

/** Gives the current texts a new label. */
export function relabel<Input extends CheckInput>(input: Input): Input {
  return { ...input, ruleVersion: newLabel, pinnedHash: hashTexts(patternsOf(input)) }
}

/** Signs everything, under a new label if the texts changed, so that only findings on the texts are left. */
export function approveAll<Input extends CheckInput>(input: Input): Input {
  const isChanged = hashTexts(patternsOf(input)) !== input.pinnedHash
  const labelled = isChanged ? relabel(input) : input
  const check = checkTexts(labelled)
  const signature = { by: 'svc team', date: '2026-10-14', ruleVersion: labelled.ruleVersion }
  const wanted = { texts: check.signed, answers: check.answers, wording: true }
  return { ...labelled, signoff: approve(labelled, check, wanted, signature) }
}

function patternsOf({ files }: CheckInput): Patterns {
  return readEntries(files).texts.patterns
}

/** Formats each finding as code, text and language. */
export function listFindings({ findings }: CopyCheck): string[] {
  return findings.map(({ code, id, locale }) => [code, id, locale].filter((part) => part !== undefined).join(' '))
}

export { checkTexts }
