import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Server } from '../../src/client/client.js'
import { openServerCalls } from '../../src/client/server-calls.js'
import { createLocalTransport } from '../../src/client/transport.js'
import { isSvcError } from '../../src/errors.js'

const source = suite('calls of a server')

const query = { withOwn: false }
const onTrouble = () => {}
const call = { time: '2026-10-20T08:00:00.000Z', method: 'POST', path: '/x', status: 422, duration_ms: 1 }
const hits = { violations: [{ rule: 'type', path: '/x', sentence: 'It must be of another type.' }], warnings: [] }

/** Connects to a server whose first list has calls with these IDs and later lists are empty; `trace` answers for each call. */
function connectTo(
  ids: readonly string[],
  trace: (id: string) => Response,
): Server & { close(): Promise<void>; readonly cursors: string[] } {
  const cursors: string[] = []
  const send = async ({ url }: Request) => {
    const { pathname, searchParams } = new URL(url)
    if (pathname !== '/_svc/requests') return trace(pathname.split('/').at(-1) ?? '')
    const after = searchParams.get('after')
    cursors.push(after ?? '')
    const data = after === null ? ids.map((id) => ({ ...call, request_id: id })) : []
    return Response.json({ data, cursor: `${after ?? '1'}.a-a-a` })
  }
  const transport = createLocalTransport(send, 'http://svc.test/')
  return { transport, key: 'k', close: async () => {}, cursors }
}

const answerTrace = (id: string) => Response.json({ ...call, request_id: id, ...hits })
function refuse(code: string, status: number): Response {
  const headers = { 'retry-after': '0' }
  return Response.json({ error: { code, message: 'Not now.', request_id: 'r' } }, { status, headers })
}

source('shows rules, and continues after the last shown call', async () => {
  const server = connectTo(['a', 'b'], answerTrace)
  const { read } = openServerCalls(server, query, { isFollowed: true, onTrouble })
  const { calls, isMore } = await read()
  assert.equal([calls.map(({ violations }) => violations), isMore], [[hits.violations, hits.violations], false])
  assert.equal(await read(), { calls: [], isMore: false })
  assert.equal(server.cursors, ['', '1.a-a-a'])
})

for (const [code, status] of [
  ['rate_limit_exceeded', 429],
  ['unavailable', 503],
] as const) {
  source(`shows calls as listed when the answer to a trace is ${status}, and continues`, async () => {
    const server = connectTo(['a', 'b', 'c'], (id) => (id === 'a' ? answerTrace(id) : refuse(code, status)))
    const { read } = openServerCalls(server, query, { isFollowed: true, onTrouble })
    const { calls } = await read()
    assert.equal(
      calls.map(({ request_id: id, violations }) => [id, violations]),
      [
        ['a', hits.violations],
        ['b', undefined],
        ['c', undefined],
      ],
    )
    assert.equal(await read(), { calls: [], isMore: false })
    assert.equal(server.cursors, ['', '1.a-a-a'])
  })

  source(`shows calls as listed, then rejects, when the answer to the only trace is ${status}`, async () => {
    const { read } = openServerCalls(
      connectTo(['a'], () => refuse(code, status)),
      { ...query, requestId: 'a' },
      { isFollowed: false, onTrouble },
    )
    const { calls, isMore } = await read()
    assert.equal([calls.map(({ request_id: id }) => id), isMore], [['a'], true])
    const error = await read().catch((thrown: unknown) => thrown)
    assert.is(isSvcError(error) && error.code, code)
  })
}

source('shows a call as listed when its line was deleted meanwhile', async () => {
  for (const isFollowed of [true, false]) {
    const server = connectTo(['a', 'b'], (id) => (id === 'a' ? refuse('not_found', 404) : answerTrace(id)))
    const { calls, isMore } = await openServerCalls(server, query, { isFollowed, onTrouble }).read()
    assert.equal([calls.map(({ violations }) => violations), isMore], [[undefined, hits.violations], false])
  }
})

source('rejects with any other refusal', async () => {
  const { read } = openServerCalls(
    connectTo(['a'], () => refuse('internal_error', 500)),
    query,
    { isFollowed: true, onTrouble },
  )
  const error = await read().catch((thrown: unknown) => thrown)
  assert.is(isSvcError(error) && error.code, 'internal_error')
})

source.run()
