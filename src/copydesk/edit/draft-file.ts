import { randomUUID } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Locale, locales } from '../../insight/types.js'
import { type Draft, parseDraft, rebaseDraft, writeDraft } from './draft.js'

/** A draft on disk that a killed or unsaved edit left. */
export interface KeptDraft {
  readonly path: string
  /** The time of its last write. */
  readonly savedAt: Date
}

/** The original texts, next to the draft: a later edit needs them to know what the reviewer changed. */
const formerName = 'before.txt'

/** Writes a draft into a private folder of its own and returns its path. */
export function createDraftFile(draft: Draft): string {
  const folder = nameFolder()
  mkdirSync(folder, { mode: 0o700 })
  const path = join(folder, `${draft.id}.txt`)
  writeFileSync(path, writeDraft(draft))
  writeFileSync(join(folder, formerName), writeDraft(draft))
  return path
}

/** Finds the latest changed draft of a text that no running edit has open. */
export function findKeptDraft(id: string): KeptDraft | undefined {
  const kept = readdirSync(tmpdir()).flatMap((name) => {
    const owner = /^svc-edit-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || isRunning(Number(owner))) return []
    return readKept(join(tmpdir(), name), `${id}.txt`) ?? []
  })
  return kept.sort((a, b) => b.savedAt.getTime() - a.savedAt.getTime())[0]
}

/** A kept draft that this process took over. */
export interface TakenDraft {
  readonly path: string
  /** The texts that the draft started from; an equal text is unchanged. */
  readonly base: Draft['texts']
  /** True if the catalog changed since the draft started; `contested` lists the languages that both changed. */
  readonly isOld: boolean
  readonly contested: readonly Locale[]
}

/** Takes over a kept draft. Texts that the reviewer did not change get the current text of the catalog. */
export function takeDraft({ path: kept }: KeptDraft, draft: Draft): TakenDraft {
  const folder = nameFolder()
  renameSync(dirname(kept), folder)
  const path = join(folder, `${draft.id}.txt`)
  const begun = readFileSync(join(folder, formerName), 'utf8')
  const taken = { path, base: draft.texts, isOld: begun !== writeDraft(draft), contested: [] }
  const base = parseDraft(begun, draft.texts)
  if (!taken.isOld || typeof base === 'string') return taken
  const edited = parseDraft(readFileSync(path, 'utf8'), draft.texts)
  // The reviewer must repair it first; it is compared with the texts that it started from.
  if (typeof edited === 'string') return { ...taken, base }
  writeFileSync(path, writeDraft({ ...draft, texts: rebaseDraft(edited, base, draft.texts) }))
  writeFileSync(join(folder, formerName), writeDraft(draft))
  const isContested = (locale: Locale) => edited[locale] !== base[locale] && base[locale] !== draft.texts[locale]
  return { ...taken, contested: locales.filter(isContested) }
}

export function removeDraft(path: string): void {
  rmSync(dirname(path), { recursive: true, force: true })
}

/** The name holds the process ID: other processes leave the folder alone. */
const nameFolder = () => join(tmpdir(), `svc-edit-${process.pid}-${randomUUID().slice(0, 8)}`)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // The process has ended, or another user owns it and its folder.
    return false
  }
}

function readKept(folder: string, name: string): KeptDraft | undefined {
  const path = join(folder, name)
  try {
    if (!lstatSync(folder).isDirectory() || !isOurs(folder) || !lstatSync(path).isFile()) return undefined
    const isTouched = readFileSync(path, 'utf8') !== readFileSync(join(folder, formerName), 'utf8')
    // A killed editor leaves its swap file next to the draft.
    const hasMore = readdirSync(folder).some((other) => other !== name && other !== formerName)
    return isTouched || hasMore ? { path, savedAt: lstatSync(path).mtime } : undefined
  } catch {
    // Not a draft of this text, or not readable.
    return undefined
  }
}

/** True if this user owns the folder: the temporary folder is shared. */
function isOurs(folder: string): boolean {
  return process.getuid === undefined || lstatSync(folder).uid === process.getuid()
}
