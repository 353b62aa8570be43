import { buy } from './buy.js'
import type { Answer, Sending } from './exchange.js'
import { judgeGarbage } from './failure.js'
import { download, look } from './look.js'
import type { Orders } from './vendor.js'
import { fail, type WireParts } from './wire-parts.js'

/** What the SDK reaches a model service with, in one attempt. */
export interface Wire {
  readonly fetch: typeof fetch
  /** Copies a result. */
  download(url: URL): Promise<Uint8Array>
}

/**
 * A `fetch` that buys once: what is to be bought is in the journal before it is sent, and an order of an earlier attempt
 * is answered from there. It gives the SDK nothing but successes, and of an order only what it has come to: errors, waiting
 * and asking again are done here, since the SDK would lose their reasons, or buy again. Throws ProviderError.
 */
export function openWire(parts: WireParts): Wire {
  const { orders, isClip } = parts
  return {
    download: (url) => download(parts, url),
    async fetch(input, init) {
      const request = new Request(input, init)
      const sending = { ...(await toSending(request)), url: parts.locate(request.url) }
      if (sending.method !== 'GET') return orders ? order(parts, orders, sending) : reply(await buy(parts, sending))
      if (isClip) return reply(await look(parts, sending))
      return new Response(Buffer.from(await download(parts, new URL(sending.url))))
    },
  }
}

async function order(parts: WireParts, orders: Orders, sending: Sending): Promise<Response> {
  const { journal, baseUrl } = parts
  if (journal.job === undefined) {
    const job = orders.keep((await buy(parts, sending)).json)
    if (job === undefined) throw await fail(parts, judgeGarbage('an order was answered without its ID'))
    await journal.keep(job)
  }
  parts.onOrdered()
  const job = journal.job ?? {}
  const url = parts.isClip ? undefined : orders.findUrl?.(job, baseUrl)
  if (url === undefined) return Response.json(orders.replay(job, baseUrl))
  const { authorization = '' } = sending.headers
  return reply(await look(parts, { url, method: 'GET', headers: { authorization }, body: null }))
}

async function toSending(request: Request): Promise<Sending> {
  const { url, method, headers } = request
  const body = method === 'GET' ? null : Buffer.from(await request.arrayBuffer())
  return { url, method, headers: Object.fromEntries(headers), body }
}

function reply({ body }: Answer): Response {
  return new Response(Buffer.from(body), { headers: { 'content-type': 'application/json' } })
}
