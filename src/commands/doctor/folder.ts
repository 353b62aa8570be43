import { accessSync, chmodSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { listLeftovers, removeAll } from '../../app/upkeep/examine.js'
import type { DataDir } from '../../data-dir.js'
import { quote } from '../client/connect.js'
import { count } from '../output/words.js'
import { type Finding, note, ok, problem, reasonIn } from './finding.js'

/** Rights, and what was left behind. */
export function checkFolder(dataDir: DataDir, now: number, fix: boolean): Finding[] {
  const { path } = dataDir
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return [checkParent(path)]
  if (!found.isDirectory()) {
    return [problem('folder', `${path} is a file.`, 'Name another folder with --data-dir or SVC_DATA_DIR.')]
  }
  if (!isUsable(path)) {
    const message = `${path} cannot be read and written by this user.`
    return [problem('folder', message, `Run svc as the owner of the folder, or: chown -R "$(id -u)" ${quote(path)}`)]
  }
  return [
    ok('folder', path),
    ...checkRights(dataDir, fix),
    ...checkCutShort(dataDir),
    ...checkLeftovers(dataDir, now, fix),
  ]
}

function checkParent(path: string): Finding {
  const above = findAbove(path)
  if (isUsable(above)) return note('folder', `${path} is not there yet; the first start makes it.`)
  return problem(
    'folder',
    `${path} cannot be made: ${above} cannot be written.`,
    'Name another folder with --data-dir.',
  )
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return true
  } catch {
    // That is the answer.
    return false
  }
}

/** What only the owner may read. */
function checkRights({ database, secret, localKey }: DataDir, fix: boolean): Finding[] {
  const open = [database, secret, localKey].filter((file) => isReadByOthers(file))
  if (open.length === 0) return []
  const files = open.map(quote).join(' ')
  if (!fix)
    return [problem('rights', `Others may read ${open.join(', ')}.`, `svc doctor --fix, or: chmod 600 ${files}`)]
  for (const file of open) chmodSync(file, 0o600)
  return [ok('rights', `Took the rights of others from ${open.join(', ')}.`)]
}

function isReadByOthers(file: string): boolean {
  return ((statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0 && process.platform !== 'win32'
}

function checkCutShort({ restore, path }: DataDir): Finding[] {
  if (!existsSync(restore)) return []
  return [problem('restore', 'A restore was cut short.', `svc data restore --finish --data-dir ${quote(path)}`)]
}

function checkLeftovers(dataDir: DataDir, now: number, fix: boolean): Finding[] {
  const leftovers = listLeftovers(dataDir, now)
  if (leftovers.length === 0) return []
  const what = `${count(leftovers.length, 'leftover')} of a snapshot or restore that was killed`
  if (!fix) return [problem('leftovers', `There is ${what}: ${leftovers.join(', ')}.`, 'svc doctor --fix removes it.')]
  removeAll(leftovers)
  return [ok('leftovers', `Removed ${what}.`)]
}

const gibibyte = 2 ** 30
const bytesAtLeast = gibibyte / 4
const bytesWanted = gibibyte

/** Room on the disk of the folder, or of the one that it is to be made in. */
export function checkSpace({ path }: DataDir): Finding {
  const folder = existsSync(path) ? path : findAbove(path)
  try {
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const message = `${(free / gibibyte).toFixed(1)} GiB are free in ${folder}`
    if (free >= bytesWanted) return ok('space', message)
    if (free >= bytesAtLeast) return note('space', `Only ${message}.`)
    return problem(
      'space',
      `Only ${message}.`,
      'Make room: svc data prune --older-than 30d --dry-run says what would go.',
    )
  } catch (error) {
    return note('space', `The free space of ${folder} is not to be known: ${reasonIn(error)}.`)
  }
}

/** The nearest folder above that is there. */
function findAbove(path: string): string {
  let above = dirname(path)
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  return above
}
