import { type AttemptContext, fail } from './attempt-context.js'
import { buy } from './buy.js'
import { judgeUnusable } from './failure.js'
import type { OutgoingRequest, VendorResponse } from './http-client.js'
import { restoreFile } from './parse-response.js'
import { download, pollOrder } from './poll-order.js'
import type { OrderProtocol } from './vendor.js'

/** The SDK's access to a vendor during one attempt. */
export interface VendorTransport {
  readonly fetch: typeof fetch
  /** Downloads a result. */
  download(url: URL): Promise<Uint8Array>
  /** Returns the file of the last response that a result of the SDK is a placeholder of; other results as they are. */
  restore(result: Uint8Array): Uint8Array
}

/**
 * Returns a `fetch` that buys once: the journal records a purchase before it is sent, and a repeated order is answered from
 * the journal. The SDK sees only successes, and of an order only its end: errors, waits and polls are handled here, because
 * the SDK would lose their reasons or buy again. Throws ProviderError.
 */
export function openTransport(context: AttemptContext): VendorTransport {
  const { orders, isClip } = context
  let files: VendorResponse['files'] = []
  const reply = (response: VendorResponse): Response => {
    files = response.files
    return Response.json(response.json)
  }
  const order = async (protocol: OrderProtocol, request: OutgoingRequest): Promise<Response> => {
    const { journal, baseUrl } = context
    if (journal.order === undefined) {
      const reference = protocol.keep((await buy(context, request)).json)
      if (reference === undefined) throw await fail(context, judgeUnusable('the response to an order has no ID'))
      await journal.keep(reference)
    }
    context.onOrdered()
    const reference = journal.order ?? {}
    const url = isClip ? undefined : protocol.findUrl?.(reference, baseUrl)
    if (url === undefined) return Response.json(protocol.replay(reference, baseUrl))
    const { authorization = '' } = request.headers
    return reply(await pollOrder(context, { url, method: 'GET', headers: { authorization }, body: null }))
  }
  return {
    download: (url) => download(context, url),
    restore: (result) => restoreFile(result, files),
    async fetch(input, init) {
      const request = await toOutgoing(new Request(input, init), context)
      if (request.method !== 'GET') {
        return orders ? order(orders, request) : reply(await buy(context, request))
      }
      if (isClip) return reply(await pollOrder(context, request))
      return new Response(Buffer.from(await download(context, new URL(request.url))))
    },
  }
}

async function toOutgoing(request: Request, { locate }: AttemptContext): Promise<OutgoingRequest> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return { url: locate(url), method, headers: Object.fromEntries(headers), body }
}
