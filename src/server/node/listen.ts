import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { isSafePort } from 'get-port-please'
import { listen } from 'listhen'
import { SvcError } from '../../errors.js'
import { findRefusal, toPortError } from '../../runtime/port-refusal.js'
import { isAnyHost, toServerUrl } from '../../runtime/running-servers.js'
import { Connections, type NodeHandler } from './connections.js'
import { createFindDefect } from './request-head.js'
import { noTunnels, toUnreadable } from './unreadable.js'

/** Time limits for the head of a request, for the complete request, between two requests, and for a caller that reads nothing. */
export interface TimeLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly keepAliveMs: number
  /** Without a byte for this time, a connection is closed. No fault rule holds one for longer (`delayMsAtMost`). */
  readonly silentMs: number
  /** The interval at which the first two are checked. */
  readonly checkEveryMs: number
}
const defaultTimeLimits: TimeLimits = {
  ...{ headersMs: 15_000, requestMs: 60_000, keepAliveMs: 60_000, silentMs: 660_000 },
  checkEveryMs: 1000,
}

/** listhen falls back to another port unless this is empty, which its types do not allow. */
const noOtherPorts = [] as unknown as [number, number]

export interface Listener {
  /** The URL for programs on this machine. */
  readonly url: string
  /** The URLs for other machines: none if the server listens on loopback, one for each address if it listens on all. */
  readonly networkUrls: readonly string[]
  readonly port: number
  /** Returns the number of requests that are being answered. */
  countAnswering(): number
  /**
   * Closes each connection after its next answer, for `readyMs`, so that callers connect elsewhere and lose no request.
   * Then stops accepting requests, lets running ones finish within `graceMs`, and closes all connections.
   */
  close(graceMs: number, readyMs?: number): Promise<void>
}

interface ListenOptions {
  /** Names in addresses of this server, besides loopback and `host`. */
  readonly allowedHosts?: readonly string[]
  /** Called for each request that a proxy has passed on, as its `X-Forwarded-Proto` says. */
  readonly onForwarded?: () => void
  readonly timeLimits?: TimeLimits
}

/** Serves `handle` on exactly this host and port; port 0 picks a free one. Throws `unavailable` if it cannot listen. */
export async function startListening(
  handle: NodeHandler,
  host: string,
  port: number,
  { allowedHosts = [], onForwarded, timeLimits = defaultTimeLimits }: ListenOptions = {},
): Promise<Listener> {
  if (!isSafePort(port)) {
    throw new SvcError('invalid_request', `Port ${port} is one that browsers refuse to open. Choose another.`)
  }
  const connections = new Connections(handle)
  const findDefect = createFindDefect(host, allowedHosts)
  const onRequest: NodeHandler = (request, response) => {
    const defect = findDefect(request)
    // A property of the object that the check before has read.
    if (request.headers['x-forwarded-proto'] !== undefined) onForwarded?.()
    if (defect === undefined) connections.serve(request, response)
    else connections.refuse(request.socket, defect)
  }
  const { server, address, getURLs } = await listen(
    onRequest as (request: IncomingMessage, response: ServerResponse) => void,
    {
      hostname: host,
      port: { port, random: port === 0, alternativePortRange: noOtherPorts },
      // Not by the arguments of the process.
      public: isAnyHost(host),
      showURL: false,
      autoClose: false,
      // Silences its output on standard output.
      isTest: true,
    },
  ).catch(async (cause) => {
    // listhen does not report the reason.
    throw toPortError(host, port, (await findRefusal(host, port)) ?? { reason: 'it failed', fix: 'Try again.', cause })
  })
  const httpServer = server as Server
  setTimeLimits(httpServer, timeLimits)
  // The head has at most 16 KiB: a limit of headers would hide the others from our checks, but not from Node's parser.
  Object.assign(httpServer, { requireHostHeader: false, maxHeadersCount: 0 })
  httpServer.on('connection', (socket) => connections.add(socket))
  httpServer.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else connections.refuse(socket as Socket, toUnreadable(error))
  })
  // The body is requested when it is read: the caller of a refused call need not send it.
  httpServer.on('checkContinue', onRequest)
  httpServer.on('checkExpectation', onRequest)
  httpServer.on('connect', (request) => connections.refuse(request.socket, noTunnels))
  const urls = await getURLs({ extraURLs: [] })
  return {
    url: toServerUrl(address.address, address.port),
    networkUrls: urls.filter(({ type }) => type === 'network').map(({ url }) => url.replace(/\/$/, '')),
    port: address.port,
    countAnswering: () => connections.answering,
    async close(graceMs, readyMs = 0) {
      connections.announceEnd()
      if (readyMs > 0) await delay(readyMs)
      await connections.close(httpServer, graceMs)
    },
  }
}

function setTimeLimits(server: Server, limits: TimeLimits): void {
  const { headersMs, requestMs, keepAliveMs, silentMs, checkEveryMs } = limits
  server.headersTimeout = headersMs
  server.requestTimeout = requestMs
  server.keepAliveTimeout = keepAliveMs
  server.timeout = silentMs
  // Node reads this when it starts to listen, and listhen cannot set it before, so the timer is restarted.
  Object.assign(server, { connectionsCheckingInterval: checkEveryMs })
  server.emit('listening')
}
