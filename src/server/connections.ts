import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { refuseUnreadable, type Unreadable } from './unreadable.js'

/** Requests on one connection that wait for the answer to the one before. Callers that pipeline at all send a few. */
const waitingAtMost = 32
/** Beyond that they are dropped, and beyond so many the connection too: Node keeps each one as long as its socket. */
const droppedAtMost = 200
/** What is still read of a connection that ends: enough for a caller to finish sending and then read. */
const lingerMs = 2000
const lingerBytes = 8 << 20
/** A body of this size is read to its end instead, and the connection is kept. */
const drainedBytes = 64 << 10

export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  /** The request that is being answered, until its answer has left this process. */
  current: Exchange | undefined
  readonly waiting: Exchange[]
  /** Whether it ends with the answers it owes; what else comes in is dropped. */
  isEnding: boolean
  dropped: number
  /** The last answer of all, where what came in was not HTTP. */
  refusal?: Unreadable
}

/**
 * Answers the requests of a connection one after the other, each when the caller has taken the answer before: Node parses
 * a thousand small requests from one read, and their answers would wait in memory for a caller that never reads.
 * Knows which connections are answering something, so that a shutdown waits for those alone.
 */
export class Connections {
  readonly #handle: NodeHandler
  readonly #open = new Map<Socket, Connection>()
  #closing = false

  constructor(handle: NodeHandler) {
    this.#handle = handle
  }

  add(socket: Socket): void {
    this.#open.set(socket, { current: undefined, waiting: [], isEnding: false, dropped: 0 })
    socket.once('close', () => this.#open.delete(socket))
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

  /** Ends a connection with a refusal, which follows the answers to the whole requests before it. */
  refuse(socket: Socket, refusal: Unreadable): void {
    const connection = this.#open.get(socket)
    if (connection === undefined || connection.isEnding) return
    const { current, waiting } = connection
    if (current?.request.complete === false && current.response.headersSent) {
      // An answer that has begun must not get a second head in its middle.
      socket.destroy()
      return
    }
    if (waiting.at(-1)?.request.complete === false) waiting.pop()
    connection.isEnding = true
    connection.refusal = refusal
    if (current?.request.complete !== true) refuseUnreadable(socket, refusal)
  }

  close(server: Server, graceMs: number): Promise<void> {
    this.#closing = true
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const [socket, connection] of this.#open) {
      if (connection.current === undefined) {
        socket.destroy()
        continue
      }
      endAfterCurrent(connection)
      if (!connection.current.response.headersSent) connection.current.response.shouldKeepAlive = false
    }
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    return closed.finally(() => clearTimeout(timer))
  }

  #begin(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange
    connection.current = exchange
    response.on('close', () => this.#goOn(connection, request.socket))
    if (this.#closing) response.shouldKeepAlive = false
    if (connection.isEnding && connection.waiting.length === 0 && connection.refusal === undefined) {
      response.shouldKeepAlive = false
      request.socket.destroySoon = () => linger(request.socket)
    }
    if (mayLeaveBody(request)) this.#endUnlessRead(connection, exchange)
    this.#handle(request, response)
  }

  /** After an answer: the next request, or the end. */
  #goOn(connection: Connection, socket: Socket): void {
    connection.current = undefined
    if (socket.writableEnded || socket.destroyed) return
    const next = connection.waiting.shift()
    if (next !== undefined) this.#begin(connection, next)
    else if (connection.refusal !== undefined) refuseUnreadable(socket, connection.refusal)
    else if (connection.isEnding) socket.destroySoon()
  }

  /**
   * Prepares for an answer that is given before a large body was read: the connection then ends. Node would end the
   * socket at once, which resets the connection, and a caller that is still sending loses the answer.
   */
  #endUnlessRead(connection: Connection, { request, response }: Exchange): void {
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

function drop(connection: Connection, socket: Socket): void {
  connection.dropped += 1
  if (connection.dropped > droppedAtMost) socket.destroy()
}

function endAfterCurrent(connection: Connection): void {
  connection.isEnding = true
  connection.waiting.length = 0
}

/** Whether the connection ends where the body is not read to its end. */
export function mayLeaveBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > drainedBytes
}

/** Takes the parser off the socket: what is read from now on costs neither time nor memory. */
function dropInput(socket: Socket): void {
  socket.removeAllListeners('data')
  socket.on('data', () => {})
}

/** Ends our side and drops what still comes in, until the caller ends too, or has had time and bytes enough. */
function linger(socket: Socket): void {
  dropInput(socket)
  const allowed = socket.bytesRead + lingerBytes
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('data', () => {
    if (socket.bytesRead > allowed) socket.destroy()
  })
  socket.once('close', () => clearTimeout(timer))
  socket.end()
}
