/** Resolves with the first of these signals. After that, a signal ends the process as by default. */
export function nextSignal(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      for (const other of signals) process.off(other, onSignal)
      resolve(signal)
    }
    for (const signal of signals) process.on(signal, onSignal)
  })
}
