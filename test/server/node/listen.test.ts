import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../src/errors.js'
import { startListening } from '../../../src/server/node/listen.js'

const listening = suite('listening')
const refuseAll = (): void => {}

// The second name needs no name server, because a label is empty.
for (const host of ['203.0.113.5', 'no..such']) {
  listening(`reports that ${host} is not an address of this machine`, async () => {
    const error: unknown = await startListening(refuseAll, host, 0).catch((reason) => reason)
    assert.ok(isSvcError(error), String(error))
    assert.is(
      error.message,
      `Cannot listen on ${host}:0: this machine has no such address. Name one of its own with --host, or 0.0.0.0 for all.`,
    )
  })
}

listening('reports that a port is taken', async () => {
  const first = await startListening(refuseAll, '127.0.0.1', 0)
  const error: unknown = await startListening(refuseAll, '127.0.0.1', first.port).catch((reason) => reason)
  await first.close(0)
  assert.ok(isSvcError(error), String(error))
  assert.match(
    error.message,
    /: the port is taken or not allowed\. Stop what uses it, or choose another with --port\.$/,
  )
})

listening('resets no connection of busy callers when it closes', async () => {
  const listener = await startListening((_, response) => response.end('ok'), '127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  let sent = 0
  /** Calls until the server says that it closes the connection. */
  const callUntilClosed = async (): Promise<void> => {
    for (;;) {
      const call = get({ host: '127.0.0.1', port: listener.port, agent })
      const [response] = (await once(call, 'response')) as [IncomingMessage]
      response.resume()
      await once(response, 'end')
      sent++
      if (response.headers.connection === 'close') return
    }
  }
  const callers = Array.from({ length: 16 }, callUntilClosed)
  while (sent < 160) await new Promise((go) => setImmediate(go))
  const closing = listener.close(1000, 300)
  await Promise.all(callers)
  await closing
  agent.destroy()
})

for (const [name, last] of [
  ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'],
  ['Upgrade', 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
] as const) {
  listening(`survives a connection that is reset before the answer to ${name}`, async () => {
    let closed: Promise<unknown> | undefined
    const listener = await startListening(
      (request, response) => {
        closed ??= new Promise((resolve) => request.socket.once('close', resolve))
        // By then the parser has read all requests.
        setImmediate(() => {
          caller.resetAndDestroy()
          setImmediate(() => response.end('ok'))
        })
      },
      '127.0.0.1',
      0,
    )
    const caller = connect(listener.port, '127.0.0.1').on('error', () => {})
    caller.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30) + last)
    await once(caller, 'close')
    await closed
    await listener.close(0)
  })
}

listening.run()
