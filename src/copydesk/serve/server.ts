import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSvcError, SvcError, statusByCode } from '../../errors.js'

/** The page, and what it may ask for by name, with the JSON body of the request. */
export interface DeskRoutes {
  readonly page: () => Promise<string>
  readonly actions: Readonly<Record<string, (body: unknown) => Promise<unknown>>>
}

const maxBodyBytes = 1 << 20

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

/**
 * Serves the desk to browsers on this machine, at a path that is a random key. `port` is taken if it is free, else any: a
 * browser keeps what it could not send by the port.
 */
export async function serveDesk({ actions, page }: DeskRoutes, port: number) {
  const key = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => {
    answer(request)
      .then(({ body, type }) => send(response, 200, type, body))
      .catch((error: unknown) => sendError(response, error))
  })
  const answer = async (request: IncomingMessage): Promise<{ readonly type: string; readonly body: string }> => {
    const { port: ownPort } = server.address() as AddressInfo
    const names = [`127.0.0.1:${ownPort}`, `localhost:${ownPort}`]
    // Another name is that of a site that points at this machine.
    if (!names.includes(request.headers.host ?? '')) throw new SvcError('forbidden', 'This address is not ours.')
    const [, given = '', action = ''] = /^\/([^/?]*)\/([^?]*)/.exec(request.url ?? '') ?? []
    if (!isSame(given, key)) throw new SvcError('not_found', 'Open the whole address that the terminal shows.')
    if (request.method === 'GET' && action === '') return { type: 'text/html', body: await page() }
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (run === undefined) throw new SvcError('not_found', 'There is nothing at this path.')
    requireOwnPost(request, names)
    return { type: 'application/json', body: JSON.stringify(await run(await readJson(request))) }
  }
  await listen(server, port)
  const { port: ownPort } = server.address() as AddressInfo
  return {
    /** The address of the page. It contains the key: who knows it may change the catalog. */
    url: `http://127.0.0.1:${ownPort}/${key}/`,
    port: ownPort,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    // Another program has the port by now.
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
}

/** Refuses requests that the page did not send: other sites know neither the key nor may they name this origin. */
function requireOwnPost({ headers, method }: IncomingMessage, names: readonly string[]): void {
  if (method !== 'POST') throw new SvcError('method_not_allowed', 'Only POST is allowed here.')
  const origins = names.map((name) => `http://${name}`)
  const isOwn = headers.origin === undefined || origins.includes(headers.origin)
  const site = headers['sec-fetch-site']
  if (!isOwn || (site !== undefined && site !== 'same-origin')) {
    throw new SvcError('forbidden', 'Only the page of this desk may change something.')
  }
  if (headers['content-type'] !== 'application/json') throw new SvcError('invalid_request', 'The body must be JSON.')
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > maxBodyBytes) throw new SvcError('payload_too_large', 'The body is over 1 MiB.')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (cause) {
    throw new SvcError('invalid_request', 'The body is not valid JSON.', { cause })
  }
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` }).end(body)
}

function sendError(response: ServerResponse, error: unknown): void {
  const isKnown = isSvcError(error)
  const message = isKnown ? error.message : `Internal error: ${error instanceof Error ? error.message : String(error)}`
  const status = isKnown ? statusByCode[error.code] : 500
  send(response, status, 'application/json', JSON.stringify({ message }))
}

function isSame(given: string, key: string): boolean {
  const [one, other] = [given, key].map((text) => Buffer.from(text))
  return one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other)
}
