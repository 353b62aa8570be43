/**
 * Resolves on the first of these signals. The second one calls `onSecond`; after that, or without it, a signal ends the
 * process as by default.
 */
export function nextSignal(
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
  onSecond?: (signal: NodeJS.Signals) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const stopListening = (listener: (signal: NodeJS.Signals) => void) => {
      for (const signal of signals) process.off(signal, listener)
    }
    const onFirst = () => {
      // The next listener first: between the two, a signal would end the process.
      if (onSecond !== undefined) for (const signal of signals) process.on(signal, onNext)
      stopListening(onFirst)
      resolve()
    }
    const onNext = (signal: NodeJS.Signals) => {
      stopListening(onNext)
      onSecond?.(signal)
    }
    for (const signal of signals) process.on(signal, onFirst)
  })
}
