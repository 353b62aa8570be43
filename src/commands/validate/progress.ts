import ora from 'ora'

/** A line on a terminal that says how far a long check has come. */
export interface Progress {
  readonly tell: (payloads: number) => void
  readonly stop: () => void
}

/** Starts the line on `stream`; it leaves nothing behind when it stops. */
export function startProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const spinner = ora({ stream, isEnabled: true, discardStdin: false, hideCursor: false }).start('checking')
  return {
    tell: (payloads) => {
      spinner.text = `${payloads.toLocaleString('en-US')} payloads checked`
      spinner.render()
    },
    stop: () => {
      spinner.stop()
    },
  }
}
