import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery, Outcome } from '../pipeline/progress.js'

/** A response that is broken on purpose. Also a web response, for calls in process: its body then fails. */
export class BrokenResponse extends Response {
  constructor(
    status: number,
    private readonly fields: Readonly<Record<string, string>>,
    private readonly content: Buffer,
    private readonly delivery: Delivery,
  ) {
    super(toStream(content, delivery), { status, headers: fields })
  }

  sendTo(response: ServerResponse): void {
    const { content, delivery, fields } = this
    if (delivery.kind === 'drop') {
      response.destroy()
      return
    }
    const [first, second] = halve(content)
    response.writeHead(this.status, { ...fields, 'content-length': content.length })
    // The first half must be on its way before the rest of the response is decided.
    response.write(first, () => {
      if (delivery.kind === 'cut') return response.destroy()
      const timer = setTimeout(() => response.end(second), delivery.ms)
      response.once('close', () => clearTimeout(timer))
    })
  }
}

/** Breaks a response as its fault rule says. */
export async function breakAnswer(
  { status, body, json, stream }: Outcome,
  headers: Readonly<Record<string, string>>,
  delivery: Delivery,
): Promise<BrokenResponse> {
  if (stream !== undefined) {
    const bytes = Buffer.from(await new Response(stream).arrayBuffer())
    return new BrokenResponse(status, headers, bytes, delivery)
  }
  const text = body === undefined ? '' : (json ?? JSON.stringify(body))
  const fields = body === undefined ? headers : { ...headers, 'content-type': 'application/json; charset=utf-8' }
  // Statuses without a body, such as 204, do not allow a stream.
  return new BrokenResponse(delivery.kind === 'drop' ? 200 : status, fields, Buffer.from(text), delivery)
}

function halve(bytes: Buffer): [Buffer, Buffer] {
  const middle = Math.floor(bytes.length / 2)
  return [bytes.subarray(0, middle), bytes.subarray(middle)]
}

function toStream(bytes: Buffer, delivery: Delivery): ReadableStream<Uint8Array> {
  const [first, second] = halve(bytes)
  let isSent = false
  const end = new AbortController()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!isSent && delivery.kind !== 'drop' && first.length > 0) {
          isSent = true
          controller.enqueue(first)
        } else if (delivery.kind === 'stall') {
          await delay(delivery.ms, undefined, { signal: end.signal })
          if (second.length > 0) controller.enqueue(second)
          controller.close()
        } else {
          controller.error(new Error('A fault rule closed the connection before the end of the response.'))
        }
      },
      cancel: () => end.abort(),
    },
    { highWaterMark: 0 },
  )
}
