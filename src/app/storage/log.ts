import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { StorageConfig } from '../../config/storage.js'
import { SvcError } from '../../errors.js'
import type { RequestLog } from '../../log/request-log.js'
import { openStreamLog, openTableLog } from '../../log/writers.js'
import type { LogLineStore } from '../../ports/log-lines.js'
import type { DataDir } from '../../runtime/data-dir.js'
import { listNames } from '../../runtime/running-servers.js'

/** Opens the log for writing; `descriptor` is the file descriptor for `stdout`. */
export function openLog({ log, logLines }: StorageConfig, store: LogLineStore, descriptor: number): RequestLog {
  const instance = createInstanceName()
  return log === 'stdout' ? openStreamLog(descriptor, instance) : openTableLog(store, instance, logLines)
}

/** Throws `not_found`, and says where the lines are, if the log goes to standard output. */
export function requireReadableLog({ log }: Pick<StorageConfig, 'log'>): void {
  if (log !== 'stdout') return
  throw new SvcError(
    'not_found',
    'This service writes its log to standard output (SVC_LOG=stdout): look at what collects the output of its processes.',
  )
}

/** Lists the files of the log of earlier versions. */
export function listFormerLogs({ formerLogs: folder }: Pick<DataDir, 'formerLogs'>): string[] {
  const names = listNames(folder).filter((name) => /^\d{8}T\d{9}Z-\d+\.jsonl$/.test(name))
  return names.map((name) => join(folder, name))
}

/** Says where the lines of earlier versions are; undefined if no line is left. */
export function describeFormerLogs(dataDir: Pick<DataDir, 'formerLogs'>): string | undefined {
  if (listFormerLogs(dataDir).length === 0) return undefined
  return `The log lines of an earlier version are in ${dataDir.formerLogs}, as files of JSON lines. svc logs does not read them; svc data prune removes old ones.`
}

const hostCharactersAtMost = 32

/**
 * Creates the name of this process among those of all machines: its host, its process ID, and random digits, because a
 * container that starts again may have the same host and process ID.
 */
function createInstanceName(): string {
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, hostCharactersAtMost)
  return `${host}-${process.pid}-${randomBytes(5).toString('hex')}`
}
