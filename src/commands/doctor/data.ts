import { existsSync, readFileSync } from 'node:fs'
import { readKeyId } from '../../access.js'
import { examineDatabase, removeAll } from '../../app/upkeep/examine.js'
import { findMissing, findOrphans } from '../../app/upkeep/orphans.js'
import { type DataDir, findLocalKey } from '../../data-dir.js'
import { formatSize } from '../../size.js'
import { quote } from '../client/connect.js'
import { count } from '../output/words.js'
import { type Finding, note, ok, problem } from './finding.js'

const restore = 'Stop the server and put back a snapshot: svc data restore SNAPSHOT --force'

/** Whether the database is whole and of this version; without one that can be read there are no keys to be compared. */
export function checkDatabase(
  dataDir: DataDir,
  now: number,
): { findings: Finding[]; newestAt: number; activeKeys?: readonly string[] } {
  const { database } = dataDir
  if (!existsSync(database)) return { findings: [], newestAt: 0 }
  const { fault, isHeld, isNewer, pendingChanges, newestAt, activeKeys } = examineDatabase(dataDir, now)
  if (isHeld) {
    const message = `Another process keeps ${database} to itself, as a restore does.`
    return { findings: [problem('database', message, 'Look again when it has ended.')], newestAt }
  }
  if (fault !== undefined) {
    return { findings: [problem('database', `${database} is damaged: ${fault}.`, restore)], newestAt }
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
export function checkKeys(dataDir: DataDir, activeKeys: readonly string[]): Finding[] {
  const { path, secret, localKey, objects } = dataDir
  const key = findLocalKey(dataDir)
  const create = `svc key create --name NAME --data-dir ${quote(path)}`
  const keyFinding =
    key === undefined
      ? note('key', `No key is kept for client commands: give them --key, or make one with ${create}`)
      : activeKeys.includes(readKeyId(key) ?? '')
        ? ok('key', `the key in ${localKey} may be used`)
        : problem('key', `The key in ${localKey} may not be used any more.`, `Remove that file, and: ${create}`)
  return [checkSecret(secret, existsSync(objects)), keyFinding]
}

function checkSecret(secret: string, isUsed: boolean): Finding {
  if (!existsSync(secret) && !isUsed) return note('secret', 'There is none yet; the first start of a server makes it.')
  const isWhole = existsSync(secret) && /^[0-9a-f]{64}$/.test(readFileSync(secret, 'utf8').trim())
  if (isWhole) return ok('secret', 'the secret that signs addresses is there')
  const message = `${secret} is not there, or does not hold 64 hexadecimal digits: addresses handed out end, IDs get other hashes.`
  return problem('secret', message, `Put back a copy of it. ${restore}`)
}

const namesShown = 5

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
    removeAll(orphans.map(({ path }) => path))
    return ok('objects', `Removed ${what} that no task knew.`)
  }
  const message = `No task knows ${what}: ${shorten(orphans.map(({ key }) => key))}.`
  return problem('objects', message, 'svc doctor --fix removes what is older than an hour.')
}

function checkMissing(dataDir: DataDir, now: number): Finding[] {
  const missing = findMissing(dataDir, now)
  if (missing.length === 0) return []
  const tasks = [...new Set(missing.map(({ taskId }) => taskId))]
  const message = `${count(missing.length, 'file')} of ${shorten(tasks)} not there: ${shorten(missing.map(({ key }) => key))}.`
  const fix =
    'Put them back from a snapshot, or make them anew; svc animation delete and svc data prune remove what names them.'
  return [problem('missing', message, fix)]
}

function shorten(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `${names.slice(0, namesShown).join(', ')}${more}`
}
