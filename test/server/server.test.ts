import { Type } from 'typebox'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defineRoute } from '../../src/contract/route.js'
import { startServer } from '../helpers/server.js'

const errors = suite('errors of a handler')

const routes = {
  fail: defineRoute({
    method: 'GET',
    path: '/fail/{code}',
    summary: 'Fails',
    access: 'public',
    params: Type.Object({ code: Type.String() }),
    replies: { 200: Type.Unknown() },
  }),
}

for (const [code, status, error] of [
  ['EMFILE', 503, 'unavailable'],
  ['EAGAIN', 503, 'unavailable'],
  ['ENOSPC', 503, 'unavailable'],
  ['EROFS', 503, 'unavailable'],
  ['ENOENT', 500, 'internal_error'],
] as const) {
  errors(`of the system with the code ${code} are answered with ${status} ${error}`, async () => {
    const server = await startServer(routes, {
      fail: () => {
        throw Object.assign(new Error(`${code}: open /secret/path`), { code })
      },
    })
    const response = await server.send('GET', `/fail/${code}`)
    const text = await response.text()
    assert.equal([response.status, JSON.parse(text).error.code], [status, error])
    assert.is(response.headers.get('retry-after'), status === 503 ? '5' : null)
    assert.not.match(text, 'secret')
    assert.is(server.entries[0]?.status, status)
    await server.close()
  })
}

errors.run()
