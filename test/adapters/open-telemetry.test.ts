// run: alone
import { context, SpanKind, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findTracing } from '../../src/adapters/open-telemetry.js'
import { SvcError } from '../../src/errors.js'
import { makeForm, startMediaApp } from '../helpers/media.js'
import { type Bench, withBench } from './providers/ai-sdk/bench.js'

const spans = suite('spans of OpenTelemetry')
const recorded = new InMemorySpanExporter()
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parent = `00-${traceId}-b7ad6b7169203331-01`

spans.before(() => {
  assert.is(findTracing('1.0.0'), undefined, 'there is no tracing without an SDK')
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(recorded)] }))
})
spans.before.each(() => recorded.reset())
spans.after(() => {
  trace.disable()
  context.disable()
})

spans('join a call, its units and the trace of the caller', async () => {
  const app = await startMediaApp({ SVC_STUB_FAIL: 'running' })
  const form = await makeForm({ poses: ['sitting', 'running'] })
  await app.send('POST', '/v1/pet-avatar/generate', form, { traceparent: parent })
  await app.idle()
  const found = recorded.getFinishedSpans()
  const [call] = found.filter(({ kind }) => kind === SpanKind.SERVER)
  assert.is(call?.name, 'POST /v1/pet-avatar/generate')
  assert.is(call?.parentSpanContext?.spanId, 'b7ad6b7169203331')
  assert.is(call?.attributes['http.response.status_code'], 200)
  const units = found.filter(({ kind }) => kind === SpanKind.CONSUMER)
  assert.equal(units.map(({ name, attributes }) => [name, attributes['svc.unit'], attributes['error.type']]).sort(), [
    ['unit avatar', 'running', 'provider_error'],
    ['unit avatar', 'sitting', undefined],
  ])
  for (const unit of units) {
    assert.is(unit.spanContext().traceId, traceId)
    assert.is(unit.parentSpanContext?.spanId, call?.spanContext().spanId)
  }
  await app.close()
})

spans('show the requests to a vendor, which gets the position of their span', () => {
  const use = async ({ upstream, attempt }: Bench) => {
    await attempt({ traceparent: parent })
    const [span] = recorded.getFinishedSpans()
    assert.is(span?.kind, SpanKind.CLIENT)
    assert.is(span?.parentSpanContext?.spanId, 'b7ad6b7169203331')
    assert.equal(span?.attributes, {
      'http.request.method': 'POST',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    })
    assert.is(upstream.received[0]?.headers.traceparent, `00-${traceId}-${span?.spanContext().spanId}-01`)
  }
  return withBench('openai image', use, { tracing: findTracing('1.0.0') })
})

spans('name an error by its code, without its message', async () => {
  const tracing = findTracing('1.0.0')
  const start = { name: 'a', kind: 'client', parent: undefined, attributes: {} } as const
  const work = () => Promise.reject(new SvcError('unavailable', 'private'))
  const error = await tracing?.run(start, work).catch((thrown: Error) => thrown)
  assert.is(error?.message, 'private')
  const [span] = recorded.getFinishedSpans()
  assert.equal([span?.attributes, span?.status, span?.events], [{ 'error.type': 'unavailable' }, { code: 2 }, []])
})

spans('are absent where the API is not installed', () => {
  assert.is(findTracing('1.0.0', ['/none/package.json']), undefined)
})
spans.run()
