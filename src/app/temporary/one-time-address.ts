import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The lifetime of the address. */
const lifeMs = 60_000

const used =
  'This address works once, and was used. Open the address in the terminal.\n' +
  'If this browser did not use it, somebody else has the key: end the program with Ctrl-C.\n'

/**
 * Opens an address on this machine that redirects to `target`, once. A browser gets its address as an argument, which every
 * user of the machine can read (`ps`) while the browser runs: an address with a key must not be an argument.
 */
export async function openOneTimeAddress(target: string): Promise<string> {
  const path = `/${randomBytes(16).toString('base64url')}`
  let isUsed = false
  const server = createServer(({ method, url }, response) => {
    const headers = { 'cache-control': 'no-store', 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
    if (method !== 'GET' || url !== path) response.writeHead(404, headers).end('There is nothing at this path.\n')
    else if (isUsed) response.writeHead(410, headers).end(used)
    else {
      isUsed = true
      response.writeHead(303, { ...headers, location: target }).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Neither keeps the process alive.
  server.on('connection', (socket) => socket.unref()).unref()
  setTimeout(() => server.close(), lifeMs).unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
}
