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

/** So many answers are sent together at most: the first must not wait for long, nor must all stand in memory. */
const answersPerGroup = 32

/**
 * Serves an app on Node's own requests. Head and text of a whole answer leave in one write; h3's adapter takes two and
 * waits for them to end.
 *
 * The answers made in one turn of the event loop are written one after the other at its end. Each write may wake a caller
 * that sleeps, which throws this processor out of its stride: on a virtual machine what runs next costs twice as much.
 * Written in a row, the first write wakes, and the others find everybody awake.
 */
export function createNodeHandler(app: H3) {
  let made: { readonly response: ServerResponse; readonly answer: WholeAnswer }[] = []

  function sendMade(): void {
    const group = made
    made = []
    for (const { response, answer } of group) send(response, answer)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await app.fetch(new NodeRequest({ req: request, res: response }))
    if (!(answer instanceof WholeAnswer)) return sendNodeResponse(response, answer)
    if (made.length === 0) setImmediate(sendMade)
    if (made.push({ response, answer }) === answersPerGroup) sendMade()
  }
}

function send(response: ServerResponse, { content, fields, statusCode }: WholeAnswer): void {
  if (content === undefined) response.writeHead(statusCode, fields).end()
  else response.writeHead(statusCode, { ...fields, 'content-length': Buffer.byteLength(content) }).end(content)
}
