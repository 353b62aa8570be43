import { Refusal } from '../../client/client.js'
import { type CommandResult, Interrupted } from '../command.js'
import { escapeControls, toPrintable } from '../output/words.js'
import { type Connection, connect, type FolderUse, type ServerFlags } from './connect.js'

/** What asking again with the same words will not change: the answer is no. All else could not be done. */
const answersNo: readonly string[] = ['invalid_request', 'not_found', 'conflict', 'gone']

/**
 * Runs a command on a connection and closes it, whatever happens. A refusal is told, not thrown. Only a command that
 * makes something may be the first on a data folder.
 */
export async function withConnection(
  flags: ServerFlags,
  work: (connection: Connection) => Promise<CommandResult>,
  folder: FolderUse = 'existing',
): Promise<CommandResult> {
  const connection = await connect(flags, folder)
  try {
    return await work(connection)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return tellRefusal(error, flags.json === true)
  } finally {
    await connection.close()
  }
}

function tellRefusal({ code, message, requestId }: Refusal, json: boolean): CommandResult {
  if (json) printJson({ error: { code, message, request_id: requestId ?? null } })
  const id = requestId === undefined ? '' : ` (request ID ${toPrintable(requestId)})`
  process.stderr.write(`svc: ${toPrintable(message)}${id}\n`)
  return answersNo.includes(code) ? 1 : 2
}

export function printJson(document: unknown): void {
  process.stdout.write(`${escapeControls(JSON.stringify(document))}\n`)
}

/** Prints lines that may hold a text of the service. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${toPrintable(line)}\n`).join(''))
}

/**
 * Runs `work` so that Ctrl-C ends it: `onInterrupt` is told first, and `Interrupted` is thrown for the root command to
 * end the process as the signal would have.
 */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onInterrupt: () => void,
): Promise<T> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    onInterrupt()
    controller.abort(new Interrupted(name))
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
}
