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

errors('of the system are answered with 503 if a retry may succeed, and show nothing', async () => {
  let code = ''
  const server = await startServer(routes, {
    fail: () => {
      throw Object.assign(new Error(`${code}: open /secret/path`), { code })
    },
  })
  for (code of ['EMFILE', 'EAGAIN', 'ENOSPC', 'EROFS', 'ENOENT']) {
    const [status, error, retryAfter] = code === 'ENOENT' ? [500, 'internal_error', null] : [503, 'unavailable', '5']
    const response = await server.send('GET', `/fail/${code}`)
    const text = await response.text()
    assert.equal([response.status, JSON.parse(text).error.code], [status, error], code)
    assert.is(response.headers.get('retry-after'), retryAfter)
    assert.not.match(text, 'secret')
    assert.is(server.entries.at(-1)?.status, status)
  }
  await server.close()
})

errors.run()
