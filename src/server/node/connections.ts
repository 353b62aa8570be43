import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseUnreadable, type Unreadable } from './unreadable.js'

/** The pipelined requests that may wait on one connection. Callers that pipeline at all send a few. */
const waitingAtMost = 32
/**
 * Requests beyond `waitingAtMost` are dropped. After this many of them the connection closes within `lingerMs`, because Node
 * keeps each request in memory until its socket closes.
 */
const droppedAtMost = 200
/** Bounds what is still read of a closing connection: enough for a caller to finish sending and read the response. */
const lingerMs = 2000
const lingerBytes = 8 << 20
/** An unread body up to this size is read to its end instead, and the connection is kept. */
const drainedBytes = 64 << 10
/** During a stop, a connection without a request stays open until this age: a busy caller connects, and sends later. */
const firstRequestMs = 1000

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

export interface NodeExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface HttpConnection {
  readonly openedAt: number
  /** The request that is being answered, until its response is sent. */
  current: NodeExchange | undefined
  readonly waiting: NodeExchange[]
  /** True if the connection closes after the outstanding answers; further input is dropped. */
  isEnding: boolean
  dropped: number
  /** The last response on the connection, if the input was not HTTP. */
  refusal?: Unreadable
}

/**
 * Answers the requests of a connection one after the other, each when the caller has received the previous answer: Node
 * parses a thousand small requests from one read, and their responses would wait in memory for a caller that never reads.
 * Tracks which connections are answering a request, so that a shutdown waits only for those.
 */
export class Connections {
  readonly #open = new Map<Socket, HttpConnection>()
  #closing = false

  constructor(private readonly handle: NodeHandler) {}

  add(socket: Socket): void {
    this.#open.set(socket, {
      openedAt: performance.now(),
      current: undefined,
      waiting: [],
      isEnding: false,
      dropped: 0,
    })
    socket.once('close', () => this.#open.delete(socket))
    // For CONNECT and Upgrade, Node removes its own listener, and an error without a listener ends the process.
    socket.on('error', () => socket.destroy())
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket)
    if (connection === undefined) return
    if (connection.isEnding) drop(connection, request.socket)
    else if (connection.current === undefined) this.#begin(connection, { request, response })
    else if (connection.waiting.length < waitingAtMost) connection.waiting.push({ request, response })
    else {
      connection.isEnding = true
      dropInput(request.socket)
    }
  }

  /** Closes a connection with a refusal, sent after the responses to the complete requests before it. */
  refuse(socket: Socket, refusal: Unreadable): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isEnding) return
    const { current, waiting } = connection
    if (current?.request.complete === false && current.response.headersSent) {
      // A response that has begun must not get a second head.
      socket.destroy()
      return
    }
    if (waiting.at(-1)?.request.complete === false) waiting.pop()
    connection.isEnding = true
    connection.refusal = refusal
    if (current?.request.complete !== true) refuseUnreadable(socket, refusal)
  }

  /** The number of requests that are being answered. */
  get answering(): number {
    return [...this.#open.values()].filter(({ current }) => current !== undefined).length
  }

  /** Closes each connection after the response to its next request, or to its last if several wait. */
  announceEnd(): void {
    this.#closing = true
  }

  async close(server: Server, graceMs: number): Promise<void> {
    this.announceEnd()
    // The kernel resets connections that are not accepted and requests that are not read. The first turn may be half over;
    // the second accepts, the third reads.
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const [socket, connection] of this.#open) {
      if (connection.current === undefined) {
        closeUnlessNew(socket, connection)
        continue
      }
      endAfterCurrent(connection)
      if (!connection.current.response.headersSent) connection.current.response.shouldKeepAlive = false
    }
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    return closed.finally(() => clearTimeout(timer))
  }

  #begin(connection: HttpConnection, exchange: NodeExchange): void {
    const { request, response } = exchange
    connection.current = exchange
    response.on('close', () => this.#goOn(connection, request.socket))
    if (this.#closing && connection.waiting.length === 0) response.shouldKeepAlive = false
    if (connection.isEnding && connection.waiting.length === 0 && connection.refusal === undefined) {
      response.shouldKeepAlive = false
      request.socket.destroySoon = () => linger(request.socket)
    }
    if (mayLeaveBody(request)) this.#endUnlessRead(connection, exchange)
    this.handle(request, response)
  }

  /** Continues after a response with the next request, or closes the connection. */
  #goOn(connection: HttpConnection, socket: Socket): void {
    connection.current = undefined
    if (socket.writableEnded || socket.destroyed) return
    const next = connection.waiting.shift()
    if (next !== undefined) this.#begin(connection, next)
    else if (connection.refusal !== undefined) refuseUnreadable(socket, connection.refusal)
    else if (connection.isEnding) socket.destroySoon()
  }

  /**
   * Closes the connection after a response that is sent before a large body was read. Node would close the socket at once,
   * which resets the connection, and a caller that is still sending would lose the response.
   */
  #endUnlessRead(connection: HttpConnection, { request, response }: NodeExchange): void {
    const { shouldKeepAlive } = response
    response.shouldKeepAlive = false
    request.once('end', () => {
      response.shouldKeepAlive = shouldKeepAlive && !this.#closing
    })
    response.once('prefinish', () => {
      if (request.readableEnded) return
      endAfterCurrent(connection)
      request.socket.destroySoon = () => linger(request.socket)
    })
  }
}

function drop(connection: HttpConnection, socket: Socket): void {
  connection.dropped += 1
  if (connection.dropped !== droppedAtMost) return
  destroyAfter(socket, lingerMs)
}

/** Calls `end`, which destroys the socket, after a time, unless it is closed before. */
function destroyAfter(socket: Socket, ms: number, end: () => unknown = () => socket.destroy()): void {
  const timer = setTimeout(end, ms)
  socket.once('close', () => clearTimeout(timer))
}

/** Closes an idle connection. One that has just opened may still send its request, whose response closes it. */
function closeUnlessNew(socket: Socket, { openedAt }: HttpConnection): void {
  const leftMs = socket.bytesRead > 0 ? 0 : openedAt + firstRequestMs - performance.now()
  if (leftMs <= 0) {
    socket.destroy()
    return
  }
  destroyAfter(socket, leftMs, () => socket.bytesRead === 0 && socket.destroy())
}

function endAfterCurrent(connection: HttpConnection): void {
  connection.isEnding = true
  connection.waiting.length = 0
}

/** True if the connection closes when the body is not read to its end. */
export function mayLeaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > drainedBytes
}

/** Detaches the parser from the socket, so that further input costs neither time nor memory. */
function dropInput(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
}

/** Ends our side and drops further input until the caller ends too, or its time or bytes run out. */
function linger(socket: Socket): void {
  dropInput(socket)
  const allowed = socket.bytesRead + lingerBytes
  destroyAfter(socket, lingerMs)
  socket.on('data', () => {
    if (socket.bytesRead > allowed) socket.destroy()
  })
  socket.end()
}
