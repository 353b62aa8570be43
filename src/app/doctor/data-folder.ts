import { constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { quote } from '../../text/spelling.js'
import { count } from '../../text/words.js'
import { removeAll } from '../upkeep/examine.js'
import { findInterrupted } from '../upkeep/restore.js'
import { listOldLeftovers } from '../upkeep/snapshot-leftovers.js'
import { type CheckResult, note, ok, problem, reasonIn } from './check-result.js'
import { checkParts, checkSecrecy, type DataDirPart, dataDirParts, describeFix, findRefusal } from './file-rights.js'

/** Checks permissions and leftovers. Other checks skip the `closed` parts, which this user may not use. */
export function checkFolder(
  dataDir: DataDir,
  now: number,
  fix: boolean,
): { results: CheckResult[]; closed: ReadonlySet<DataDirPart> } {
  const { path } = dataDir
  const obstacle = findObstacle(path)
  if (obstacle !== undefined) return { results: [obstacle], closed: new Set(dataDirParts) }
  if (!existsSync(path)) return { results: [checkParent(path)], closed: new Set() }
  const { results, closed } = checkParts(dataDir)
  return {
    results: [
      ok('folder', path),
      ...results,
      ...checkSecrecy(dataDir, fix),
      ...checkInterrupted(dataDir),
      ...checkLeftovers(dataDir, now, fix),
    ],
    closed,
  }
}

/** Finds what keeps this user from the whole folder. The folder may not exist yet. */
function findObstacle(path: string): CheckResult | undefined {
  if (findRefusal(path, constants.F_OK) !== undefined) {
    const advice = 'Run svc as the owner of the folders above, or name another folder with --data-dir.'
    return problem('folder', `${path} cannot be reached by this user.`, advice)
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    return problem('folder', `${path} is a file.`, 'Name another folder with --data-dir or SVC_DATA_DIR.')
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
    'Name another folder with --data-dir.',
  )
}

function checkInterrupted(dataDir: DataDir): CheckResult[] {
  const what = findInterrupted(dataDir)
  if (what === undefined) return []
  const message = what === 'reset' ? 'A reset was interrupted.' : 'A restore was interrupted.'
  return [problem(what, message, `${programName()} data restore --finish --data-dir ${quote(dataDir.path)}`)]
}

function checkLeftovers(dataDir: DataDir, now: number, fix: boolean): CheckResult[] {
  const leftovers = listOldLeftovers(dataDir, now)
  if (leftovers.length === 0) return []
  const describe = (paths: readonly string[]) =>
    `${count(paths.length, 'leftover')} of a snapshot or restore that was killed`
  if (!fix) {
    const message = `There is ${describe(leftovers)}: ${leftovers.join(', ')}.`
    return [problem('leftovers', message, `Remove it: ${programName()} doctor --fix --data-dir ${quote(dataDir.path)}`)]
  }
  const kept = removeAll(leftovers)
  if (kept.length === 0) return [ok('leftovers', `Removed ${describe(leftovers)}.`)]
  const message = `This user may not remove ${describe(kept)}.`
  return [problem('leftovers', message, `sudo rm -r ${kept.map(quote).join(' ')}`)]
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
