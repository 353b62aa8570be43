import { hashTexts } from '../../src/catalog/catalog.js'
import { type CheckInput, type CopyCheck, checkTexts } from '../../src/copydesk/check.js'
import { type EntryFile, readEntries } from '../../src/copydesk/entries.js'
import { type ReviewInput, readEntryFile, readReviewInput } from '../../src/copydesk/review-input.js'
import { approve } from '../../src/copydesk/signoff/signing.js'
import type { Patterns } from '../../src/copydesk/signoff/signoff.js'
import type { Locale } from '../../src/insight/types.js'

/** The shipped catalog as the input of the check. */
export const shipped: ReviewInput = await readReviewInput()

export const shippedTexts = readEntries(shipped.files).texts

/** Changes one text in one language. */
export function changeText(
  id: string,
  locale: Locale,
  change: (text: string) => string,
  input: ReviewInput = shipped,
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
  const sources = shipped.sources.map(({ file, content }) => ({
    file,
    content: file === `insight/${name}.json` ? change(content) : content,
  }))
  const read = sources.map(readEntryFile)
  return {
    ...shipped,
    sources,
    broken: read.flatMap((result) => ('code' in result ? [result] : [])),
    files: read.flatMap((result) => ('code' in result ? [] : [result])),
  }
}

/** The label of changed texts in tests. */
export const newLabel = 'health-detail-copy-2099.1'

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
