/** Resolves on the first of these signals. After that, a signal ends the process as by default. */
export function nextSignal(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of signals) process.off(signal, onSignal)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}
