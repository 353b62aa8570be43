import { accessSync, chmodSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { readFolder } from '../../adapters/objects/key.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { quote } from '../../text/spelling.js'
import { type CheckResult, note, ok, problem, reasonIn, shorten } from './check-result.js'

/** Checks permissions. Other checks skip the `closed` parts, which this user may not use. */
export function checkFolder(
  dataDir: DataDir,
  fix: boolean,
): { results: CheckResult[]; closed: ReadonlySet<DataDirPart> } {
  const { path } = dataDir
  const obstacle = findObstacle(path)
  if (obstacle !== undefined) return { results: [obstacle], closed: new Set(dataDirParts) }
  if (!existsSync(path)) return { results: [checkParent(path)], closed: new Set() }
  const { results, closed } = checkParts(dataDir)
  return {
    results: [ok('folder', path), ...results, ...checkSecrecy(dataDir, fix), ...checkInterrupted(dataDir)],
    closed,
  }
}

/** Finds what keeps this user from the whole folder. The folder may not exist yet. */
function findObstacle(path: string): CheckResult | undefined {
  if (findRefusal(path, constants.F_OK) !== undefined) {
    const advice = 'Run svc as the owner of the directories above, or name another directory with --data-dir.'
    return problem('folder', `${path} cannot be reached by this user.`, advice)
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    return problem('folder', `${path} is a file.`, 'Name another directory with --data-dir or SVC_DATA_DIR.')
  }
  const refusal = findRefusal(path)
  if (refusal === undefined) return undefined
  return problem('folder', `${path} cannot be read and written by this user.`, describeFix(path, [refusal]))
}

function checkParent(path: string): CheckResult {
  const above = findAbove(path)
  if (findRefusal(above) === undefined) return note('folder', `${path} does not exist yet; the first start creates it.`)
  return problem(
    'folder',
    `${path} cannot be created: ${above} is not writable.`,
    'Name another directory with --data-dir.',
  )
}

function checkInterrupted(dataDir: DataDir): CheckResult[] {
  if (!existsSync(dataDir.restore)) return []
  const advice = `Run it again, or empty the directory: ${programName()} data reset --data-dir ${quote(dataDir.path)}`
  return [problem('restore', 'A restore or reset runs, or was interrupted.', advice)]
}

const gibibyte = 2 ** 30
const minBytes = gibibyte / 4
const recommendedBytes = gibibyte

/** Checks the free space on the disk of the folder, or of its parent if it does not exist yet. */
export function checkSpace({ path }: DataDir): CheckResult {
  const folder = existsSync(path) ? path : findAbove(path)
  try {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const message = `${(free / gibibyte).toFixed(1)} GiB are free in ${folder}`
    if (free >= recommendedBytes) return ok('space', message)
    if (free >= minBytes) return note('space', `Only ${message}.`)
    return problem(
      'space',
      `Only ${message}.`,
      `Free some space. To see what could go: ${programName()} data prune --older-than 30d --dry-run --data-dir ${quote(path)}`,
    )
  } catch (error) {
    return note('space', `The free space of ${folder} is unknown: ${reasonIn(error)}.`)
  }
}

/** Finds the nearest parent that exists. */
function findAbove(path: string): string {
  let above = dirname(path)
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  return above
}

/** A file or folder that this user may not use as the program does. */
interface DeniedPath {
  readonly path: string
  /** True if it belongs to this user, who may then change its permissions. */
  readonly isOwn: boolean
  readonly isReadOnlyDisk: boolean
}

const { R_OK, W_OK, X_OK } = constants
const folderMode = R_OK | W_OK | X_OK
/** The permissions that the files of each part need. Files that are replaced, not written to, need only be readable. */
const fileModes = {
  database: R_OK | W_OK,
  secret: R_OK,
  localKey: R_OK,
  log: R_OK | W_OK,
  objects: R_OK,
  workers: R_OK | W_OK,
} satisfies Partial<Record<keyof DataDir, number>>

/** The parts of a data directory that are checked. */
export type DataDirPart = keyof typeof fileModes
const dataDirParts = Object.keys(fileModes) as readonly DataDirPart[]

/** Checks that this user may use all parts of a folder. Other checks skip the `closed` ones. */
function checkParts(dataDir: DataDir): { results: CheckResult[]; closed: ReadonlySet<DataDirPart> } {
  const refused = dataDirParts.map((part) => [part, findRefusals(dataDir, part)] as const)
  const refusals = refused.flatMap(([, list]) => list)
  const closed = new Set(refused.flatMap(([part, list]) => (list.length > 0 ? [part] : [])))
  if (refusals.length === 0) return { results: [], closed }
  const names = shorten(refusals.map(({ path }) => relative(dataDir.path, path)))
  const message = `In ${dataDir.path} this user may not use ${names}; the checks that need them are skipped.`
  return { results: [problem('rights', message, describeFix(dataDir.path, refusals))], closed }
}

function findRefusals(dataDir: DataDir, part: DataDirPart): DeniedPath[] {
  const path = dataDir[part]
  const journals = { database: dataDir.journals, log: dataDir.logJournals }
  const files = [path, ...(part === 'database' || part === 'log' ? journals[part] : [])]
  return files.flatMap((file) => [...iterateRefusals(file, fileModes[part])])
}

function* iterateRefusals(path: string, fileMode: number): Generator<DeniedPath> {
  // Checked before its type: a link may lead to a file that this user may not read.
  const isFolder = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const refusal = findRefusal(path, fileMode) ?? (isFolder() ? findRefusal(path) : undefined)
  if (refusal !== undefined) yield refusal
  if (refusal !== undefined || !isFolder()) return
  for (const entry of readFolder(path)) {
    // A link may lead anywhere.
    if (!entry.isSymbolicLink()) yield* iterateRefusals(join(path, entry.name), fileMode)
  }
}

/** Finds why a path may not be used; undefined for one that does not exist. */
function findRefusal(path: string, mode = folderMode): DeniedPath | undefined {
  try {
    accessSync(path, mode)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { path, isOwn: isOwn(path), isReadOnlyDisk: code === 'EROFS' }
  }
}

/** Describes the fix for this user, or for one with more permissions. */
function describeFix(folder: string, refusals: readonly DeniedPath[]): string {
  if (refusals.some(({ isReadOnlyDisk }) => isReadOnlyDisk)) {
    return 'Its disk is mounted read-only: mount it writable, or name another directory with --data-dir.'
  }
  const own = `chmod -R u+rwX ${quote(folder)}`
  if (refusals.every(({ isOwn }) => isOwn)) return own
  const take = `sudo chown -R "$(id -u)" ${quote(folder)}`
  const commands = refusals.some(({ isOwn }) => isOwn) ? `${take} && ${own}` : take
  return `Run svc as their owner; or stop all processes that use the data directory, and run: ${commands}`
}

/** Checks that only the owner may read the secret files. */
function checkSecrecy({ path, database, log, secret, localKey }: DataDir, fix: boolean): CheckResult[] {
  const open = [database, log, secret, localKey].filter((file) => isReadByOthers(file))
  if (open.length === 0) return []
  const own = open.every(isOwn)
  if (fix && own) {
    for (const file of open) chmodSync(file, 0o600)
    return [ok('rights', `Removed the permissions of others from ${open.join(', ')}.`)]
  }
  const narrow = `chmod 600 ${open.map(quote).join(' ')}`
  const advice = own ? `${programName()} doctor --fix --data-dir ${quote(path)}, or: ${narrow}` : `sudo ${narrow}`
  return [problem('rights', `Others may read ${open.join(', ')}.`, advice)]
}

function isReadByOthers(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0 && process.platform !== 'win32'
}

/** Root may change the files of all users. */
function isOwn(path: string): boolean {
  const user = process.getuid?.()
  if (user === undefined || user === 0) return true
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid === user
  } catch {
    // A file whose folder cannot be read belongs to somebody else.
    return false
  }
}
