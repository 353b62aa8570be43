import { constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { removeAll } from '../../app/upkeep/examine.js'
import { listOldLeftovers } from '../../app/upkeep/leftovers.js'
import { findCutShort } from '../../app/upkeep/restore.js'
import type { DataDir } from '../../data-dir.js'
import { quote } from '../../spelling.js'
import { count } from '../output/words.js'
import { type Finding, note, ok, problem, reasonIn } from './finding.js'
import { checkParts, checkSecrecy, describeFix, findRefusal, type Part, parts } from './rights.js'

/** Rights, and what was left behind. What is closed to this user is to be left out of all other checks. */
export function checkFolder(
  dataDir: DataDir,
  now: number,
  fix: boolean,
): { findings: Finding[]; closed: ReadonlySet<Part> } {
  const { path } = dataDir
  const obstacle = findObstacle(path)
  if (obstacle !== undefined) return { findings: [obstacle], closed: new Set(parts) }
  if (!existsSync(path)) return { findings: [checkParent(path)], closed: new Set() }
  const { findings, closed } = checkParts(dataDir)
  return {
    findings: [
      ok('folder', path),
      ...findings,
      ...checkSecrecy(dataDir, fix),
      ...checkCutShort(dataDir),
      ...checkLeftovers(dataDir, now, fix),
    ],
    closed,
  }
}

/** What keeps this user from the folder as a whole, which need not be there. */
function findObstacle(path: string): Finding | undefined {
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

function checkParent(path: string): Finding {
  const above = findAbove(path)
  if (findRefusal(above) === undefined) return note('folder', `${path} is not there yet; the first start makes it.`)
  return problem(
    'folder',
    `${path} cannot be made: ${above} cannot be written.`,
    'Name another folder with --data-dir.',
  )
}

function checkCutShort(dataDir: DataDir): Finding[] {
  const what = findCutShort(dataDir)
  if (what === undefined) return []
  const message = what === 'reset' ? 'A reset was cut short: it is to be emptied.' : 'A restore was cut short.'
  return [problem(what, message, `svc data restore --finish --data-dir ${quote(dataDir.path)}`)]
}

function checkLeftovers(dataDir: DataDir, now: number, fix: boolean): Finding[] {
  const leftovers = listOldLeftovers(dataDir, now)
  if (leftovers.length === 0) return []
  const describe = (paths: readonly string[]) =>
    `${count(paths.length, 'leftover')} of a snapshot or restore that was killed`
  if (!fix) {
    const message = `There is ${describe(leftovers)}: ${leftovers.join(', ')}.`
    return [problem('leftovers', message, `Remove it: svc doctor --fix --data-dir ${quote(dataDir.path)}`)]
  }
  const kept = removeAll(leftovers)
  if (kept.length === 0) return [ok('leftovers', `Removed ${describe(leftovers)}.`)]
  const message = `This user may not remove ${describe(kept)}.`
  return [problem('leftovers', message, `sudo rm -r ${kept.map(quote).join(' ')}`)]
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
      `Make room. What would go: svc data prune --older-than 30d --dry-run --data-dir ${quote(path)}`,
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
