import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { toChildEnvironment } from '../../config.js'
import { reasonOf } from '../../runtime/reason.js'
import { toPrintable } from '../../text/words.js'
import type { CaughtSignals } from './catch-signals.js'

/** Exit codes as in shells, for a signal, a program that is not found, and one that cannot run. */
const signalOffset = 128
const notFound = 127
const notRunnable = 126

/** Runs a program with these variables added to the environment, and with our standard streams. Returns its exit code. */
export async function runProgram(
  name: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  signals: CaughtSignals,
): Promise<number> {
  const stoppedBy = signals.pending()
  if (stoppedBy !== undefined) return toExitCode(null, stoppedBy)
  let child: ChildProcess
  try {
    child = spawn(name, args, { stdio: 'inherit', env: toChildEnvironment(variables) })
    signals.forwardTo((signal) => child.kill(signal))
    const [code, signal] = await once(child, 'exit')
    return toExitCode(code, signal)
  } catch (error) {
    process.stderr.write(`svc: ${toPrintable(name)} cannot be run: ${describe(error)}.\n`)
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? notFound : notRunnable
  }
}

function describe(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'the program is not found' : reasonOf(error)
}

function toExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? signalOffset + (signal === null ? 0 : constants.signals[signal])
}
