import { readDraft } from '../../copydesk/edit/catalog-file.js'
import { findKeptDraft, removeDraft } from '../../copydesk/edit/draft-file.js'
import { createPreview } from '../../copydesk/edit/preview.js'
import { describeKept, isCancelled } from '../../copydesk/edit/questions.js'
import { editDraft, openDraft } from '../../copydesk/edit/session.js'
import { isSvcError, SvcError } from '../../errors.js'
import { createPaint } from '../../runtime/style.js'
import { toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'

export interface EditOptions {
  readonly editor: string
  /** True: resume the kept draft; false: start from the catalog; undefined: ask. */
  readonly resume?: boolean
}

/**
 * `svc insight edit`: shows what a text of the catalog says, opens it in an editor, shows what it says then, and writes it
 * back. Returns 0 when saved or unchanged, 1 when nothing was written, 2 when the editor failed. A draft that was not
 * saved stays on disk and is offered at the next edit. Throws an SvcError without a terminal, and for an unknown text.
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
    if (isCancelled(error)) return 1
    throw error
  }
  removeDraft(path)
  return 0
}

function tellDraft(path: string, result: CommandResult): CommandResult {
  process.stderr.write(`Nothing was written to the catalog. The draft is in ${toPrintable(path)}\n`)
  return result
}
