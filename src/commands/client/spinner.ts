import ora from 'ora'
import { createPaint } from '../../runtime/style.js'
import { toPrintable } from '../../text/words.js'
import { describeUnit, listUnits, paintMarks, type TaskRecord } from './resources.js'

/** Shows the progress of a task, one line per pose or scene. */
export interface TaskProgress {
  update(task: TaskRecord): void
  warn(message: string): void
  stop(): void
}

/** Shows lines that are updated in place, with a spinner before the first. */
export function startSpinner(stream: NodeJS.WriteStream): TaskProgress {
  const paint = createPaint(stream)
  const spinner = ora({ stream, text: 'waiting', isEnabled: true, discardStdin: false }).start()
  return {
    update(task) {
      const units = listUnits(task).map(([name, unit]) => paintMarks(describeUnit(name, unit), paint))
      spinner.text = [toPrintable(`${task.task_id} ${task.status}`), ...units].join('\n')
      spinner.suffixText = ''
    },
    warn(message) {
      spinner.suffixText = `\n${toPrintable(message)}`
    },
    stop: () => {
      spinner.stop()
    },
  }
}

/** A line on a terminal that counts the checked payloads of a long run. */
export type ProgressLine = ReturnType<typeof startProgress>

/** Starts the line on `stream`; `stop` clears it. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr) {
  const spinner = ora({ stream, isEnabled: true, discardStdin: false, hideCursor: false }).start('checking')
  return {
    update: (payloads: number) => {
      spinner.text = `${payloads.toLocaleString('en-US')} payloads checked`
      spinner.render()
    },
    stop: () => {
      spinner.stop()
    },
  }
}
