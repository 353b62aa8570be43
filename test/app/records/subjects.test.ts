import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findEndpoint } from '../../../src/app/records/subjects.js'
import { routes } from '../../../src/contract/index.js'
import type { Route } from '../../../src/contract/route.js'

const subjects = suite('subjects of calls')

const creating = Object.values<Route>(routes).filter(({ method, retired }) => method === 'POST' && !retired)
for (const { path, aliases = [], access } of creating) {
  for (const name of [path, ...aliases]) {
    subjects(`looks ${name} up where it is booked`, () => {
      assert.is(findEndpoint(name), typeof access === 'object' ? access.group : undefined)
    })
  }
}

subjects('knows that nothing is booked under other paths', () => {
  for (const path of ['/v1/models', '/_svc/requests', '/demo', '/v1/home-insights']) {
    assert.is(findEndpoint(path), undefined)
  }
})

subjects.run()
