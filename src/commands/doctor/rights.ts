import { accessSync, chmodSync, constants, type Dirent, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { DataDir } from '../../data-dir.js'
import { quote } from '../../spelling.js'
import { type Finding, ok, problem, shorten } from './finding.js'

/** The parts of a data directory that are looked into. */
export type Part = 'database' | 'secret' | 'localKey' | 'logs' | 'objects' | 'workers'

export const parts: readonly Part[] = ['database', 'secret', 'localKey', 'logs', 'objects', 'workers']

/** A file or folder that this user may not use as the program does. */
export interface Refusal {
  readonly path: string
  /** Whether it belongs to this user, who may then change its rights. */
  readonly isOwn: boolean
  readonly isReadOnlyDisk: boolean
}

const { R_OK, W_OK, X_OK } = constants
const folderMode = R_OK | W_OK | X_OK
/** What is made anew, not written to, is only read. */
const fileModes: Readonly<Record<Part, number>> = {
  database: R_OK | W_OK,
  secret: R_OK,
  localKey: R_OK,
  logs: R_OK,
  objects: R_OK,
  workers: R_OK | W_OK,
}

/** Whether this user may use all parts of a folder; those that are closed are looked at no further. */
export function checkParts(dataDir: DataDir): { findings: Finding[]; closed: ReadonlySet<Part> } {
  const refused = parts.map((part) => [part, findRefusals(dataDir, part)] as const)
  const refusals = refused.flatMap(([, list]) => list)
  const closed = new Set(refused.flatMap(([part, list]) => (list.length > 0 ? [part] : [])))
  if (refusals.length === 0) return { findings: [], closed }
  const names = shorten(refusals.map(({ path }) => relative(dataDir.path, path)))
  const message = `In ${dataDir.path} this user may not use ${names}; what depends on it is not checked.`
  return { findings: [problem('rights', message, describeFix(dataDir.path, refusals))], closed }
}

function findRefusals(dataDir: DataDir, part: Part): Refusal[] {
  const path = dataDir[part]
  const files = part === 'database' ? [path, ...dataDir.journals] : [path]
  return files.flatMap((file) => [...iterateRefusals(file, fileModes[part])])
}

function* iterateRefusals(path: string, fileMode: number): Generator<Refusal> {
  // First whether it may be looked at: a link may lead to what is closed.
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const refusal = findRefusal(path, fileMode) ?? (isFolder() ? findRefusal(path) : undefined)
  if (refusal !== undefined) yield refusal
  else if (isFolder()) for (const entry of readFolder(path)) yield* iterateRefusals(join(path, entry.name), fileMode)
}

/** Why a path may not be used; what is not there may. */
export function findRefusal(path: string, mode = folderMode): Refusal | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { path, isOwn: isOwn(path), isReadOnlyDisk: code === 'EROFS' }
  }
}

/** What this user, or one who may do more, is to do. */
export function describeFix(folder: string, refusals: readonly Refusal[]): string {
  if (refusals.some(({ isReadOnlyDisk }) => isReadOnlyDisk)) {
    return 'Its disk is mounted for reading alone: mount it to be written, or name another folder with --data-dir.'
  }
  const own = `chmod -R u+rwX ${quote(folder)}`
  if (refusals.every(({ isOwn }) => isOwn)) return own
  const take = `sudo chown -R "$(id -u)" ${quote(folder)}`
  const commands = refusals.some(({ isOwn }) => isOwn) ? `${take} && ${own}` : take
  return `Run svc as their owner; or stop all that works on the folder, and: ${commands}`
}

/** What only the owner may read. */
export function checkSecrecy({ path, database, secret, localKey }: DataDir, fix: boolean): Finding[] {
  const open = [database, secret, localKey].filter((file) => isReadByOthers(file))
  if (open.length === 0) return []
  const own = open.every(isOwn)
  if (fix && own) {
    for (const file of open) chmodSync(file, 0o600)
    return [ok('rights', `Took the rights of others from ${open.join(', ')}.`)]
  }
  const narrow = `chmod 600 ${open.map(quote).join(' ')}`
  const advice = own ? `svc doctor --fix --data-dir ${quote(path)}, or: ${narrow}` : `sudo ${narrow}`
  return [problem('rights', `Others may read ${open.join(', ')}.`, advice)]
}

function isReadByOthers(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0 && process.platform !== 'win32'
}

/** Root may change what is anybody's. */
function isOwn(path: string): boolean {
  const user = process.getuid?.()
  if (user === undefined || user === 0) return true
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid === user
  } catch {
    // What cannot even be looked at lies in a folder of somebody else.
    return false
  }
}

/** A link may lead anywhere; a folder may go while it is looked for. */
function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).filter((entry) => !entry.isSymbolicLink())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
