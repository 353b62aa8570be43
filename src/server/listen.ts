import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isSafePort } from 'get-port-please'
import { listen } from 'listhen'
import { SvcError } from '../errors.js'
import { createId } from '../ids.js'

/** How long a caller may take for the head of a request, for all of it, and between two of them. */
const headersTimeoutMs = 15_000
const requestTimeoutMs = 60_000
const keepAliveTimeoutMs = 60_000
/** What is still read of a body after the answer to it: enough for a caller to finish sending and then read. */
const lingerMs = 2000
const lingerBytes = 8 << 20
/** A body of this size is read to its end instead, and the connection is kept. */
const drainedBytes = 64 << 10

/** listhen moves to another port by itself unless this is empty, which its types do not know. */
const noOtherPorts = [] as unknown as [number, number]

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface Listener {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those that run finish for so long, then ends all connections. */
  close(graceMs: number): Promise<void>
}

/** Serves `handle` on exactly this host and port; port 0 takes a free one. Throws `unavailable` if it cannot. */
export async function startListening(handle: NodeHandler, host: string, port: number): Promise<Listener> {
  if (!isSafePort(port)) {
    throw new SvcError('invalid_request', `Port ${port} is one that browsers refuse to open. Choose another.`)
  }
  const connections = new Connections()
  const onRequest: NodeHandler = (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      refuseUnreadable(request.socket, badRequest)
    else connections.serve(request, response, handle)
  }
  const { server, address } = await listen(onRequest as (request: IncomingMessage, response: ServerResponse) => void, {
    hostname: host,
    port: { port, random: port === 0, alternativePortRange: noOtherPorts },
    showURL: false,
    autoClose: false,
    // Keeps it from writing to standard output.
    isTest: true,
  }).catch((error) => {
    throw new SvcError(
      'unavailable',
      `Cannot listen on ${host}:${port}: the port is taken or not allowed. Stop what uses it, or choose another with --port.`,
      { cause: error },
    )
  })
  const httpServer = server as Server
  removeShutdownWrapper(httpServer, onRequest)
  httpServer.headersTimeout = headersTimeoutMs
  httpServer.requestTimeout = requestTimeoutMs
  httpServer.keepAliveTimeout = keepAliveTimeoutMs
  // Node's own refusal of a request without a host has no request ID.
  Object.assign(httpServer, { requireHostHeader: false })
  httpServer.on('connection', (socket) => connections.add(socket))
  httpServer.on('clientError', answerUnreadable)
  // The body is asked for when it is read: a call that is refused before needs not send it.
  httpServer.on('checkContinue', onRequest)
  httpServer.on('checkExpectation', onRequest)
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    close: (graceMs) => connections.close(httpServer, graceMs),
  }
}

/**
 * Takes listhen's shutdown wrapper off the server: it costs a tenth of the speed, and throws out of the process when a
 * socket is gone before its answer. `Connections` does what it is for.
 */
function removeShutdownWrapper(server: Server, onRequest: NodeHandler): void {
  for (const listener of server.listeners('request')) {
    if (listener !== onRequest) server.off('request', listener as () => void)
  }
  // The first is Node's own.
  for (const listener of server.listeners('connection').slice(1)) server.off('connection', listener as () => void)
}

/** Knows which connections are answering something, so that a shutdown waits for those alone. */
class Connections {
  readonly #open = new Set<Socket>()
  readonly #answering = new Map<ServerResponse, Socket>()
  /** Connections that end with their answer; what else comes in on them is dropped. */
  readonly #ending = new WeakSet<Socket>()
  #closing = false

  add(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
  }

  serve(request: IncomingMessage, response: ServerResponse, handle: NodeHandler): void {
    const { socket } = request
    if (this.#ending.has(socket)) return
    this.#answering.set(response, socket)
    response.once('close', () => this.#answering.delete(response))
    if (this.#closing) response.shouldKeepAlive = false
    if (mayLeaveBody(request)) this.#endUnlessRead(request, response)
    handle(request, response)
  }

  /**
   * Prepares for an answer that is given before a large body was read: the connection then ends. Node would end the
   * socket at once, which resets the connection, and a caller that is still sending loses the answer.
   */
  #endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request.once('end', () => {
      response.shouldKeepAlive = shouldKeepAlive && !this.#closing
    })
    response.once('prefinish', () => {
      if (request.readableEnded) return
      this.#ending.add(socket)
      socket.destroySoon = () => linger(socket)
    })
  }

  close(server: Server, graceMs: number): Promise<void> {
    this.#closing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const busy = new Set(this.#answering.values())
    for (const response of this.#answering.keys()) if (!response.headersSent) response.shouldKeepAlive = false
    for (const socket of this.#open) if (!busy.has(socket)) socket.destroy()
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    return closed.finally(() => clearTimeout(timer))
  }
}

function mayLeaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > drainedBytes
}

/** Ends our side and drops what still comes in, until the caller ends too, or has had time and bytes enough. */
function linger(socket: Socket): void {
  const allowed = socket.bytesRead + lingerBytes
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('data', () => {
    if (socket.bytesRead > allowed) socket.destroy()
  })
  socket.once('close', () => clearTimeout(timer))
  socket.end()
}

interface Unreadable {
  readonly status: string
  readonly code: string
  readonly message: string
}

/** What is not HTTP: these never become a call, so they have statuses of their own, outside of the API's table. */
const unreadable: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'headers_too_large',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'request_timeout',
    message: 'The request was not sent in time.',
  },
}
const badRequest: Unreadable = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'This is not a valid HTTP request.',
}

function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // An answer that has begun on this socket must not get a second head in its middle.
  const current = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage
  if (!socket.writable || error.code === 'ECONNRESET' || current?.headersSent === true) socket.destroy()
  else refuseUnreadable(socket, unreadable[error.code ?? ''] ?? badRequest)
}

function refuseUnreadable(socket: Socket, { status, code, message }: Unreadable): void {
  const requestId = createId('req_')
  const body = JSON.stringify({ error: { code, message, request_id: requestId } })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Request-ID: ${requestId}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}
