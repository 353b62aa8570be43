import { type Command, Option } from 'commander'
import type { Server } from '../../client/client.js'
import { createLocalTransport, createNetworkTransport } from '../../client/transport.js'
import { type Config, clientVariables, loadConfig } from '../../config.js'
import { SvcError } from '../../errors.js'
import { describeDataDir, requireDataDir } from '../../runtime/data-dir.js'
import { programName } from '../../runtime/program-name.js'
import { listRunningServers, type RunningServer, toServerUrl } from '../../runtime/running-servers.js'
import { quote } from '../../text/spelling.js'
import { addStorageOptions, type PrintFlags, repeatStorageOptions } from '../storage-options.js'
import { findKeyFor, findLocalKeyOf } from './find-key.js'

/** The options that select the service of a command. */
export interface ServerFlags extends PrintFlags {
  readonly url?: string
  readonly key?: string
}

/**
 * The use of the data directory: `create` may create it, `existing` and `read` need it to exist. A command that only reads
 * (`read`) needs no API key.
 */
export type FolderUse = 'create' | 'existing' | 'read'

export function addServerOptions(command: Command, json = 'print one JSON document'): Command {
  return addConnectionOptions(command).option('--json', json)
}

/** Declares the options that select the service of a command which prints no document. */
export function addConnectionOptions(command: Command): Command {
  command
    .addOption(
      new Option('--url <url>', 'a server; without it, the command works on the data directory directly').env(
        clientVariables.url,
      ),
    )
    .addOption(
      new Option('--key <key>', 'API key (default: that of the data directory, which needs no key to read)').env(
        clientVariables.key,
      ),
    )
  return addStorageOptions(command)
}

/** A service, in this process or on a server. */
export interface ServiceConnection extends Server {
  /** Only of a service in this process: resolves when its worker has nothing left to do. */
  readonly idle?: () => Promise<void>
  /** The server on the data directory, which answers the URLs of files. */
  readonly server?: RunningServer | undefined
  /** The flags with which another command finds the same service. */
  readonly flags: string
  close(): Promise<void>
}

/**
 * Connects to the server of the flags, or starts the service on the data directory in this process; its worker runs until the
 * connection is closed. Throws `unauthorized` if there is no key, `not_found` if there is no data directory.
 */
export async function connect(flags: ServerFlags, folder: FolderUse): Promise<ServiceConnection> {
  const config = loadConfig(flags)
  if (flags.url) return connectToServer(flags.url, flags, config)
  if (folder !== 'create' && config.database === '') requireDataDir(config.dataDir)
  // Loaded on demand: it brings the whole service.
  const { startService } = await import('./start-service.js')
  const { app, readerKey } = await startService(config, { onlyReads: folder === 'read' })
  try {
    const key = flags.key || readerKey || findLocalKeyOf(config)
    if (key === undefined) {
      if (config.database !== '')
        throw noKey('a database keeps no text of a key', `${programName()} key create makes one`)
      const create = `${programName()} key create --name local --admin --keep --data-dir ${quote(config.dataDir)}`
      throw noKey(`${config.dataDir} keeps no key`, `${create} makes one and keeps it there`)
    }
    const [server] = config.database === '' ? listRunningServers(describeDataDir(config.dataDir)) : []
    return {
      // Without a server, URLs in responses are those of an `svc serve` with the same settings.
      transport: createLocalTransport(app.fetch, `${server?.url ?? toServerUrl(config.host, config.port)}/`),
      key,
      idle: app.idle,
      server,
      flags: repeatStorageOptions(flags),
      close: app.close,
    }
  } catch (error) {
    await app.close()
    throw error
  }
}

function connectToServer(url: string, flags: ServerFlags, config: Config): ServiceConnection {
  const transport = createNetworkTransport(url)
  const key = flags.key || findKeyFor(url, config)
  if (key === undefined)
    throw noKey(`no key is kept here for ${url}`, `${programName()} key create makes one, where the server runs`)
  return { transport, key, flags: ` --url ${quote(url)}${repeatStorageOptions(flags)}`, close: async () => {} }
}

function noKey(reason: string, fix: string): SvcError {
  return new SvcError('unauthorized', `An API key is needed (${reason}): give --key or SVC_API_KEY; ${fix}.`)
}
