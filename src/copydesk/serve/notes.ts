import { join } from 'node:path'
import { SvcError } from '../../errors.js'
import { changeFile, readIfThere } from '../../runtime/shared-file.js'
import { commentFormat, parseCommentFile, type ReviewComment } from '../comment-file.js'
import type { DeskChange } from './change.js'

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
