import { toPrintable } from '../../text/words.js'
import { describeUnit, listUnits } from './resources.js'
import type { TaskProgress } from './spinner.js'

/** Shows the progress of a task on standard error: updates lines in place on a terminal, else prints a line when a unit ends. */
export async function startTaskProgress(stream: NodeJS.WriteStream = process.stderr): Promise<TaskProgress> {
  // Without a width, the spinner would clear lines without end.
  if (!stream.isTTY || stream.columns < 40) return startLines(stream)
  // Loaded only on a terminal.
  const { startSpinner } = await import('./spinner.js')
  return startSpinner(stream)
}

function startLines(stream: NodeJS.WriteStream): TaskProgress {
  const printed = new Set<string>()
  return {
    update(task) {
      for (const [name, unit] of listUnits(task)) {
        if (printed.has(name) || !hasEnded(unit.status)) continue
        printed.add(name)
        stream.write(`${describeUnit(name, unit)}\n`)
      }
    },
    warn: (message) => {
      stream.write(`svc: ${toPrintable(message)}\n`)
    },
    stop() {},
  }
}

function hasEnded(status: string): boolean {
  return status === 'success' || status === 'failed'
}
