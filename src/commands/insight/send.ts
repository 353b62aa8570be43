import { memberOf, postJson, requireOurs, type Server, type ServerAnswer } from '../../client/client.js'
import { SvcError } from '../../errors.js'
import { readAllPayloads } from '../../payload-files/payloads.js'
import { findSources } from '../../payload-files/sources.js'
import { toJsonText, toPrintable } from '../../text/words.js'
import type { CommandResult } from '../command.js'

const path = '/v1/health-detail-insights/generate'

/** A payload and the answer to it. */
interface SentPayload extends Pick<ServerAnswer, 'status' | 'requestId' | 'body'> {
  readonly source: string
  readonly index: number
}

/**
 * `svc insight send`: posts every payload of a file to a server and prints the answers.
 * Returns 0 if all were accepted, 1 if some were refused. Throws an SvcError if the file or the server cannot be
 * reached.
 */
export async function runSend(file: string, server: Server, json: boolean): Promise<CommandResult> {
  const sent: SentPayload[] = []
  for (const found of await findSources([file])) {
    if (found.source === undefined) throw new SvcError('not_found', found.problem)
    const source = found.source.name
    for await (const item of readAllPayloads(found.source)) {
      const answer = await postJson(server, path, item.text)
      requireOurs(server, answer)
      const { status, requestId, body } = answer
      const one = { source, index: item.index, status, requestId, body }
      sent.push(one)
      if (!json) printAnswer(one)
    }
  }
  if (json) process.stdout.write(`${toJsonText({ results: sent })}\n`)
  return sent.every(({ status }) => status < 300) ? 0 : 1
}

function printAnswer({ source, index, status, requestId, body }: SentPayload): void {
  const summary = memberOf(body, 'summary')
  if (status < 300 && summary !== undefined) {
    process.stdout.write(`${toPrintable(toText(summary))}\n`)
    return
  }
  const error = memberOf(body, 'error')
  const code = toText(memberOf(error, 'code') ?? 'no error envelope')
  const message = toText(memberOf(error, 'message') ?? (typeof body === 'string' ? 'the answer is not JSON' : body))
  const id = toText(memberOf(error, 'request_id') ?? requestId ?? 'none')
  const hint = status === 422 ? ` "svc validate ${source}" shows what is wrong.` : ''
  const line = `${source} #${index}: ${status} ${code}: ${message} (request ID ${id}).${hint}`
  process.stderr.write(`svc: ${toPrintable(line)}\n`)
}

const maxShown = 200

/** Formats a value that should be a text; a server may send any type and any length. */
function toText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxShown)
}
