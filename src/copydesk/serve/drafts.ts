import { join } from 'node:path'
import { SvcError } from '../../errors.js'
import { type Locale, locales } from '../../insight/index.js'
import { changeFile, readIfThere } from '../../runtime/shared-file.js'
import { commentFormat, parseCommentFile, type ReviewComment } from '../comment-file.js'
import { readDraft } from '../edit/catalog-file.js'
import { type Draft, rebaseDraft, withEndsOf } from '../edit/draft.js'
import { hashText } from '../signoff/signoff.js'
import type { DeskChange } from './change.js'

interface DraftFile {
  readonly catalog: string
  /** By ID, the texts that a draft started from, and the edited ones. */
  readonly drafts: Readonly<Record<string, Readonly<Record<'base' | 'edited', Draft['texts']>>>>
}

/**
 * Opens the drafts of a catalog in the state folder of the user: a file that the desks on it share and that outlives them.
 * Drafts of other checkouts are in files of their own.
 */
export function openDrafts(stateFolder: string, catalog: string) {
  const file = join(stateFolder, 'drafts', `${hashText(catalog).slice(0, 16)}.json`)
  const parse = (content: string | undefined): DraftFile['drafts'] => {
    try {
      return content === undefined ? {} : (JSON.parse(content) as DraftFile).drafts
    } catch (cause) {
      throw new SvcError('invalid_request', `${file} is not a file of drafts. Delete it, or restore it.`, { cause })
    }
  }
  return {
    /** Returns the texts of every draft by ID: those that it does not change are those of the catalog now. */
    list: (): ReadonlyMap<string, Draft['texts']> =>
      new Map(
        Object.entries(parse(readIfThere(file))).flatMap(([id, { base, edited }]) => {
          const now = findTexts(id)
          return now === undefined ? [] : [[id, rebaseDraft(edited, base, now)]]
        }),
      ),
    /**
     * Changes a text of a draft, which begins with the first change and ends when no text differs any more. Throws
     * `not_found` for a text that is not in the catalog.
     */
    change: async (id: string, locale: Locale, text: string | null) => {
      const { texts } = readDraft(id)
      const edit = (content: string | undefined) => {
        const { [id]: found, ...others } = parse(content)
        const { base, edited } = found ?? { base: texts, edited: texts }
        const next = { ...edited, [locale]: text === null ? base[locale] : oneLine(text, base[locale]) }
        const isChanged = locales.some((one) => next[one] !== base[one])
        if (found === undefined && !isChanged) return undefined
        const drafts = { ...others, ...(isChanged && { [id]: { base, edited: next } }) }
        return `${JSON.stringify({ catalog, drafts } satisfies DraftFile, null, 2)}\n`
      }
      await changeFile(file, edit, true)
    },
  }
}

/** Returns the texts of the catalog; undefined for a draft whose text was removed from it. */
function findTexts(id: string): Draft['texts'] | undefined {
  try {
    return readDraft(id).texts
  } catch {
    // The draft stays in the file: the text may return with another version of the catalog.
    return undefined
  }
}

/** A text is one line; its ends are those of the catalog, because it is joined to others. */
function oneLine(text: string, former: string): string {
  return withEndsOf(former, text.replaceAll(/\s*[\r\n]+\s*/g, ' '))
}

/**
 * Opens the comments of reviewers, in the file that `svc insight comments` reads, and the notes of the page, in a folder that
 * the first change creates. Reads the files each time: a person may edit them, and other desks change them.
 */
export function openNotes(folder: string) {
  const commentFile = join(folder, 'comments.json')
  const noteFile = join(folder, 'notes.json')
  const parseComments = (content: string | undefined): readonly ReviewComment[] => {
    if (content === undefined) return []
    const found = parseCommentFile(content)
    if (typeof found === 'string') throw new SvcError('invalid_request', `${commentFile}: ${found}`)
    return found.comments
  }
  return {
    commentFile,
    readComments: () => parseComments(readIfThere(commentFile)),
    /** Returns names, marks and unfinished comments by their keys. */
    readNotes: () => parseNotes(noteFile, readIfThere(noteFile)),
    /** Merges changes of comments and notes into the files. `ruleVersion` labels the comments. */
    apply: async (changes: readonly DeskChange[], ruleVersion: string) => {
      if (changes.some(({ kind }) => kind === 'comment' || kind === 'no-comment')) {
        await changeFile(commentFile, (content) => {
          const comments = new Map(parseComments(content).map((comment) => [comment.id, comment]))
          for (const change of changes) {
            if (change.kind === 'comment') comments.set(change.comment.id, change.comment)
            if (change.kind === 'no-comment') comments.delete(change.id)
          }
          return toFile({ format: commentFormat, ruleVersion, comments: [...comments.values()] })
        })
      }
      if (!changes.some(({ kind }) => kind === 'note')) return
      await changeFile(noteFile, (content) => {
        const notes = new Map(Object.entries(parseNotes(noteFile, content)))
        for (const change of changes) {
          if (change.kind !== 'note') continue
          if (change.value === null) notes.delete(change.key)
          else notes.set(change.key, change.value)
        }
        return toFile(Object.fromEntries(notes))
      })
    },
  }
}

function parseNotes(file: string, content = '{}'): Readonly<Record<string, string>> {
  try {
    const notes: unknown = JSON.parse(content)
    if (typeof notes === 'object' && notes !== null && Object.values(notes).every((note) => typeof note === 'string'))
      return notes as Record<string, string>
  } catch {
    // The same answer as for another form.
  }
  throw new SvcError('invalid_request', `${file} is not a file of notes. Delete it, or restore its last version.`)
}

const toFile = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
