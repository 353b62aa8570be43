import { existsSync, rmSync, statSync } from 'node:fs'
import { openSqliteUpkeep } from '../../adapters/sql/sqlite/upkeep-database.js'
import { dropNamed, dropNamedByOwner } from '../../adapters/sql/upkeep/named-objects.js'
import { findPrunable, type PruneOptions, pruneTasks } from '../../adapters/sql/upkeep/task-pruner.js'
import type { UpkeepDatabase } from '../../adapters/sql/upkeep/upkeep-database.js'
import {
  claimPruning,
  type PrunedRows,
  pruneLog,
  pruneRows,
  pruneUsage,
} from '../../adapters/sql/upkeep/usage-pruner.js'
import { dayMs } from '../../adapters/sql/usage-days.js'
import type { StorageConfig } from '../../config/storage.js'
import type { ObjectStore, StoredObject } from '../../ports/objects.js'
import { type DataDir, describeDataDir, openPart } from '../../runtime/data-dir.js'
import { listFormerLogs } from '../storage/log.js'
import { withStore } from '../storage/open-store.js'
import { openForUpkeep, type UpkeepStorage } from '../storage/upkeep.js'
import { removeOldLeftovers } from './leftovers.js'

export interface PruneReport {
  readonly dry_run: boolean
  readonly before: string
  /** By kind. */
  readonly tasks: Readonly<Record<string, number>>
  readonly objects: number
  readonly object_bytes: number
  /** Cards of home pages, selections of diary pictures, and sums of budgets. */
  readonly rows: PrunedRows
  /** Rows of the archive of insights and single records of usage. */
  readonly usage_rows: number
  readonly log_lines: number
  /** Files of the log of earlier versions. */
  readonly log_files: number
  readonly log_bytes: number
}

export interface PruneChoice extends PruneOptions {
  /** The time of the service, epoch milliseconds. */
  readonly now: number
  /** True to prune the archive of insights and single records of usage too. */
  readonly usage: boolean
  readonly dryRun: boolean
}

/** Prunes finished work of an age in days, once a day over all processes. Returns undefined if another one has done it. */
export async function pruneDaily(config: StorageConfig, days: number): Promise<PruneReport | undefined> {
  const storage = await openForUpkeep(config)
  const isOurs = await claimPruning(storage.database, Date.now()).finally(() => storage.close())
  return isOurs ? pruneOld(config, days * dayMs, { identityAssets: false, usage: false, dryRun: false }) : undefined
}

/** Prunes what ended at least `ageMs` ago, by the time of the service. Migrates a database of an older version first. */
export async function pruneOld(
  config: StorageConfig,
  ageMs: number,
  choice: Omit<PruneChoice, 'now' | 'before'>,
): Promise<PruneReport> {
  const now = await withStore(config, { mayCreate: false }, async (_, time) => time.getTime())
  return pruneStorage(config, { ...choice, now, before: now - ageMs })
}

/**
 * Deletes finished tasks that ended before `before`, their files, orphaned files, old cards, selections and sums of budgets,
 * old lines of the log and the remains of killed snapshots. A dry run only counts them. Rows are deleted first: if the process is killed, the next run deletes the files.
 */
export async function pruneStorage(config: StorageConfig, options: PruneChoice): Promise<PruneReport> {
  const storage = await openForUpkeep(config)
  try {
    const { tasks, files } = await removeTasks(storage, options)
    const rows = await pruneRows(storage.database, options)
    const usageRows = options.usage ? await pruneUsage(storage.database, options) : 0
    const dataDir = describeDataDir(config.dataDir)
    const logLines = await pruneLogs(storage.database, dataDir, (database) => pruneLog(database, options))
    const logs = listOldLogs(dataDir, options.before)
    if (!options.dryRun) {
      for (const { path } of logs) rmSync(path, { force: true })
      removeOldLeftovers(dataDir, Date.now())
    }
    return {
      dry_run: options.dryRun,
      before: new Date(options.before).toISOString(),
      tasks,
      objects: files.objects,
      object_bytes: files.sizeBytes,
      rows,
      usage_rows: usageRows,
      log_lines: logLines,
      log_files: logs.length,
      log_bytes: logs.reduce((total, { sizeBytes }) => total + sizeBytes, 0),
    }
  } finally {
    await storage.close()
  }
}

export interface Files {
  objects: number
  sizeBytes: number
}

/** Removes tasks and files, or only counts them. */
async function removeTasks({ database, objects }: UpkeepStorage, options: PruneChoice) {
  const { dryRun } = options
  const tasks: Record<string, number> = {}
  const files: Files = { objects: 0, sizeBytes: 0 }
  const counted = new Set<string>()
  for await (const round of dryRun ? [await findPrunable(database, options)] : pruneTasks(database, options)) {
    for (const [kind, count] of Object.entries(round.tasks)) tasks[kind] = (tasks[kind] ?? 0) + count
    await forEachObject(round.keys, async (key) => removeFile(objects, key, files, await objects.findHead(key), dryRun))
    if (dryRun) for (const key of round.keys) counted.add(key)
  }
  for await (const orphans of iterateOrphansOf(database, objects, Date.now())) {
    const others = orphans.filter(({ key }) => !counted.has(key))
    await forEachObject(others, (orphan) => removeFile(objects, orphan.key, files, orphan, dryRun))
  }
  return { tasks, files }
}

/** Removes a file, or only counts it. */
export async function removeFile(
  objects: ObjectStore,
  key: string,
  files: Files,
  found: { readonly sizeBytes: number } | undefined,
  dryRun: boolean,
): Promise<void> {
  if (!dryRun) await objects.delete(key)
  if (found === undefined) return
  files.objects += 1
  files.sizeBytes += found.sizeBytes
}

/** Works on the lines in the database, and on those in the log of a folder. Returns the sum. */
export async function pruneLogs(
  database: UpkeepDatabase,
  { log }: DataDir,
  prune: (database: UpkeepDatabase) => Promise<number>,
): Promise<number> {
  const lines = await prune(database)
  if (!existsSync(log)) return lines
  const file = await openPart(log, () => openSqliteUpkeep(log))
  try {
    return lines + (await openPart(log, () => prune(file)))
  } finally {
    await file.close()
  }
}

function listOldLogs(dataDir: DataDir, before: number) {
  return listFormerLogs(dataDir).flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined || found.mtimeMs >= before ? [] : [{ path, sizeBytes: found.size }]
  })
}

/** A file is stored before its row is written, so a younger file may still get a row. */
const settledMs = 3_600_000

/** Iterates over the stored files that no row names, in groups. */
export function iterateOrphansOf(database: UpkeepDatabase, objects: Pick<ObjectStore, 'list'>, now: number) {
  return iterateOrphans(objects, {
    storedBefore: now - settledMs,
    dropNamedByOwner: (keys) => dropNamedByOwner(database, keys),
    dropNamed: (keys) => dropNamed(database, keys),
  })
}

const atOnce = 16

/**
 * Calls `work` for each item, 16 at once, since a bucket takes milliseconds per file. Rejects with the first error after
 * the running calls.
 */
export async function forEachObject<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  let failed = false
  const runs = Array.from({ length: atOnce }, async () => {
    for (let next = left.next(); !failed && next.done !== true; next = left.next()) {
      await work(next.value).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  })
  for (const end of await Promise.allSettled(runs)) if (end.status === 'rejected') throw end.reason
}

interface OrphanRules {
  /** In epoch milliseconds. An object is stored before its row is written, so a younger one may still get a row. */
  readonly storedBefore: number
  /** Returns the keys that their own task does not name: a fast check that finds most. */
  readonly dropNamedByOwner: (keys: readonly string[]) => Promise<readonly string[]>
  /** Removes the keys that any row names: it reads all rows. */
  readonly dropNamed: (keys: Set<string>) => Promise<void>
}

const prefix = 'ai-gateway/'
const keysPerBatch = 1000
/** All rows are read once for so many objects that their own task does not name. */
const suspectsAtMost = 100_000

/** Iterates over the objects that no row names, in groups. Objects are listed before rows are read. */
export async function* iterateOrphans(
  store: Pick<ObjectStore, 'list'>,
  { storedBefore, dropNamedByOwner, dropNamed }: OrphanRules,
): AsyncGenerator<readonly StoredObject[]> {
  let batch = new Map<string, StoredObject>()
  let suspects = new Map<string, StoredObject>()

  async function checkBatch(): Promise<void> {
    for (const key of await dropNamedByOwner([...batch.keys()])) suspects.set(key, batch.get(key) as StoredObject)
    batch = new Map()
  }

  async function endSuspects(): Promise<readonly StoredObject[]> {
    const keys = new Set(suspects.keys())
    if (keys.size > 0) await dropNamed(keys)
    const orphans = [...keys].map((key) => suspects.get(key) as StoredObject)
    suspects = new Map()
    return orphans
  }

  for await (const object of store.list(prefix)) {
    if (object.storedAt < storedBefore) batch.set(object.key, object)
    if (batch.size === keysPerBatch) await checkBatch()
    if (suspects.size >= suspectsAtMost) yield await endSuspects()
  }
  if (batch.size > 0) await checkBatch()
  yield await endSuspects()
}
