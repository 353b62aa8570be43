import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../../errors.js'
import { openFile } from '../../runtime/output.js'
import { reasonOf } from '../../runtime/reason.js'
import { commentFormat, parseCommentFile, type ReviewComment } from '../comment-file.js'
import type { DeskChange } from './change.js'

/** The comments of reviewers, in the file that `svc insight comments` reads, and the notes of the page. */
export interface DeskNotes {
  readonly commentFile: string
  readComments(): readonly ReviewComment[]
  /** Names, marks and unfinished comments by their keys. */
  readNotes(): Readonly<Record<string, string>>
  /** Applies changes of comments and notes, and writes the files whole. `ruleVersion` labels the comments. */
  apply(changes: readonly DeskChange[], ruleVersion: string): Promise<void>
}

/** Opens the notes in a folder, which the first change creates. Reads the files each time: a person may edit them. */
export function openNotes(folder: string): DeskNotes {
  const commentFile = join(folder, 'comments.json')
  const noteFile = join(folder, 'notes.json')
  const readComments = () => {
    const content = readIfThere(commentFile)
    if (content === undefined) return []
    const found = parseCommentFile(content)
    if (typeof found === 'string') throw new SvcError('invalid_request', `${commentFile}: ${found}`)
    return found.comments
  }
  const readNotes = () => parseNotes(noteFile, readIfThere(noteFile) ?? '{}')
  return {
    commentFile,
    readComments,
    readNotes,
    apply: async (changes, ruleVersion) => {
      const comments = new Map(readComments().map((comment) => [comment.id, comment]))
      const notes = new Map(Object.entries(readNotes()))
      const kinds = new Set<DeskChange['kind']>()
      for (const change of changes) {
        kinds.add(change.kind)
        if (change.kind === 'comment') comments.set(change.comment.id, change.comment)
        if (change.kind === 'no-comment') comments.delete(change.id)
        if (change.kind === 'note' && change.value !== null) notes.set(change.key, change.value)
        if (change.kind === 'note' && change.value === null) notes.delete(change.key)
      }
      mkdirSync(folder, { recursive: true })
      if (kinds.has('comment') || kinds.has('no-comment')) {
        await writeWhole(commentFile, { format: commentFormat, ruleVersion, comments: [...comments.values()] })
      }
      if (kinds.has('note')) await writeWhole(noteFile, Object.fromEntries(notes))
    },
  }
}

function parseNotes(file: string, content: string): Readonly<Record<string, string>> {
  try {
    const notes: unknown = JSON.parse(content)
    if (typeof notes === 'object' && notes !== null && Object.values(notes).every((note) => typeof note === 'string'))
      return notes as Record<string, string>
  } catch {
    // The same answer as for another form.
  }
  throw new SvcError('invalid_request', `${file} is not a file of notes. Delete it, or restore its last version.`)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
    throw new SvcError('invalid_request', `${file} cannot be read: ${reasonOf(cause)}.`, { cause })
  }
}

async function writeWhole(file: string, value: unknown): Promise<void> {
  const output = openFile(file)
  output.write(`${JSON.stringify(value, null, 2)}\n`)
  await output.close()
}
