import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { iterateStoredFiles } from '../../adapters/objects/inventory.js'
import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import type { PromisedObject } from '../../adapters/sql/upkeep/named-objects.js'
import { readKeyId } from '../../contract/access.js'
import { listLogFiles } from '../../log/folder-log.js'
import type { StoredObject } from '../../ports/objects.js'
import { type DataDir, findLocalKey } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { formatSize } from '../../text/size.js'
import { quote } from '../../text/spelling.js'
import { count } from '../../text/words.js'
import { describeTestState } from '../test-notices.js'
import { type DatabaseExamination, examineDatabase, removeAll } from '../upkeep/examine.js'
import { findMissing, findOrphans } from '../upkeep/find-orphans.js'
import { type CheckResult, note, ok, problem, shorten } from './check-result.js'
import type { DataDirPart } from './file-rights.js'
import { checkClock } from './machine.js'

const onFolder = ({ path }: DataDir) => `--data-dir ${quote(path)}`
const restore = (dataDir: DataDir) =>
  `Stop the server and put back a snapshot: ${programName()} data restore SNAPSHOT --force ${onFolder(dataDir)}`

/** Checks the contents of a data directory, except the `closed` parts. */
export async function checkStoredData(
  dataDir: DataDir,
  now: number,
  fix: boolean,
  closed: ReadonlySet<DataDirPart>,
): Promise<CheckResult[]> {
  const { results, newestAt, clockOffsetMs, activeKeys, activeFaults } = closed.has('database')
    ? { results: [], newestAt: 0, clockOffsetMs: 0, activeFaults: 0 }
    : checkDatabase(dataDir, now)
  const logs = closed.has('logs') ? [] : listLogFiles(dataDir.logs)
  const clock = [
    checkClock([dataDir.database, ...logs], newestAt - Math.max(0, clockOffsetMs)),
    ...describeTestState({ activeFaults, clockOffsetMs }, onFolder(dataDir)).map(({ name, message }) =>
      note(name, message),
    ),
  ]
  // Without a readable database, its keys and files are unknown.
  if (activeKeys === undefined) return [...clock, ...results]
  return [
    ...clock,
    ...results,
    ...checkKeys(dataDir, activeKeys, closed),
    ...(closed.has('objects') ? [] : await checkObjects(dataDir, now, fix)),
  ]
}

interface DatabaseCheck extends Pick<DatabaseExamination, 'newestAt' | 'clockOffsetMs' | 'activeFaults'> {
  readonly results: readonly CheckResult[]
  readonly activeKeys?: readonly string[]
}

/** Checks that the database is intact and of this version. Returns no `activeKeys` if it cannot be read. */
function checkDatabase(dataDir: DataDir, now: number): DatabaseCheck {
  const { database } = dataDir
  if (!existsSync(database)) return { results: [], newestAt: 0, clockOffsetMs: 0, activeFaults: 0 }
  const { fault, obstacle, isHeld, isInterrupted, isNewer, pendingChanges, activeKeys, ...state } = examineDatabase(
    dataDir,
    now,
  )
  if (isHeld) {
    const message = `Another process has ${database} locked, as a restore does.`
    return { results: [problem('database', message, 'Run this again when it has ended.')], ...state }
  }
  if (fault !== undefined) {
    return {
      results: [problem('database', `${database} is damaged: ${fault}.`, restore(dataDir))],
      ...state,
    }
  }
  if (obstacle !== undefined) {
    const message = `${database} cannot be read: ${obstacle}. That does not say that it is damaged.`
    const advice = `Check the permissions of the folder and its disk, then run: ${programName()} doctor ${onFolder(dataDir)}`
    return { results: [problem('database', message, advice)], ...state }
  }
  if (isInterrupted) {
    return {
      results: [note('database', 'Its first start was interrupted; the next one completes it.')],
      ...state,
    }
  }
  if (isNewer) {
    const message = 'A newer version of svc has worked on the database.'
    return { results: [problem('database', message, 'Install that version again.')], ...state }
  }
  const result =
    pendingChanges === 0
      ? ok('database', 'it is intact, and its tables are up to date')
      : note('database', `It is intact; the next start migrates its tables (${count(pendingChanges, 'change')}).`)
  return { results: [result], ...state, activeKeys }
}

/** Checks the secret that signs URLs, and the key that client commands use. */
function checkKeys(dataDir: DataDir, activeKeys: readonly string[], closed: ReadonlySet<DataDirPart>): CheckResult[] {
  return [
    ...(closed.has('secret') ? [] : [checkSecret(dataDir)]),
    ...(closed.has('localKey') ? [] : [checkLocalKey(dataDir, activeKeys)]),
  ]
}

function checkLocalKey(dataDir: DataDir, activeKeys: readonly string[]): CheckResult {
  const { localKey } = dataDir
  const key = findLocalKey(dataDir)
  const create = `${programName()} key create --name local --admin --keep ${onFolder(dataDir)}`
  if (key === undefined) {
    return note('key', `No key is stored for client commands: give them --key, or create one with ${create}`)
  }
  if (activeKeys.includes(readKeyId(key) ?? '')) return ok('key', `the key in ${localKey} is valid`)
  return problem('key', `The key in ${localKey} is revoked or expired.`, `Store another one there: ${create}`)
}

function checkSecret(dataDir: DataDir): CheckResult {
  const { secret, objects } = dataDir
  if (!existsSync(secret) && !existsSync(objects))
    return note('secret', 'It does not exist yet; the first start of a server creates it.')
  const isWhole = existsSync(secret) && /^[0-9a-f]{64}$/.test(readFileSync(secret, 'utf8').trim())
  if (isWhole) return ok('secret', 'the secret that signs URLs exists')
  const message = `${secret} is missing or does not have 64 hexadecimal digits: URLs handed out stop working, IDs get other hashes.`
  return problem('secret', message, `Put back a copy of it. ${restore(dataDir)}`)
}

/** Checks for stored files without a row, and rows without their file. */
async function checkObjects(dataDir: DataDir, now: number, fix: boolean): Promise<CheckResult[]> {
  const database = openSqliteUpkeep(dataDir.database, { readonly: true })
  const listed = {
    async *list() {
      yield* iterateStoredFiles(dataDir.objects)
    },
  }
  try {
    const orphans = await findOrphans(database, listed, now)
    return [checkOrphans(dataDir, orphans, fix), ...checkMissing(dataDir, await findMissing(database, listed))]
  } finally {
    await database.close()
  }
}

function checkOrphans(dataDir: DataDir, orphans: readonly StoredObject[], fix: boolean): CheckResult {
  if (orphans.length === 0) return ok('objects', 'every stored file belongs to a task')
  const bytes = orphans.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const what = `${count(orphans.length, 'stored file')} with ${formatSize(bytes)}`
  if (fix) {
    const kept = removeAll(orphans.map(({ key }) => join(dataDir.objects, key)))
    if (kept.length === 0) return ok('objects', `Removed ${what} without a task.`)
    const message = `This user may not remove ${count(kept.length, 'stored file')} without a task: ${shorten(kept)}.`
    return problem('objects', message, `Run it as their owner: ${programName()} doctor --fix ${onFolder(dataDir)}`)
  }
  const message = `There is ${what} without a task: ${shorten(orphans.map(({ key }) => key))}.`
  return problem(
    'objects',
    message,
    `Remove those older than an hour: ${programName()} doctor --fix ${onFolder(dataDir)}`,
  )
}

function checkMissing(dataDir: DataDir, missing: readonly PromisedObject[]): CheckResult[] {
  if (missing.length === 0) return []
  const tasks = [...new Set(missing.map(({ taskId }) => taskId))]
  const message = `${count(missing.length, 'file')} of ${shorten(tasks)} missing: ${shorten(missing.map(({ key }) => key))}.`
  const fix =
    'Restore them from a snapshot, or make them again; or remove the tasks that name them: ' +
    `${programName()} animation delete TASK_ID ${onFolder(dataDir)}, or: ${programName()} data prune --older-than 30d ${onFolder(dataDir)}`
  return [problem('missing', message, fix)]
}
