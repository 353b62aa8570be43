import ora from 'ora'

/** A line on a terminal that counts the checked payloads of a long run. */
export interface Progress {
  readonly update: (payloads: number) => void
  readonly stop: () => void
}

/** Starts the line on `stream`; `stop` clears it. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const spinner = ora({ stream, isEnabled: true, discardStdin: false, hideCursor: false }).start('checking')
  return {
    update: (payloads) => {
      spinner.text = `${payloads.toLocaleString('en-US')} payloads checked`
      spinner.render()
    },
    stop: () => {
      spinner.stop()
    },
  }
}
