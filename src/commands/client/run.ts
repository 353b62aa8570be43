import { Refusal } from '../../client/client.js'
import { toJsonText, toPrintable } from '../../text/words.js'
import { type CommandResult, Interrupted } from '../command.js'
import { connect, type FolderUse, type ServerFlags, type ServiceConnection } from './connect.js'

/** Errors that a retry of the same command cannot change: exit code 1. Others are 2. */
const finalCodes: readonly string[] = ['invalid_request', 'not_found', 'conflict', 'gone']

/** Runs a command on a connection, which it closes afterwards. Prints a refusal instead of throwing it. */
export async function withConnection(
  folder: FolderUse,
  flags: ServerFlags,
  work: (connection: ServiceConnection) => Promise<CommandResult>,
): Promise<CommandResult> {
  const connection = await connect(flags, folder)
  try {
    return await work(connection)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return printRefusal(error, flags.json === true)
  } finally {
    await connection.close()
  }
}

function printRefusal({ code, message, requestId }: Refusal, json: boolean): CommandResult {
  if (json) printJson({ error: { code, message, request_id: requestId ?? null } })
  const id = requestId === undefined ? '' : ` (request ID ${toPrintable(requestId)})`
  process.stderr.write(`svc: ${toPrintable(message)}${id}\n`)
  return finalCodes.includes(code) ? 1 : 2
}

/** Prints a response: with `--json` the document, else the lines. Returns the exit code 0. */
export function printAnswer({ json }: { readonly json?: true }, document: unknown, lines: readonly string[]): 0 {
  if (json) printJson(document)
  else printLines(lines)
  return 0
}

export function printJson(document: unknown): void {
  process.stdout.write(`${toJsonText(document)}\n`)
}

/** Prints lines that may contain text of the service. */
export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${toPrintable(line)}\n`).join(''))
}

/**
 * Runs `work` until Ctrl-C, which calls `onInterrupt` and aborts the signal with `Interrupted`. The root command then ends the
 * process by the same signal.
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
