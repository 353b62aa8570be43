import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { H3 } from 'h3'
import { FastResponse } from 'srvx'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { badRequest, refuseUnreadable } from './unreadable.js'

/** An answer whose text is known when it is made; a web response for whoever calls in process. */
export class WholeAnswer extends FastResponse {
  readonly statusCode: number
  readonly fields: Readonly<Record<string, string>>
  readonly content: string | undefined

  constructor(status: number, fields: Readonly<Record<string, string>>, text?: string) {
    super(text ?? null, { status, statusText: STATUS_CODES[status] ?? '', headers: fields })
    this.statusCode = status
    this.fields = fields
    this.content = text
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Sending {
  readonly response: ServerResponse
  readonly answer: WholeAnswer
}

/**
 * Serves an app on Node's own requests. Head and text of a whole answer leave in one write; h3's adapter takes two and
 * waits for them to end.
 *
 * The requests that came in one turn of the event loop are answered in a row when all are read: that costs a fifth less
 * time, most likely because the code then stays in the caches of the processor. Then the answers are sent in a row: with a
 * write after each, making them took half as much time again, most likely because a write wakes a caller that sleeps.
 */
export function createNodeHandler(app: H3) {
  let exchanges: Exchange[] = []
  let sendings: Sending[] = []

  function answerAll(): void {
    const ready = exchanges
    exchanges = []
    for (const exchange of ready) answer(exchange).catch(() => giveUp(exchange))
  }

  async function answer({ request, response }: Exchange): Promise<void> {
    const answer = await app.fetch(new NodeRequest({ req: request, res: response }))
    if (!(answer instanceof WholeAnswer)) return sendNodeResponse(response, answer)
    // Its turn comes when no promise is left to go on.
    if (sendings.length === 0) process.nextTick(sendAll)
    sendings.push({ response, answer })
  }

  function sendAll(): void {
    const ready = sendings
    sendings = []
    for (const { response, answer } of ready) {
      try {
        send(response, answer)
      } catch {
        // The others of this turn get theirs.
        response.destroy()
      }
    }
  }

  return (request: IncomingMessage, response: ServerResponse): void => {
    if (exchanges.length === 0) setImmediate(answerAll)
    exchanges.push({ request, response })
  }
}

/** What cannot be made a call of: h3 answers all else that goes wrong. Nothing a caller sends may end the process. */
function giveUp({ request, response }: Exchange): void {
  if (response.headersSent || response.destroyed) response.destroy()
  else refuseUnreadable(request.socket, badRequest)
}

function send(response: ServerResponse, { content, fields, statusCode }: WholeAnswer): void {
  const head: string[] = []
  for (const name in fields) head.push(name, fields[name] ?? '')
  if (content === undefined) {
    response.writeHead(statusCode, head).end()
    return
  }
  const bytes = Buffer.byteLength(content)
  head.push('content-length', String(bytes))
  // A text of ASCII is written faster as latin1, which says the same.
  response.writeHead(statusCode, head).end(content, bytes === content.length ? 'latin1' : 'utf8')
}
