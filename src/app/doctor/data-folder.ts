import { constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { quote } from '../../text/spelling.js'
import { type CheckResult, note, ok, problem, reasonIn } from './check-result.js'
import { checkParts, checkSecrecy, type DataDirPart, dataDirParts, describeFix, findRefusal } from './file-rights.js'

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
