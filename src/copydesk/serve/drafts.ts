import { readFileSync } from 'node:fs'
import { readInsightTexts } from '../../catalog/catalog.js'
import { type Locale, locales } from '../../insight/index.js'
import { openFile } from '../../runtime/output.js'
import { readDraft } from '../edit/catalog-file.js'
import { type Draft, parseDraft, rebaseDraft, withEndsOf, writeDraft } from '../edit/draft.js'
import { createDraftFile, findKeptDraft, removeDraft, takeDraft } from '../edit/draft-file.js'

/** The drafts of the page, on disk as `svc insight edit` keeps its own: each offers those of the other. */
export interface DeskDrafts {
  /** Returns the texts of every draft by ID: those that it does not change are those of the catalog now. */
  list(): ReadonlyMap<string, Draft['texts']>
  /** Changes a text of a draft, which begins with the first change and ends when no text differs any more. */
  change(id: string, locale: Locale, text: string | null): Promise<void>
}

interface OpenDraft {
  readonly path: string
  /** The texts that it started from. */
  readonly base: Draft['texts']
  readonly edited: Draft['texts']
}

/** Takes over the drafts that ended programs left. */
export function openDrafts(): DeskDrafts {
  const open = new Map<string, OpenDraft>()
  for (const id of Object.keys(readInsightTexts().files)) {
    const kept = findKeptDraft(id)
    if (kept === undefined) continue
    const { base, path } = takeDraft(kept, readDraft(id))
    const edited = parseDraft(readFileSync(path, 'utf8'), base)
    // A draft that only an editor can repair stays for `svc insight edit`.
    if (typeof edited !== 'string') open.set(id, { path, base, edited })
  }
  return {
    list: () =>
      new Map([...open].map(([id, { base, edited }]) => [id, rebaseDraft(edited, base, readDraft(id).texts)])),
    change: async (id, locale, text) => {
      const draft = readDraft(id)
      const found = open.get(id)
      if (found === undefined && (text === null || oneLine(text, draft.texts[locale]) === draft.texts[locale])) return
      const { base, edited, path } = found ?? { path: createDraftFile(draft), base: draft.texts, edited: draft.texts }
      const next = { ...edited, [locale]: text === null ? base[locale] : oneLine(text, base[locale]) }
      if (locales.every((one) => next[one] === base[one])) {
        open.delete(id)
        removeDraft(path)
        return
      }
      open.set(id, { path, base, edited: next })
      const output = openFile(path)
      output.write(writeDraft({ ...draft, texts: next }))
      await output.close()
    },
  }
}

/** A text is one line; its ends are those of the catalog, because it is joined to others. */
function oneLine(text: string, former: string): string {
  return withEndsOf(former, text.replaceAll(/\s*[\r\n]+\s*/g, ' '))
}
