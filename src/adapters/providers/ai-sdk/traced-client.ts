import type { Tracing } from '../../../ports/tracing.js'
import type { HttpClient } from './http-client.js'

/** Sends the position in a trace with each request to the vendor, which has a span of its own if an SDK records them. */
export function traceClient(client: HttpClient, parent: string | undefined, tracing: Tracing | undefined): HttpClient {
  if (parent === undefined && tracing === undefined) return client
  const exchange = (traceparent: string | undefined, ...[request, limits]: Parameters<HttpClient['exchange']>) => {
    const headers = traceparent === undefined ? request.headers : { ...request.headers, traceparent }
    return client.exchange({ ...request, headers }, limits)
  }
  return {
    ...client,
    exchange(request, limits) {
      if (tracing === undefined) return exchange(parent, request, limits)
      const { method, url } = request
      const attributes = { 'http.request.method': method, 'server.address': new URL(url).hostname }
      return tracing.run({ name: method, kind: 'client', parent, attributes }, async (span) => {
        const response = await exchange(span.traceparent, request, limits)
        span.set('http.response.status_code', response.status)
        return response
      })
    },
  }
}
