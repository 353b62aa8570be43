import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Context, SpanContext } from '@opentelemetry/api'
import type { SpanStart, Tracing } from '../ports/tracing.js'
import { ifInstalled } from '../runtime/reason.js'

type Api = typeof import('@opentelemetry/api')

/** The key of the global object in which versions 1.x of the API keep the SDK that an operator has started. */
const registry = Symbol.for('opentelemetry.js.api.1')

/**
 * Returns the tracing of the SDK that was started before this program, such as with `node --require`. Without one nothing is
 * loaded.
 */
export function findTracing(
  version: string,
  places: readonly string[] = [import.meta.url, join(process.cwd(), 'package.json')],
): Tracing | undefined {
  const started = (globalThis as { [registry]?: { readonly trace?: unknown } })[registry]
  if (started?.trace === undefined) return undefined
  for (const place of places) {
    const api = ifInstalled<Api>(() => createRequire(place)('@opentelemetry/api'))
    if (api !== undefined) return createTracing(api, version)
  }
  return undefined
}

function createTracing(api: Api, version: string): Tracing {
  const tracer = api.trace.getTracer('svc', version)
  const kinds = { server: api.SpanKind.SERVER, consumer: api.SpanKind.CONSUMER, client: api.SpanKind.CLIENT }

  function toContext(parent: string | undefined): Context {
    if (parent === undefined) return api.ROOT_CONTEXT
    const [, traceId = '', spanId = '', flags = '0'] = parent.split('-')
    const traceFlags = Number.parseInt(flags, 16)
    return api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
  }

  function toTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
    return `00-${traceId}-${spanId}-${(traceFlags & 0xff).toString(16).padStart(2, '0')}`
  }

  return {
    run({ name, kind, parent, attributes }: SpanStart, work) {
      const outer = toContext(parent)
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, outer)
      const own = span.spanContext()
      const traceparent = api.isSpanContextValid(own) ? toTraceparent(own) : parent
      // The SDK may find the span of a query or of another library by it.
      return api.context.with(api.trace.setSpan(outer, span), async () => {
        try {
          return await work({ traceparent, set: (attribute, value) => void span.setAttribute(attribute, value) })
        } catch (error) {
          // Without the message, which may quote a model service.
          if (error instanceof Error) span.setAttribute('error.type', 'code' in error ? `${error.code}` : error.name)
          span.setStatus({ code: api.SpanStatusCode.ERROR })
          throw error
        } finally {
          span.end()
        }
      })
    },
  }
}
