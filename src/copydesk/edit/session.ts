import { readFileSync } from 'node:fs'
import { type Locale, locales } from '../../insight/index.js'
import { listWords } from '../../text/spelling.js'
import { toPrintable } from '../../text/words.js'
import { localeNames } from '../page/words.js'
import { writeCatalogTexts } from './catalog-file.js'
import { type Draft, parseDraft, rebaseDraft } from './draft.js'
import { createDraftFile, type KeptDraft, removeDraft, type TakenDraft, takeDraft } from './draft-file.js'
import { openEditor } from './editor.js'
import type { Preview } from './preview.js'
import { askAboutDraft, askToContinue, askWhatNext } from './questions.js'

type SessionDraft = Pick<TakenDraft, 'path' | 'base'>

/**
 * Opens the kept draft or a new one. `resume` says which without asking. Undefined if the reviewer cancelled the question.
 */
export async function openDraft(
  draft: Draft,
  kept: KeptDraft | undefined,
  resume: boolean | undefined,
): Promise<SessionDraft | undefined> {
  if (kept === undefined && resume === true) {
    process.stderr.write(`${draft.id} has no draft: this is the text of the catalog.\n`)
  }
  const choice = kept === undefined || resume === false ? 'leave' : resume ? 'resume' : await askAboutDraft(kept)
  if (choice === undefined) return undefined
  if (kept !== undefined && choice === 'drop') removeDraft(kept.path)
  if (kept === undefined || choice !== 'resume') return { path: createDraftFile(draft), base: draft.texts }
  const taken = takeDraft(kept, draft)
  if (taken.isOld) process.stderr.write(`${describeOld(taken)}\n`)
  return taken
}

/** Runs the editor until the texts are saved or unchanged (`done`), or the reviewer keeps the draft (`kept`). */
export async function editDraft(
  draft: Draft,
  { base, path }: SessionDraft,
  editor: string,
  preview: Preview,
): Promise<'done' | 'kept'> {
  for (;;) {
    await openEditor(editor, path)
    const read = parseDraft(readFileSync(path, 'utf8'), draft.texts)
    if (typeof read === 'string') {
      if (await askToContinue(toPrintable(read))) continue
      return 'kept'
    }
    const edited = rebaseDraft(read, base, draft.texts)
    const changed = locales.filter((locale) => edited[locale] !== draft.texts[locale])
    if (changed.length === 0) {
      process.stderr.write('Nothing was changed.\n')
      return 'done'
    }
    const { isUsable, report } = preview.judge(edited)
    if (!isUsable) {
      if (await askToContinue(report)) continue
      return 'kept'
    }
    process.stdout.write(report)
    const next = await askWhatNext(toPrintable(draft.file))
    if (next === 'leave') return 'kept'
    if (next === 'edit') continue
    await save(draft, edited, changed)
    return 'done'
  }
}

function describeOld({ contested }: TakenDraft): string {
  const languages = contested.map((locale) => localeNames[locale])
  const both =
    contested.length === 0
      ? ''
      : ` Both the draft and the catalog changed ${listWords(languages, 'and')}: compare the two before you save.`
  return `The catalog changed since this draft was started. Texts that you did not change are those of the catalog.${both}`
}

async function save({ file, id, texts }: Draft, edited: Draft['texts'], changed: readonly Locale[]): Promise<void> {
  await writeCatalogTexts(
    file.replace(/^catalog\//, ''),
    changed.map((locale) => ({ before: { id, locale, text: texts[locale] }, text: edited[locale] })),
  )
  process.stderr.write(`Saved to ${toPrintable(file)}. Next: svc insight check, and svc insight sign after review.\n`)
}
