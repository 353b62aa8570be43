import { existsSync, readFileSync } from 'node:fs'
import { readKeyId } from '../../access.js'
import { examineDatabase, removeAll } from '../../app/upkeep/examine.js'
import { findMissing, findOrphans } from '../../app/upkeep/orphans.js'
import { type DataDir, findLocalKey } from '../../data-dir.js'
import { formatSize } from '../../size.js'
import { quote } from '../../spelling.js'
import { count } from '../output/words.js'
import { type Finding, note, ok, problem, shorten } from './finding.js'
import type { Part } from './rights.js'

const onFolder = ({ path }: DataDir) => `--data-dir ${quote(path)}`
const restore = (dataDir: DataDir) =>
  `Stop the server and put back a snapshot: svc data restore SNAPSHOT --force ${onFolder(dataDir)}`

/** Whether the database is whole and of this version; without one that can be read there are no keys to be compared. */
export function checkDatabase(
  dataDir: DataDir,
  now: number,
): { findings: Finding[]; newestAt: number; activeKeys?: readonly string[] } {
  const { database } = dataDir
  if (!existsSync(database)) return { findings: [], newestAt: 0 }
  const { fault, obstacle, isHeld, isNewer, pendingChanges, newestAt, activeKeys } = examineDatabase(dataDir, now)
  if (isHeld) {
    const message = `Another process keeps ${database} to itself, as a restore does.`
    return { findings: [problem('database', message, 'Look again when it has ended.')], newestAt }
  }
  if (fault !== undefined) {
    return { findings: [problem('database', `${database} is damaged: ${fault}.`, restore(dataDir))], newestAt }
  }
  if (obstacle !== undefined) {
    const message = `${database} cannot be read: ${obstacle}. That does not say that it is damaged.`
    const advice = `Look at the rights of the folder and at its disk, then again: svc doctor ${onFolder(dataDir)}`
    return { findings: [problem('database', message, advice)], newestAt }
  }
  if (isNewer) {
    const message = 'A newer version of svc has worked on the database.'
    return { findings: [problem('database', message, 'Install that version again.')], newestAt }
  }
  const finding =
    pendingChanges === 0
      ? ok('database', 'it is whole, and its tables are up to date')
      : note(
          'database',
          `It is whole; the next start brings its tables up to date (${count(pendingChanges, 'change')}).`,
        )
  return { findings: [finding], newestAt, activeKeys }
}

/** The secret that signs, and the key that client commands find. */
export function checkKeys(dataDir: DataDir, activeKeys: readonly string[], closed: ReadonlySet<Part>): Finding[] {
  return [
    ...(closed.has('secret') ? [] : [checkSecret(dataDir)]),
    ...(closed.has('localKey') ? [] : [checkLocalKey(dataDir, activeKeys)]),
  ]
}

function checkLocalKey(dataDir: DataDir, activeKeys: readonly string[]): Finding {
  const { localKey } = dataDir
  const key = findLocalKey(dataDir)
  const create = `svc key create --name local --admin --keep ${onFolder(dataDir)}`
  if (key === undefined) {
    return note('key', `No key is kept for client commands: give them --key, or make one with ${create}`)
  }
  if (activeKeys.includes(readKeyId(key) ?? '')) return ok('key', `the key in ${localKey} may be used`)
  return problem('key', `The key in ${localKey} may not be used any more.`, `Keep another one there: ${create}`)
}

function checkSecret(dataDir: DataDir): Finding {
  const { secret, objects } = dataDir
  if (!existsSync(secret) && !existsSync(objects))
    return note('secret', 'There is none yet; the first start of a server makes it.')
  const isWhole = existsSync(secret) && /^[0-9a-f]{64}$/.test(readFileSync(secret, 'utf8').trim())
  if (isWhole) return ok('secret', 'the secret that signs addresses is there')
  const message = `${secret} is not there, or does not hold 64 hexadecimal digits: addresses handed out end, IDs get other hashes.`
  return problem('secret', message, `Put back a copy of it. ${restore(dataDir)}`)
}

/** Stored files without a row, and rows without their file. */
export function checkObjects(dataDir: DataDir, now: number, fix: boolean): Finding[] {
  return [checkOrphans(dataDir, now, fix), ...checkMissing(dataDir, now)]
}

function checkOrphans(dataDir: DataDir, now: number, fix: boolean): Finding {
  const orphans = findOrphans(dataDir, now)
  if (orphans.length === 0) return ok('objects', 'every stored file is known to a task')
  const bytes = orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const what = `${count(orphans.length, 'stored file')} with ${formatSize(bytes)}`
  if (fix) {
    const kept = removeAll(orphans.map(({ path }) => path))
    if (kept.length === 0) return ok('objects', `Removed ${what} that no task knew.`)
    const message = `This user may not remove ${count(kept.length, 'stored file')} that no task knows: ${shorten(kept)}.`
    return problem('objects', message, `Run it as their owner: svc doctor --fix ${onFolder(dataDir)}`)
  }
  const message = `No task knows ${what}: ${shorten(orphans.map(({ key }) => key))}.`
  return problem('objects', message, `Remove what is older than an hour: svc doctor --fix ${onFolder(dataDir)}`)
}

function checkMissing(dataDir: DataDir, now: number): Finding[] {
  const missing = findMissing(dataDir, now)
  if (missing.length === 0) return []
  const tasks = [...new Set(missing.map(({ taskId }) => taskId))]
  const message = `${count(missing.length, 'file')} of ${shorten(tasks)} not there: ${shorten(missing.map(({ key }) => key))}.`
  const fix =
    'Put them back from a snapshot, or make them anew; or remove what names them: ' +
    `svc animation delete TASK_ID ${onFolder(dataDir)}, or: svc data prune --older-than 30d ${onFolder(dataDir)}`
  return [problem('missing', message, fix)]
}
