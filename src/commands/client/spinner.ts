import ora from 'ora'
import { toPrintable } from '../output/words.js'
import { describeUnit, type TaskProgress } from './progress.js'
import { listUnits } from './resources.js'

/** Lines that change in place, with a spinner before the first. */
export function startSpinner(stream: NodeJS.WriteStream): TaskProgress {
  const spinner = ora({ stream, text: 'waiting', isEnabled: true, discardStdin: false }).start()
  return {
    tell(task) {
      const poses = listUnits(task).map(([pose, image]) => describeUnit(pose, image))
      spinner.text = [toPrintable(`${task.task_id} ${task.status}`), ...poses].join('\n')
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
