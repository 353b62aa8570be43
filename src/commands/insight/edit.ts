import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { confirm, select } from '@inquirer/prompts'
import { readInsightTexts } from '../../catalog.js'
import { isSvcError, SvcError } from '../../errors.js'
import { type Locale, locales, scenarios } from '../../insight/index.js'
import { type Draft, parseDraft, writeDraft } from '../../review/draft.js'
import { findNearest } from '../../spelling.js'
import type { CommandResult } from '../command.js'
import { createPaint } from '../output/style.js'
import { writeCatalogTexts } from './catalog-file.js'
import { createPreview, type Preview } from './edit-preview.js'
import { openEditor } from './editor.js'

/**
 * `svc insight edit`: shows what a text of the catalog says, opens it in an editor, shows what it says then, and writes it
 * back. Answers 0, 1 when nothing was written, 2 when the editor failed. A draft that was not written stays where it is.
 * Throws an SvcError without a terminal, and for a text that the catalog does not have.
 */
export async function runEdit(id: string, editor: string): Promise<CommandResult> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new SvcError(
      'invalid_request',
      'svc insight edit needs a terminal. Elsewhere, edit the files in catalog/insight and run svc insight check.',
    )
  }
  const draft = readDraft(id)
  const preview = await createPreview(draft.id, createPaint(process.stdout))
  process.stdout.write(preview.show())
  const path = join(mkdtempSync(join(tmpdir(), 'svc-edit-')), `${draft.id}.txt`)
  writeFileSync(path, writeDraft(draft))
  try {
    if ((await editDraft(draft, path, editor, preview)) === 'kept') return tellDraft(path, 1)
  } catch (error) {
    tellDraft(path, 2)
    if (isSvcError(error)) throw error
    // A prompt that was left with Ctrl-C is no fault of the program.
    if (error instanceof Error && error.name === 'ExitPromptError') return 1
    throw error
  }
  rmSync(dirname(path), { recursive: true, force: true })
  return 0
}

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
