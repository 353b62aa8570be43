import { EventEmitter, once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { NodeHandler } from '../../../src/server/node/connections.js'
import { startListening } from '../../../src/server/node/listen.js'
import { refusalOf } from '../../helpers/refusal.js'

const listening = suite('listening')
const refuseAll = (): void => {}

// The second name needs no name server, because a label is empty.
for (const host of ['203.0.113.5', 'no..such']) {
  listening(`reports that ${host} is not an address of this machine`, async () => {
    assert.is(
      await refusalOf(() => startListening(refuseAll, host, 0)),
      `Cannot listen on ${host}:0: this machine has no such address. Name one of its own with --host, or 0.0.0.0 for all.`,
    )
  })
}

listening('reports that a port is taken, or is one that browsers refuse', async () => {
  const first = await startListening(refuseAll, '127.0.0.1', 0)
  assert.match(
    await refusalOf(() => startListening(refuseAll, '127.0.0.1', first.port)),
    /: another program has the port \(EADDRINUSE\)\. Stop it, or choose another with --port or SVC_PORT\.$/,
  )
  await first.close(0)
  assert.match(await refusalOf(() => startListening(refuseAll, '127.0.0.1', 6000)), /browsers refuse/)
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

/** Sends a request and returns all that comes back; fails if the connection is reset. */
async function readAnswer(socket: Socket): Promise<string> {
  socket.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  let text = ''
  for await (const part of socket) text += part
  return text
}

listening('sees every header that the parser follows', async () => {
  const listener = await startListening((_, response) => response.end('ok'), '127.0.0.1', 0)
  const answers = ['Host: elsewhere', 'Transfer-Encoding: gzip, chunked'].map((last) => {
    const socket = connect(listener.port, '127.0.0.1')
    socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(2100)}${last}\r\n\r\n`)
    return once(socket.setEncoding('utf8'), 'data').then(([text]) => text)
  })
  for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
  await listener.close(0)
})

listening('ends a connection whose caller reads nothing', async () => {
  const connections = new EventEmitter()
  const answer: NodeHandler = (request, response) => {
    request.socket.once('close', () => connections.emit('close'))
    response.end(Buffer.alloc(32 << 20))
  }
  const timeLimits = { headersMs: 1000, requestMs: 1000, keepAliveMs: 1000, silentMs: 50, checkEveryMs: 1000 }
  const listener = await startListening(answer, '127.0.0.1', 0, { timeLimits })
  const closed = once(connections, 'close')
  const socket = connect(listener.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await closed
  socket.destroy()
  await listener.close(0)
})

listening('answers a request that has arrived, but is not read when it closes', async () => {
  const listener = await startListening((_, response) => response.end('ok'), '127.0.0.1', 0)
  const socket = connect(listener.port, '127.0.0.1').setEncoding('utf8')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'data')
  while (listener.countAnswering() > 0) await new Promise((go) => setImmediate(go))
  const answer = readAnswer(socket)
  const closing = listener.close(1000)
  assert.match(await answer, /^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n/is)
  await closing
})

listening('answers the first request of a caller that had connected when it closes', async () => {
  const listener = await startListening((_, response) => response.end('ok'), '127.0.0.1', 0)
  const socket = connect(listener.port, '127.0.0.1')
  await once(socket, 'connect')
  const closing = listener.close(1000)
  for (let turn = 0; turn < 8; turn++) await new Promise((go) => setImmediate(go))
  assert.match(await readAnswer(socket), /^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n/is)
  await closing
})

listening('closes a connection on which nothing is sent', async () => {
  const listener = await startListening(refuseAll, '127.0.0.1', 0)
  const socket = connect(listener.port, '127.0.0.1').resume()
  await once(socket, 'connect')
  await Promise.all([listener.close(60_000), once(socket, 'close')])
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
