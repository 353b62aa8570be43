import { toPrintable } from '../output/words.js'
import { listUnits, type TaskRecord, type UnitResult } from './resources.js'

/** Shows people how far a task is, one line a pose, on standard error. */
export interface TaskProgress {
  tell(task: TaskRecord): void
  warn(message: string): void
  stop(): void
}

/** Lines that change in place on a terminal; elsewhere one line whenever a pose ends. */
export async function startTaskProgress(stream: NodeJS.WriteStream = process.stderr): Promise<TaskProgress> {
  // Without a width the spinner would clear lines without end.
  if (!stream.isTTY || stream.columns < 40) return startLines(stream)
  // Loaded when there is somebody to watch.
  const { startSpinner } = await import('./spinner.js')
  return startSpinner(stream)
}

function startLines(stream: NodeJS.WriteStream): TaskProgress {
  const told = new Set<string>()
  return {
    tell(task) {
      for (const [pose, image] of listUnits(task)) {
        if (told.has(pose) || !isEnd(image.status)) continue
        told.add(pose)
        stream.write(`${describeUnit(pose, image)}\n`)
      }
    },
    warn: (message) => {
      stream.write(`svc: ${toPrintable(message)}\n`)
    },
    stop() {},
  }
}

const marks: Readonly<Record<string, string>> = { success: '✓', failed: '✗', processing: '…' }

/** A pose in one line. */
export function describeUnit(pose: string, { status, error_message }: UnitResult): string {
  const reason = error_message === null ? '' : `: ${error_message}`
  return toPrintable(`  ${marks[status] ?? ' '} ${pose} ${status}${reason}`)
}

function isEnd(status: string): boolean {
  return status === 'success' || status === 'failed'
}
