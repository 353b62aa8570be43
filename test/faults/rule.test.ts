import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fitsRoute, listRoutes } from '../../src/faults/fields.js'
import { asFlag, readCompact, toCompact, toFields, toRule } from '../../src/faults/rule.js'
import { toMs } from '../../src/text/time.js'

const rules = suite('fault rule')

rules('reads and writes the compact form', () => {
  for (const text of [
    'route=POST /v1/pet-avatar/generate,status=503,times=1',
    'pet=tom,pose=sitting,code=provider_error,times=2',
    'user=a\\,b\\\\c=d,never-ends',
    'user=a\\ times=b,never-ends',
    'caller=ci,status=429,retry-after=7,delay=8s,share=2.5%,for=5m',
  ]) {
    assert.is(toCompact(readCompact(text, asFlag)), text)
  }
  assert.equal(readCompact(' for=5m, status = 500 ', asFlag), { status: '500', for: '5m' })
})

rules('reads fields of any spelling and type', () => {
  const fields = toFields({ retry_after: 3, status: 429, 'never-ends': false, pet: null, share: 100 }, asFlag)
  assert.equal(fields, { status: '429', 'retry-after': '3', share: '100%' })
})

rules('makes effects and bounds of fields', () => {
  const { match, effect, delayMs, times, every, share, lifeMs } = toRule(
    readCompact('pet=tom,status=429,delay=200ms,times=3,every=2,share=10%,for=90s', asFlag),
    asFlag,
  )
  assert.equal(match, { pet: 'tom' })
  assert.equal(effect, { kind: 'status', status: 429, retryAfterSeconds: 1 })
  assert.equal(
    { delayMs, times, every, share, lifeMs },
    { delayMs: 200, times: 3, every: 2, share: 0.1, lifeMs: 90_000 },
  )
})

rules('takes a code for the attempts that fail', () => {
  const { effect } = toRule(readCompact('code=rate_limited,retries=2', asFlag), asFlag)
  assert.equal(effect, { kind: 'retries', attempts: 2, code: 'rate_limited' })
})

rules('fits routes by method, path and beginning', () => {
  const route = 'GET /v1/pet-avatar/tasks/{task_id}'
  assert.ok(listRoutes().includes(route))
  for (const pattern of [route, '/v1/pet-avatar/tasks/{task_id}', 'GET /v1/*', '/v1/pet-avatar/*']) {
    assert.ok(fitsRoute(pattern, route), pattern)
  }
  for (const pattern of ['POST /v1/*', 'GET /v1/pet-avatar', '/v1/pet-animation/*']) {
    assert.not.ok(fitsRoute(pattern, route), pattern)
  }
})

rules('reads times', () => {
  assert.equal(['200ms', '8s', '5m', '1h', '1d', '5', '5 m', '-1s'].map(toMs), [
    ...[200, 8000, 300_000, 3_600_000, 86_400_000],
    ...[undefined, undefined, undefined],
  ])
})

rules.run()
