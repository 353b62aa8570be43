import { readFileSync } from 'node:fs'
import { confirm, select } from '@inquirer/prompts'
import { readInsightTexts } from '../../catalog.js'
import { isSvcError, SvcError } from '../../errors.js'
import { type Locale, locales, scenarios } from '../../insight/index.js'
import { type Draft, parseDraft, rebaseDraft } from '../../review/draft.js'
import { localeNames } from '../../review/page-words.js'
import { findNearest, listWords } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { createPaint } from '../output/style.js'
import { writeCatalogTexts } from './catalog-file.js'
import {
  createDraftFile,
  findKeptDraft,
  type KeptDraft,
  removeDraft,
  type TakenDraft,
  takeDraft,
} from './draft-file.js'
import { createPreview, type Preview } from './edit-preview.js'
import { openEditor } from './editor.js'

export interface EditOptions {
  readonly editor: string
  /** Whether to go on with the draft that an earlier edit left; undefined: ask. */
  readonly resume?: boolean
}

type OpenDraft = Pick<TakenDraft, 'path' | 'base'>

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
  const opened = await openDraft(draft, kept, resume)
  if (opened === undefined) return 1
  const { path } = opened
  try {
    if ((await editDraft(draft, opened, editor, preview)) === 'kept') return tellDraft(path, 1)
  } catch (error) {
    tellDraft(path, 2)
    if (isSvcError(error)) throw error
    if (isLeft(error)) return 1
    throw error
  }
  removeDraft(path)
  return 0
}

/** The draft to edit: the one that was kept, or a new one; undefined when the question was left. */
async function openDraft(
  draft: Draft,
  kept: KeptDraft | undefined,
  resume: boolean | undefined,
): Promise<OpenDraft | undefined> {
  if (kept === undefined && resume === true) {
    process.stderr.write(`There is no draft of ${draft.id}: this is the text of the catalog.\n`)
  }
  const choice = kept === undefined || resume === false ? 'leave' : resume ? 'resume' : await askAboutDraft(kept)
  if (choice === undefined) return undefined
  if (kept !== undefined && choice === 'drop') removeDraft(kept.path)
  if (kept === undefined || choice !== 'resume') return { path: createDraftFile(draft), base: draft.texts }
  const taken = takeDraft(kept, draft)
  if (taken.isOld) process.stderr.write(`${describeOld(taken)}\n`)
  return taken
}

function describeOld({ contested }: TakenDraft): string {
  const languages = contested.map((locale) => localeNames[locale])
  const both =
    contested.length === 0
      ? ''
      : ` You and somebody else changed ${listWords(languages, 'and')}: compare the two before you save yours.`
  return `The text in the catalog changed since this draft was begun. What you did not touch stays as it is there now.${both}`
}

const describeKept = ({ savedAt }: KeptDraft) =>
  `There is a draft of this text from ${momentFormat.format(savedAt)} that was not saved to the catalog.`

const momentFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })

async function askAboutDraft(kept: KeptDraft): Promise<'resume' | 'drop' | 'leave' | undefined> {
  process.stderr.write(`${describeKept(kept)}\n`)
  const question = {
    message: 'Go on with it?',
    choices: [
      { name: 'Go on with the draft', value: 'resume' },
      { name: 'Begin with the text of the catalog, and keep the draft for later', value: 'leave' },
      { name: 'Begin with the text of the catalog, and delete the draft', value: 'drop' },
    ] as const,
  }
  try {
    return await select(question, { output: process.stderr })
  } catch (error) {
    if (isLeft(error)) return undefined
    throw error
  }
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
async function editDraft(
  draft: Draft,
  { base, path }: OpenDraft,
  editor: string,
  preview: Preview,
): Promise<'done' | 'kept'> {
  for (;;) {
    await openEditor(editor, path)
    const read = parseDraft(readFileSync(path, 'utf8'), draft.texts)
    if (typeof read === 'string') {
      if (await askToGoOn(read)) continue
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
