import { findKeys } from '../../adapters/sql/upkeep/named-objects.js'
import {
  type ErasedOwner,
  type ErasedRows,
  eraseLines,
  eraseRows,
  findTraces,
  forgetOwner,
  isOwned,
} from '../../adapters/sql/upkeep/owner-pruner.js'
import { findPrunable, pruneTasks } from '../../adapters/sql/upkeep/task-pruner.js'
import { findSummedUntil, sumDays } from '../../adapters/sql/usage-days.js'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import { resumeDeletions } from '../../media/animation.js'
import { settleTask } from '../../media/status.js'
import type { UnitKind } from '../../ports/tasks.js'
import { describeDataDir } from '../../runtime/data-dir.js'
import { endUnmade } from '../../worker/outcome.js'
import { openStorage, type Storage } from '../storage/open-storage.js'
import { openForUpkeep, type UpkeepStorage } from '../storage/upkeep.js'
import { type Files, forEachObject, pruneLogs, removeFile } from './prune.js'

/** The kinds of files, by the folders of their keys. */
const fileKinds = { photos: 'photos', avatars: 'pictures', animations: 'clips', diary: 'diary_pictures' } as const
type FileKind = (typeof fileKinds)[keyof typeof fileKinds]

/** The receipt of an erasure. */
export interface EraseReport {
  readonly dry_run: boolean
  readonly pet_id?: string
  readonly user_id?: string
  readonly erased_at: string
  /** By kind. */
  readonly tasks: Readonly<Record<string, number>>
  /** Pictures and clips that were not finished. */
  readonly cancelled_units: number
  readonly files: Readonly<Record<FileKind, { readonly count: number; readonly bytes: number }>>
  readonly objects: number
  readonly object_bytes: number
  readonly rows: ErasedRows
  /** Rows of usage that stay, without the ID. */
  readonly usage_rows: number
  readonly log_lines: number
}

export interface EraseChoice {
  readonly of: ErasedOwner['of']
  readonly id: string
  readonly dryRun: boolean
}

/**
 * Removes what is stored of a pet or a user, and its ID from usage, whose numbers stay. Unfinished work is ended first. Each step
 * finds its work by the rows of the next ones, so a second run completes what a kill has interrupted: files and log lines go
 * before the rows that name them.
 */
export async function eraseOwner(config: StorageConfig, choice: EraseChoice): Promise<EraseReport> {
  const storage = await openStorage(config, { mayCreate: false, urlTtlSeconds: 0 })
  try {
    const upkeep = await openForUpkeep(config)
    try {
      return await erase(config, storage, upkeep, choice)
    } finally {
      await upkeep.close()
    }
  } finally {
    await storage.close()
  }
}

async function erase(
  config: StorageConfig,
  { store, pseudonyms }: Storage,
  { database, objects }: UpkeepStorage,
  { of, id, dryRun }: EraseChoice,
): Promise<EraseReport> {
  const owner: ErasedOwner = { of, id, hash: pseudonyms[of](id) }
  const owned = { before: Number.POSITIVE_INFINITY, identityAssets: true, isOwned: isOwned(owner) }
  if (!dryRun) await resumeDeletions({ tasks: store, objects })
  const units = await database.db
    .selectFrom('units')
    .innerJoin('tasks', 'tasks.id', 'units.task_id')
    .select(['tasks.id', 'tasks.kind'])
    .where('units.status', 'in', ['pending', 'processing'])
    .where(isOwned(owner, `tasks.${of}_id`))
    .execute()
  const saved: unknown[] = []
  for (const task of dryRun ? [] : new Map(units.map((unit) => [unit.id, unit])).values()) {
    saved.push(...(await store.endUnits(task.id, endUnmade, (views) => settleTask(task.kind as UnitKind, views))))
  }
  const traces = await findTraces(database, owner)
  const { tasks, keys: named } = await findPrunable(database, owned)
  const keys = new Set([...named, ...findKeys(JSON.stringify(saved))])
  const files = Object.fromEntries(Object.values(fileKinds).map((kind) => [kind, { objects: 0, sizeBytes: 0 }]))
  await forEachObject(keys, async (key) => {
    const kind = fileKinds[key.split('/')[1] as keyof typeof fileKinds] ?? 'pictures'
    await removeFile(objects, key, files[kind] as Files, await objects.findHead(key), dryRun)
  })
  const logLines = await pruneLogs(database, describeDataDir(config.dataDir), (log) => eraseLines(log, traces, dryRun))
  if (!dryRun) for await (const _ of pruneTasks(database, owned));
  const rows = await eraseRows(database, owner, dryRun)
  // A thread of a folder that is summing now gives up: its sums would have the ID.
  if (!dryRun && (await findSummedUntil(database.db)) > 0) {
    await sumDays(database.db, database.engine, database.commit, store.now())
  }
  const usageRows = await forgetOwner(database, owner, dryRun)
  if (!dryRun) await requireNone(database, owned.isOwned, owner)
  const sums = Object.values(files)
  return {
    dry_run: dryRun,
    [`${of}_id`]: id,
    erased_at: new Date(store.now()).toISOString(),
    tasks,
    cancelled_units: dryRun ? units.length : saved.length,
    files: Object.fromEntries(
      Object.entries(files).map(([kind, { objects, sizeBytes }]) => [kind, { count: objects, bytes: sizeBytes }]),
    ) as EraseReport['files'],
    objects: sums.reduce((sum, { objects }) => sum + objects, 0),
    object_bytes: sums.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    rows,
    usage_rows: usageRows,
    log_lines: logLines,
  }
}

/** Throws `conflict` if tasks are left: calls have made them meanwhile, or another process deletes them. */
async function requireNone(
  { db }: UpkeepStorage['database'],
  condition: ReturnType<typeof isOwned>,
  { of, id }: ErasedOwner,
) {
  const left = await db.selectFrom('tasks').select('id').where(condition).limit(1).execute()
  if (left.length === 0) return
  const message = `The ${of} ${id} has tasks again, or another process still deletes some. Run the command again.`
  throw new SvcError('conflict', message)
}
