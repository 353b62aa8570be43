import { rmSync, statSync } from 'node:fs'
import { iterateStoredFiles } from '../../adapters/objects/inventory.js'
import { openTaskPruner, type PruneOptions } from '../../adapters/sql/upkeep/task-pruner.js'
import { listLogFiles } from '../../log/folder-log.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { findOrphans } from './orphans.js'

export interface PruneReport {
  readonly dry_run: boolean
  readonly before: string
  /** By kind. */
  readonly tasks: Readonly<Record<string, number>>
  readonly objects: number
  readonly object_bytes: number
  readonly log_files: number
  readonly log_bytes: number
}

interface Sized {
  readonly path: string
  readonly sizeBytes: number
}

/**
 * Deletes finished tasks that ended before `before`, their files, orphaned files, and old log files. A dry run only counts
 * them. Rows are deleted first: if the process is killed, the next run deletes the files.
 */
export function pruneDataDir(dataDir: DataDir, options: PruneOptions & { readonly dryRun: boolean }): PruneReport {
  const pruner = openTaskPruner(dataDir.database, options)
  try {
    const keys = pruner.findObjects()
    const tasks = options.dryRun ? pruner.chosen : pruner.remove()
    if (!options.dryRun) pruner.dropNamed(keys)
    const own: Sized[] = []
    for (const file of iterateStoredFiles(dataDir.objects)) if (keys.has(file.key)) own.push(file)
    const orphans = findOrphans(dataDir, Date.now()).filter(({ key }) => !keys.has(key))
    const logs = listOldLogs(dataDir.logs, options.before)
    const files = [...own, ...orphans]
    if (!options.dryRun) for (const { path } of [...files, ...logs]) rmSync(path, { force: true })
    return {
      dry_run: options.dryRun,
      before: new Date(options.before).toISOString(),
      tasks,
      objects: files.length,
      object_bytes: sum(files),
      log_files: logs.length,
      log_bytes: sum(logs),
    }
  } finally {
    pruner.close()
  }
}

/** A process that still writes to a deleted log file starts a new one. */
function listOldLogs(folder: string, before: number): Sized[] {
  return listLogFiles(folder).flatMap((path) => {
    const found = statSync(path, { throwIfNoEntry: false })
    return found === undefined || found.mtimeMs >= before ? [] : [{ path, sizeBytes: found.size }]
  })
}

const sum = (files: readonly Sized[]) => files.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
