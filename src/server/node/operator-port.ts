import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SvcError } from '../../errors.js'
import { toServerUrl } from '../../runtime/running-servers.js'
import { createFindDefect } from './request-head.js'
import { refuseUnreadable } from './unreadable.js'

export interface OperatorParts {
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Names in addresses of this server, besides loopback and `host`. */
  readonly allowedHosts: readonly string[]
  readonly render: () => Promise<{ readonly text: string; readonly contentType: string }>
  readonly isReady: () => Promise<boolean>
}

export interface OperatorPort {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `/metrics`, `/live` and `/ready` on a port of its own, which callers of the API need not reach. Throws `unavailable`
 * if it cannot listen.
 */
export async function openOperatorPort(parts: OperatorParts): Promise<OperatorPort> {
  const { host, port, allowedHosts, render, isReady } = parts
  const answers: Readonly<Record<string, (response: ServerResponse) => Promise<unknown>>> = {
    async '/metrics'(response) {
      const { text, contentType } = await render()
      response.setHeader('content-type', contentType)
      response.end(text)
    },
    '/live': async (response) => answerStatus(response, true),
    '/ready': async (response) => answerStatus(response, await isReady()),
  }
  const findDefect = createFindDefect(host, allowedHosts)
  const server = createServer((request, response) => {
    const defect = findDefect(request)
    if (defect !== undefined) return refuseUnreadable(request.socket, defect)
    const { method, url = '' } = request
    const answer = method === 'GET' || method === 'HEAD' ? answers[url.split('?')[0] ?? ''] : undefined
    if (answer === undefined) response.writeHead(404).end()
    else answer(response).catch(() => response.destroy())
  })
  server.listen({ host, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const message = `Cannot listen on ${host}:${port} for the measures: choose another port with --metrics-port.`
    throw new SvcError('unavailable', message, { cause })
  }
  const address = server.address() as AddressInfo
  return {
    url: `${toServerUrl(address.address, address.port)}/metrics`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerStatus(response: ServerResponse, isWell: boolean): void {
  response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ status: isWell ? 'ok' : 'unavailable' }))
}
