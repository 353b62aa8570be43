import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Locale, locales } from '../../insight/types.js'
import { type Draft, parseDraft, rebaseDraft, writeDraft } from '../../review/draft.js'

/** What an edit that was ended, or left without saving, keeps on disk. */
export interface KeptDraft {
  readonly path: string
  /** When it was last written. */
  readonly savedAt: Date
}

/** The texts as they were when the draft was begun; beside it, so that a later edit knows what the reviewer changed. */
const formerName = 'before.txt'

/** Writes a draft into a folder of its own that nobody else reads, and answers its path. */
export function createDraftFile(draft: Draft): string {
  const folder = nameFolder()
  mkdirSync(folder, { mode: 0o700 })
  const path = join(folder, `${draft.id}.txt`)
  writeFileSync(path, writeDraft(draft))
  writeFileSync(join(folder, formerName), writeDraft(draft))
  return path
}

/** The latest draft of a text in which something was written, and that no running edit has open; undefined for none. */
export function findKeptDraft(id: string): KeptDraft | undefined {
  const kept = readdirSync(tmpdir()).flatMap((name) => {
    const owner = /^svc-edit-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || isRunning(Number(owner))) return []
    return readKept(join(tmpdir(), name), `${id}.txt`) ?? []
  })
  return kept.sort((a, b) => b.savedAt.getTime() - a.savedAt.getTime())[0]
}

/** A draft that was taken over. */
export interface TakenDraft {
  readonly path: string
  /** What the draft was begun from: a text that is as it is here was not touched. */
  readonly base: Draft['texts']
  /** Whether the catalog says something else than it did then; and in which of the languages that the draft changed. */
  readonly isOld: boolean
  readonly contested: readonly Locale[]
}

/** Takes a kept draft over. Texts that it left as they were are those of the catalog again. */
export function takeDraft({ path: kept }: KeptDraft, draft: Draft): TakenDraft {
  const folder = nameFolder()
  renameSync(dirname(kept), folder)
  const path = join(folder, `${draft.id}.txt`)
  const begun = readFileSync(join(folder, formerName), 'utf8')
  const taken = { path, base: draft.texts, isOld: begun !== writeDraft(draft), contested: [] }
  const base = parseDraft(begun, draft.texts)
  if (!taken.isOld || typeof base === 'string') return taken
  const edited = parseDraft(readFileSync(path, 'utf8'), draft.texts)
  // What cannot be read yet is left to the reviewer, and compared with what it was begun from.
  if (typeof edited === 'string') return { ...taken, base }
  writeFileSync(path, writeDraft({ ...draft, texts: rebaseDraft(edited, base, draft.texts) }))
  writeFileSync(join(folder, formerName), writeDraft(draft))
  const isContested = (locale: Locale) => edited[locale] !== base[locale] && base[locale] !== draft.texts[locale]
  return { ...taken, contested: locales.filter(isContested) }
}

export function removeDraft(path: string): void {
  rmSync(dirname(path), { recursive: true, force: true })
}

/** Named after this process, so that another one leaves alone what this one has open. */
const nameFolder = () => join(tmpdir(), `svc-edit-${process.pid}-${randomUUID().slice(0, 8)}`)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // It has ended, or is somebody else's: then so is its folder.
    return false
  }
}

function readKept(folder: string, name: string): KeptDraft | undefined {
  const path = join(folder, name)
  try {
    if (!lstatSync(folder).isDirectory() || !isOurs(folder) || !lstatSync(path).isFile()) return undefined
    const isTouched = readFileSync(path, 'utf8') !== readFileSync(join(folder, formerName), 'utf8')
    // An editor that was ended leaves beside the file what was not saved.
    const hasMore = readdirSync(folder).some((other) => other !== name && other !== formerName)
    return isTouched || hasMore ? { path, savedAt: lstatSync(path).mtime } : undefined
  } catch {
    // Not a draft of this text, or not ours to read.
    return undefined
  }
}

/** The temporary folder belongs to all: what somebody else put there is no draft of ours. */
function isOurs(folder: string): boolean {
  return process.getuid === undefined || lstatSync(folder).uid === process.getuid()
}
