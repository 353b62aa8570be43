import type { Socket } from 'node:net'
import { createId } from '../../runtime/ids.js'

/** The response to input that is not HTTP. It never becomes a call, so its statuses are outside the API's table. */
export interface Unreadable {
  readonly status: string
  readonly code: string
  readonly message: string
}

export const badRequest: Unreadable = {
  status: '400 Bad Request',
  code: 'bad_request',
  message: 'This is not a valid HTTP request.',
}
/** The response to CONNECT, which asks a proxy for a connection to another host. */
export const noTunnels: Unreadable = {
  status: '405 Method Not Allowed',
  code: 'method_not_allowed',
  message: 'This server is not a proxy: it does not accept CONNECT.',
}
const byParserCode: Readonly<Record<string, Unreadable>> = {
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

/** Returns the response to an error of Node's parser. */
export function toUnreadable(error: NodeJS.ErrnoException): Unreadable {
  return byParserCode[error.code ?? ''] ?? badRequest
}

/** Answers on the bare socket, with a request ID like every other response, and closes it. */
export function refuseUnreadable(socket: Socket, { status, code, message }: Unreadable): void {
  const requestId = createId('req_')
  const body = JSON.stringify({ error: { code, message, request_id: requestId } })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Request-ID: ${requestId}\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    () => socket.destroy(),
  )
}
