import { type Answer, postJson, requireOurs, type Server } from '../../client/client.js'
import { SvcError } from '../../errors.js'
import type { CommandResult } from '../command.js'
import { readPayloads } from '../input/payloads.js'
import { findSources } from '../input/sources.js'
import { escapeControls, toPrintable } from '../output/words.js'

const path = '/v1/health-detail-insights/generate'

/** One payload and what became of it. */
interface Sent extends Pick<Answer, 'status' | 'requestId' | 'body'> {
  readonly source: string
  readonly index: number
}

/**
 * `svc insight send`: posts every payload of a file to a server and prints what it answers.
 * Answers 0 all accepted, 1 some refused; throws an SvcError when the file or the server cannot be reached.
 */
export async function runSend(file: string, server: Server, json: boolean): Promise<CommandResult> {
  const sent: Sent[] = []
  for (const found of await findSources([file])) {
    if (found.source === undefined) throw new SvcError('not_found', found.problem)
    const source = found.source.name
    for await (const item of readPayloads(found.source)) {
      if ('problem' in item) throw new SvcError('invalid_request', `${source}: ${item.problem}`)
      const answer = await postJson(server, path, item.text)
      requireOurs(server, answer)
      const { status, requestId, body } = answer
      const one = { source, index: item.index, status, requestId, body }
      sent.push(one)
      if (!json) tell(one)
    }
  }
  if (json) process.stdout.write(`${escapeControls(JSON.stringify({ results: sent }))}\n`)
  return sent.every(({ status }) => status < 300) ? 0 : 1
}

function tell({ source, index, status, requestId, body }: Sent): void {
  const summary = member(body, 'summary')
  if (status < 300 && summary !== undefined) {
    process.stdout.write(`${toPrintable(toText(summary))}\n`)
    return
  }
  const error = member(body, 'error')
  const code = toText(member(error, 'code') ?? 'no error envelope')
  const message = toText(member(error, 'message') ?? (typeof body === 'string' ? 'the answer is no JSON' : body))
  const id = toText(member(error, 'request_id') ?? requestId ?? 'none')
  const hint = status === 422 ? ` "svc validate ${source}" says what is wrong.` : ''
  const line = `${source} #${index}: ${status} ${code}: ${message} (request ID ${id}).${hint}`
  process.stderr.write(`svc: ${toPrintable(line)}\n`)
}

const maxShown = 200

/** What a server sent where a text is expected; it may be anything, and of any length. */
function toText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, maxShown)
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
