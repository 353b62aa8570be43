import { hashTexts } from '../../src/catalog.js'
import { type ReviewInput, readEntryFile, readReviewInput } from '../../src/commands/insight/review-input.js'
import type { Locale } from '../../src/insight/types.js'
import { approve } from '../../src/review/approve.js'
import { type Check, type CheckInput, checkTexts } from '../../src/review/check.js'
import { type EntryFile, readEntries } from '../../src/review/entries.js'
import type { Patterns } from '../../src/review/signoff.js'

/** The shipped catalog as the check sees it. */
export const shipped: ReviewInput = await readReviewInput()

export const shippedTexts = readEntries(shipped.files).texts

/** The same with one text put in another's place. */
export function changeText(id: string, locale: Locale, change: (text: string) => string): ReviewInput {
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
  return { ...shipped, files: shipped.files.map(changeFile) }
}

/** The same with what a file says changed, letter by letter. */
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

/** The label that changed texts get in tests. */
export const newLabel = 'health-detail-copy-2099.1'

/** The same with a new label for the texts as they are. */
export function relabel<Input extends CheckInput>(input: Input): Input {
  return { ...input, ruleVersion: newLabel, pinnedHash: hashTexts(patternsOf(input)) }
}

/** The same with all signed, so that what is found is about the texts alone; under a new label where that is needed. */
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

/** What a check found, a line each: code, text, language. */
export function listFindings({ findings }: Check): string[] {
  return findings.map(({ code, id, locale }) => [code, id, locale].filter((part) => part !== undefined).join(' '))
}

export { checkTexts }
