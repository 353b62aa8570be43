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
 */
export function createNodeHandler(app: H3) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await app.fetch(new NodeRequest({ req: request, res: response }))
    if (!(answer instanceof WholeAnswer)) return sendNodeResponse(response, answer)
    const { content, fields, statusCode } = answer
    if (content === undefined) response.writeHead(statusCode, fields).end()
    else response.writeHead(statusCode, { ...fields, 'content-length': Buffer.byteLength(content) }).end(content)
  }
}
