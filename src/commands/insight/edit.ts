import { readFileSync } from 'node:fs'
import { confirm, select } from '@inquirer/prompts'
import { readInsightTexts } from '../../catalog.js'
import { isSvcError, SvcError } from '../../errors.js'
import { type Locale, locales, scenarios } from '../../insight/index.js'
import { type Draft, parseDraft } from '../../review/draft.js'
import { findNearest } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { createPaint } from '../output/style.js'
import { writeCatalogTexts } from './catalog-file.js'
import { createDraftFile, findKeptDraft, type KeptDraft, removeDraft, takeDraft } from './draft-file.js'
import { createPreview, type Preview } from './edit-preview.js'
import { openEditor } from './editor.js'

export interface EditOptions {
  readonly editor: string
  /** Whether to go on with the draft that an earlier edit left; undefined: ask. */
  readonly resume?: boolean
}

/**
 * `svc insight edit`: shows what a text of the catalog says, opens it in an editor, shows what it says then, and writes it
 * back. Answers 0, 1 when nothing was written, 2 when the editor failed. A draft that was not written stays where it is, and
 * is offered at the next edit. Throws an SvcError without a terminal, and for a text that the catalog does not have.
 */
export async function runEdit(id: string, { editor, resume }: EditOptions): Promise<CommandResult> {
  const draft = readDraft(id)
  const kept = findKeptDraft(draft.id)
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const where = kept === undefined ? '' : ` ${describeKept(kept)} It is in ${kept.path}`
    throw new SvcError(
      'invalid_request',
      `svc insight edit needs a terminal. Elsewhere, edit the files in catalog/insight and run svc insight check.${where}`,
    )
  }
  const preview = await createPreview(draft.id, createPaint(process.stdout))
  process.stdout.write(preview.show())
  const path = await openDraft(draft, kept, resume)
  if (path === undefined) return 1
  try {
    if ((await editDraft(draft, path, editor, preview)) === 'kept') return tellDraft(path, 1)
  } catch (error) {
    tellDraft(path, 2)
    if (isSvcError(error)) throw error
    if (isLeft(error)) return 1
    throw error
  }
  removeDraft(path)
  return 0
}

/** The path of the draft to edit: the one that was kept, or a new one; undefined when the question was left. */
async function openDraft(
  draft: Draft,
  kept: KeptDraft | undefined,
  resume: boolean | undefined,
): Promise<string | undefined> {
  if (kept === undefined && resume === true) {
    process.stderr.write(`There is no draft of ${draft.id}: this is the text of the catalog.\n`)
  }
  if (kept === undefined) return createDraftFile(draft)
  let choice: 'resume' | 'drop' | 'leave' = resume === false ? 'leave' : 'resume'
  try {
    choice = resume === undefined ? await askAboutDraft(kept) : choice
  } catch (error) {
    if (isLeft(error)) return undefined
    throw error
  }
  if (choice === 'drop') removeDraft(kept.path)
  if (choice !== 'resume') return createDraftFile(draft)
  const { isOld, path } = takeDraft(kept, draft)
  if (isOld) {
    process.stderr.write(
      'The text in the catalog changed since this draft was begun. What you did not touch is as in the catalog now.\n',
    )
  }
  return path
}

const describeKept = ({ savedAt }: KeptDraft) =>
  `There is a draft of this text from ${momentFormat.format(savedAt)} that was not saved to the catalog.`

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

function askAboutDraft(kept: KeptDraft): Promise<'resume' | 'drop' | 'leave'> {
  process.stderr.write(`${describeKept(kept)}\n`)
  return select(
    {
      message: 'Go on with it?',
      choices: [
        { name: 'Go on with the draft', value: 'resume' },
        { name: 'Begin with the text of the catalog, and keep the draft for later', value: 'leave' },
        { name: 'Begin with the text of the catalog, and delete the draft', value: 'drop' },
      ] as const,
    },
    { output: process.stderr },
  )
}

/** A question that was left with Ctrl-C is no fault of the program. */
const isLeft = (error: unknown) => error instanceof Error && error.name === 'ExitPromptError'

function readDraft(wanted: string): Draft {
  const { files, patterns } = readInsightTexts()
  const ids = Object.keys(files)
  const id = ids.find((one) => one === wanted.toUpperCase())
  if (id === undefined) {
    const nearest = findNearest(wanted, ids)
    throw new SvcError(
      'not_found',
      `There is no text ${JSON.stringify(wanted)}.${nearest === undefined ? '' : ` Did you mean ${nearest}?`} svc insight scenarios lists the sentences.`,
    )
  }
  const condition = scenarios.find((scenario) => scenario.id === id)?.condition
  const texts = {
    'zh-CN': patterns['zh-CN'][id] ?? '',
    'en-US': patterns['en-US'][id] ?? '',
    es: patterns.es[id] ?? '',
  }
  const about = condition === undefined ? 'A part of sentences.' : `Said for: ${condition}.`
  return { id, file: `catalog/${files[id]}`, about, texts }
}

/** Edits until the texts are written (or nothing changed), or the reviewer leaves the draft as it is. */
async function editDraft(draft: Draft, path: string, editor: string, preview: Preview): Promise<'done' | 'kept'> {
  for (;;) {
    await openEditor(editor, path)
    const edited = parseDraft(readFileSync(path, 'utf8'), draft.texts)
    if (typeof edited === 'string') {
      if (await askToGoOn(edited)) continue
      return 'kept'
    }
    const changed = locales.filter((locale) => edited[locale] !== draft.texts[locale])
    if (changed.length === 0) {
      process.stderr.write('Nothing was changed.\n')
      return 'done'
    }
    const { isUsable, report } = preview.judge(edited)
    if (!isUsable) {
      if (await askToGoOn(report)) continue
      return 'kept'
    }
    process.stdout.write(report)
    const next = await askWhatNext(draft.file)
    if (next === 'leave') return 'kept'
    if (next === 'edit') continue
    await save(draft, edited, changed)
    return 'done'
  }
}

function askToGoOn(problem: string): Promise<boolean> {
  process.stderr.write(`\n${problem.trimEnd()}\n`)
  return confirm({ message: 'Go on editing?' }, { output: process.stderr })
}

function askWhatNext(file: string): Promise<'save' | 'edit' | 'leave'> {
  return select(
    {
      message: 'What now?',
      choices: [
        { name: `Save it to ${file}`, value: 'save' },
        { name: 'Go on editing', value: 'edit' },
        { name: 'Leave the catalog as it is', value: 'leave' },
      ] as const,
    },
    { output: process.stderr },
  )
}

async function save({ file, id, texts }: Draft, edited: Draft['texts'], changed: readonly Locale[]): Promise<void> {
  await writeCatalogTexts(
    file.replace(/^catalog\//, ''),
    changed.map((locale) => ({ before: { id, locale, text: texts[locale] }, text: edited[locale] })),
  )
  process.stderr.write(`Saved to ${file}. Next: svc insight check, and svc insight sign once it was read.\n`)
}

function tellDraft(path: string, result: CommandResult): CommandResult {
  process.stderr.write(`Nothing was written to the catalog. The draft is in ${path}\n`)
  return result
}
