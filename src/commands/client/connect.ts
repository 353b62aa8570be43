import { type Command, Option } from 'commander'
import type { Server } from '../../client/client.js'
import { createLocalTransport, createNetworkTransport } from '../../client/transport.js'
import { type Config, loadConfig } from '../../config.js'
import { describeDataDir, findLocalKey, requireDataDir } from '../../data-dir.js'
import { SvcError } from '../../errors.js'
import { quote } from '../../spelling.js'
import { findKeyFor } from './find-key.js'

/** The options that say which service a command talks to. */
export interface ServerFlags {
  readonly url?: string
  readonly key?: string
  readonly dataDir?: string
  readonly json?: true
}

/** Whether a command may be the first on a data folder; one that reads what is there may not. */
export type FolderUse = 'create' | 'existing'

export function addServerOptions(command: Command, json = 'print one JSON document'): Command {
  return command
    .addOption(
      new Option('--url <url>', 'a server; without it the command works on the data folder itself').env('SVC_URL'),
    )
    .addOption(new Option('--key <key>', 'API key (default: the one kept in the data folder)').env('SVC_API_KEY'))
    .option('--data-dir <folder>', 'folder of the service (SVC_DATA_DIR, default .svc)')
    .option('--json', json)
}

/** A service, near or far, that a command talks to. */
export interface Connection extends Server {
  /** Of a service in this process: resolves when its worker has nothing left to do. */
  readonly idle?: () => Promise<void>
  /** The flags that lead another command to the same service. */
  readonly flags: string
  close(): Promise<void>
}

/**
 * Connects to the server that is named, or starts the service on the data folder inside this process: its worker runs
 * until the connection is closed. Throws `unauthorized` when there is no key to be had, `not_found` without a data folder.
 */
export async function connect(flags: ServerFlags, folder: FolderUse): Promise<Connection> {
  const config = loadConfig(flags.dataDir === undefined ? {} : { dataDir: flags.dataDir })
  if (flags.url) return connectToServer(flags.url, flags, config)
  if (folder === 'existing') requireDataDir(config.dataDir)
  // Loaded when it is needed: the whole service is behind it.
  const { startService } = await import('./start-service.js')
  const service = await startService(config)
  try {
    const key = flags.key || findLocalKey(describeDataDir(config.dataDir))
    if (key === undefined) {
      const create = `svc key create --name local --admin --keep --data-dir ${quote(config.dataDir)}`
      throw noKey(`${config.dataDir} keeps none`, `${create} makes one and keeps it there`)
    }
    return {
      transport: createLocalTransport(service.fetch, toBase(config)),
      key,
      idle: service.idle,
      flags: flags.dataDir === undefined ? '' : ` --data-dir ${quote(flags.dataDir)}`,
      close: service.close,
    }
  } catch (error) {
    await service.close()
    throw error
  }
}

function connectToServer(url: string, flags: ServerFlags, config: Config): Connection {
  const transport = createNetworkTransport(url)
  const key = flags.key || findKeyFor(url, config.dataDir)
  if (key === undefined) throw noKey(`none is kept here for ${url}`, 'svc key create makes one, where the server runs')
  return { transport, key, flags: ` --url ${quote(url)}`, close: async () => {} }
}

function noKey(reason: string, fix: string): SvcError {
  return new SvcError('unauthorized', `An API key is needed (${reason}): give --key or SVC_API_KEY; ${fix}.`)
}

/** Where the same data folder is served by `svc serve`: addresses in answers lead there. */
function toBase({ host, port }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/`
}
