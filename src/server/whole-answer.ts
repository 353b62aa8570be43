import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { H3 } from 'h3'
import { FastResponse } from 'srvx'
import { NodeRequest, sendNodeResponse } from 'srvx/node'

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

/**
 * Serves an app on Node's own requests. Head and text of a whole answer leave in one write; h3's adapter takes two and
 * waits for them to end.
 *
 * Answers are sent at the end of the turn of the event loop, those of all calls in a row: with a write after each, making
 * them took half as much time again, most likely because a write wakes a caller that sleeps.
 */
export function createNodeHandler(app: H3) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await app.fetch(new NodeRequest({ req: request, res: response }))
    if (answer instanceof WholeAnswer) setImmediate(send, response, answer)
    else await sendNodeResponse(response, answer)
  }
}

function send(response: ServerResponse, { content, fields, statusCode }: WholeAnswer): void {
  if (content === undefined) response.writeHead(statusCode, fields).end()
  else response.writeHead(statusCode, { ...fields, 'content-length': Buffer.byteLength(content) }).end(content)
}
