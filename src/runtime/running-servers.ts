import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DataDir, withPathInError } from './data-dir.js'
import { isRunning } from './durable-files.js'

/** A server on a data directory. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  readonly startedAt: string
}

/** True if a server on this host listens on all addresses of the machine. */
export const isAnyHost = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** Returns the URL at which programs on this machine reach a server on a host and port. */
export function toServerUrl(host: string, port: number): string {
  // Node binds `::` to both kinds of addresses.
  const name = isAnyHost(host) ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Lists, for people, the addresses of a server that listens on all addresses of the machine. */
export function listAddresses(host: string, url: string, networkUrls: readonly string[]): string[] {
  return isAnyHost(host) ? [`  Local: ${url}`, ...networkUrls.map((network) => `  Network: ${network}`)] : []
}

/** Stores the address of a server of this process in the data directory. Returns the function that removes it again. */
export function recordServer({ servers }: DataDir, server: RunningServer): () => void {
  const { port } = new URL(server.url)
  // One file a port: a server replaces the file of a killed one on the same port.
  const file = join(servers, `${port || '80'}.json`)
  const draft = `${file}.${server.pid}`
  withPathInError(servers, () => {
    mkdirSync(servers, { recursive: true, mode: 0o700 })
    // Earlier versions let others read it.
    if ((statSync(servers).mode & 0o077) !== 0) chmodSync(servers, 0o700)
    writeFileSync(draft, `${JSON.stringify(server)}\n`, { mode: 0o600 })
    renameSync(draft, file)
  })
  return () => {
    if (readServer(file)?.pid === server.pid) rmSync(file, { force: true })
  }
}

/**
 * Lists the other servers on a data directory whose processes run, the newest first. Those of a killed process do not count: in a
 * container, it had the ID of this one.
 */
export function listRunningServers({ servers }: DataDir): RunningServer[] {
  return listNames(servers)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readServer(join(servers, name)) ?? [])
    .filter(({ pid }) => pid !== process.pid && isRunning(pid))
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt))
}

/** Lists a folder; no names if it does not exist, or this user may not read it. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readServer(file: string): RunningServer | undefined {
  try {
    const { url, pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as Partial<RunningServer>
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid, startedAt: `${startedAt}` } : undefined
  } catch {
    // It was removed meanwhile, or a power loss truncated it.
    return undefined
  }
}
