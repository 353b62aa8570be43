import ora from 'ora'

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
