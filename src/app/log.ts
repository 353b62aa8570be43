import type { Config } from '../config.js'
import { openFolderLog } from '../log/folder-log.js'
import type { LogReader, RequestLog } from '../log/request-log.js'
import type { LogLineStore } from '../ports/log-lines.js'

/** The places of the request log. */
export type LogPlace = 'folder' | 'database' | 'stdout'

/** Returns the configured place. By default a database that several machines share also has the log. */
export function chooseLogPlace({ log, database = '' }: Pick<Config, 'log'> & { readonly database?: string }): LogPlace {
  if (log !== '') return log
  return database === '' ? 'folder' : 'database'
}

export interface LogParts {
  readonly place: LogPlace
  readonly folder: string
  readonly store: LogLineStore
  /** Names this process in its lines, if they are not in a file of its own. */
  readonly instance: string
  /** The file descriptor for `stdout`. */
  readonly descriptor: number
  /** The number of lines that the database keeps. */
  readonly lines: number
}

/** Opens the log for writing. */
export async function openLog(parts: LogParts): Promise<RequestLog> {
  const { place, folder, store, instance, descriptor, lines } = parts
  if (place === 'folder') return openFolderLog(folder)
  // Few processes need the others.
  if (place === 'stdout') return (await import('../log/stdout-log.js')).openStreamLog(descriptor, instance)
  const { defaultDatabaseLimits, openDatabaseLog } = await import('../log/database-log.js')
  return openDatabaseLog(store, instance, { ...defaultDatabaseLimits, lines })
}

/** Opens the log for reading, whether a process writes to it or not. */
export async function openLogReader({
  place,
  folder,
  store,
}: Pick<LogParts, 'place' | 'folder' | 'store'>): Promise<LogReader> {
  if (place === 'stdout') return (await import('../log/stdout-log.js')).streamReader
  if (place === 'folder') return (await import('../log/folder-reader.js')).createFolderReader(folder)
  return (await import('../log/database-reader.js')).createDatabaseReader(store)
}
