import type { StorageConfig } from '../../config/storage.js'
import type { LogDatabase } from '../../log/database-log.js'
import { openFolderLog } from '../../log/folder-log.js'
import type { LogReader, RequestLog } from '../../log/request-log.js'
import type { LogLineStore } from '../../ports/log-lines.js'
import { createDataDir, describeDataDir, openPart } from '../../runtime/data-dir.js'
import { createInstanceName } from '../../runtime/instance.js'

/** The places of the request log. */
export type LogPlace = 'folder' | 'database' | 'stdout'

/** Returns the configured place. By default a database that several machines share also has the log. */
export function chooseLogPlace({ log, database }: Pick<StorageConfig, 'log' | 'database'>): LogPlace {
  if (log !== '') return log
  return database === '' ? 'folder' : 'database'
}

/** Opens the log for writing; `descriptor` is the file descriptor for `stdout`. */
export async function openLog(config: StorageConfig, store: LogDatabase, descriptor: number): Promise<RequestLog> {
  const place = chooseLogPlace(config)
  if (place === 'folder') {
    const { logs } = createDataDir(config.dataDir)
    return openPart(logs, () => openFolderLog(logs))
  }
  const instance = createInstanceName()
  if (place === 'stdout') return (await import('../../log/stdout-log.js')).openStreamLog(descriptor, instance)
  const { defaultDatabaseLimits, openDatabaseLog } = await import('../../log/database-log.js')
  return openDatabaseLog(store, instance, { ...defaultDatabaseLimits, lines: config.logLines })
}

/** Opens the log for reading, whether a process writes to it or not. */
export async function openLogReader(config: StorageConfig, store: LogLineStore): Promise<LogReader> {
  const place = chooseLogPlace(config)
  if (place === 'stdout') return (await import('../../log/stdout-log.js')).streamReader
  if (place === 'database') return (await import('../../log/database-reader.js')).createDatabaseReader(store)
  const { createFolderReader } = await import('../../log/folder-reader.js')
  return createFolderReader(describeDataDir(config.dataDir).logs)
}
