/** Resolves on the first of these signals. From then on a signal does what it does by default: it ends the process. */
export function nextSignal(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      for (const signal of signals) process.off(signal, onSignal)
      resolve()
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}
