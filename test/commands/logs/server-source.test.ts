import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLocalTransport } from '../../../src/client/transport.js'
import type { Connection } from '../../../src/commands/client/connect.js'
import { openServerSource } from '../../../src/commands/logs/server-source.js'
import { isSvcError } from '../../../src/errors.js'

const source = suite('calls of a server')

const query = { withOwn: false }
const call = { time: '2026-10-20T08:00:00.000Z', method: 'POST', path: '/x', status: 422, duration_ms: 1 }
const hits = { violations: [{ rule: 'type', path: '/x', sentence: 'It must be of another type.' }], warnings: [] }

/** Lists calls with these IDs first and none later; `trace` answers for each of them. */
function connectTo(
  ids: readonly string[],
  trace: (id: string) => Response,
): Connection & { readonly cursors: string[] } {
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
  return { transport, key: 'k', flags: '', close: async () => {}, cursors }
}

const answerTrace = (id: string) => Response.json({ ...call, request_id: id, ...hits })
function refuse(code: string, status: number): Response {
  const headers = { 'retry-after': '0' }
  return Response.json({ error: { code, message: 'Not now.', request_id: 'r' } }, { status, headers })
}

source('shows rules, and goes on behind what was shown', async () => {
  const connection = connectTo(['a', 'b'], answerTrace)
  const { read } = openServerSource(connection, query, true)
  const { calls, isMore } = await read()
  assert.equal([calls.map(({ violations }) => violations), isMore], [[hits.violations, hits.violations], false])
  assert.equal(await read(), { calls: [], isMore: false })
  assert.equal(connection.cursors, ['', '1.a-a-a'])
})

for (const [code, status] of [
  ['rate_limit_exceeded', 429],
  ['unavailable', 503],
] as const) {
  source(`shows calls as they are listed when a trace is answered ${status}, and goes on`, async () => {
    const connection = connectTo(['a', 'b', 'c'], (id) => (id === 'a' ? answerTrace(id) : refuse(code, status)))
    const { read } = openServerSource(connection, query, true)
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
    assert.equal(connection.cursors, ['', '1.a-a-a'])
  })

  source(`shows the calls and says why they are not whole when a trace is answered ${status}`, async () => {
    const { read } = openServerSource(
      connectTo(['a'], () => refuse(code, status)),
      { ...query, requestId: 'a' },
      false,
    )
    const { calls, isMore } = await read()
    assert.equal([calls.map(({ request_id: id }) => id), isMore], [['a'], true])
    const error = await read().catch((thrown: unknown) => thrown)
    assert.is(isSvcError(error) && error.code, code)
  })
}

source('shows a call as it is listed when its line was deleted meanwhile', async () => {
  for (const isFollowed of [true, false]) {
    const connection = connectTo(['a', 'b'], (id) => (id === 'a' ? refuse('not_found', 404) : answerTrace(id)))
    const { calls, isMore } = await openServerSource(connection, query, isFollowed).read()
    assert.equal([calls.map(({ violations }) => violations), isMore], [[undefined, hits.violations], false])
  }
})

source('ends with any other refusal', async () => {
  const { read } = openServerSource(
    connectTo(['a'], () => refuse('internal_error', 500)),
    query,
    true,
  )
  const error = await read().catch((thrown: unknown) => thrown)
  assert.is(isSvcError(error) && error.code, 'internal_error')
})

source.run()
