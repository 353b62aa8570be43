import { type AttemptContext, fail } from './attempt-context.js'
import { buy } from './buy.js'
import { judgeUnusable } from './failure.js'
import type { OutgoingRequest, VendorResponse } from './http-client.js'
import { download, pollOrder } from './poll-order.js'
import type { OrderProtocol } from './vendor.js'

/** The SDK's access to a vendor during one attempt. */
export interface Transport {
  readonly fetch: typeof fetch
  /** Downloads a result. */
  download(url: URL): Promise<Uint8Array>
}

/**
 * Returns a `fetch` that buys once: the journal records a purchase before it is sent, and a repeated order is answered from
 * the journal. The SDK sees only successes, and of an order only its end: errors, waits and polls are handled here, because
 * the SDK would lose their reasons or buy again. Throws ProviderError.
 */
export function openTransport(context: AttemptContext): Transport {
  const { orders, isClip } = context
  return {
    download: (url) => download(context, url),
    async fetch(input, init) {
      const request = await toOutgoing(new Request(input, init), context)
      if (request.method !== 'GET') {
        return orders ? order(context, orders, request) : reply(await buy(context, request))
      }
      if (isClip) return reply(await pollOrder(context, request))
      return new Response(Buffer.from(await download(context, new URL(request.url))))
    },
  }
}

async function order(context: AttemptContext, orders: OrderProtocol, request: OutgoingRequest): Promise<Response> {
  const { journal, baseUrl } = context
  if (journal.order === undefined) {
    const reference = orders.keep((await buy(context, request)).json)
    if (reference === undefined) throw await fail(context, judgeUnusable('the response to an order has no ID'))
    await journal.keep(reference)
  }
  context.onOrdered()
  const reference = journal.order ?? {}
  const url = context.isClip ? undefined : orders.findUrl?.(reference, baseUrl)
  if (url === undefined) return Response.json(orders.replay(reference, baseUrl))
  const { authorization = '' } = request.headers
  return reply(await pollOrder(context, { url, method: 'GET', headers: { authorization }, body: null }))
}

async function toOutgoing(request: Request, { locate }: AttemptContext): Promise<OutgoingRequest> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return { url: locate(url), method, headers: Object.fromEntries(headers), body }
}

function reply({ body }: VendorResponse): Response {
  return new Response(Buffer.from(body), { headers: { 'content-type': 'application/json' } })
}
