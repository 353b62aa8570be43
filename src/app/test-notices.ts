import { nameStorage, type StorageConfig } from '../config/storage.js'
import { isUnavailable } from '../errors.js'
import type { ServiceClock } from '../ports/clock.js'
import type { FaultStore } from '../ports/faults.js'
import { programName } from '../runtime/program-name.js'
import { describeOffset } from '../text/time.js'
import { count } from '../text/words.js'

/** The state of a service that tests change, and that lasts after them. */
interface TestState {
  readonly activeFaults: number
  readonly clockOffsetMs: number
}

/** Lists the sentences on active fault rules and on a moved clock. `storage` has the options that find the service. */
export function describeTestState({ activeFaults, clockOffsetMs }: TestState, storage: string) {
  const faults = `${count(activeFaults, 'fault rule')} ${activeFaults === 1 ? 'is' : 'are'} active, for tests`
  const clock = `The clock of the service is ${describeOffset(clockOffsetMs)}, for tests`
  return [
    ...(activeFaults === 0
      ? []
      : [{ name: 'faults', message: `${faults}. Remove all: ${programName()} fault clear ${storage}` } as const]),
    ...(clockOffsetMs === 0
      ? []
      : [{ name: 'clock', message: `${clock}. Reset it: ${programName()} clock reset ${storage}` } as const]),
  ]
}

/** Lists the sentences for a running service. Returns an empty list while its database is away. */
export async function listTestNotices(config: StorageConfig, store: FaultStore & ServiceClock): Promise<string[]> {
  try {
    const activeFaults = await store.countActiveFaults(store.now())
    const state = { activeFaults, clockOffsetMs: store.clockOffsetMs() }
    return describeTestState(state, nameStorage(config)).map(({ message }) => message)
  } catch (error) {
    if (!isUnavailable(error)) throw error
    return []
  }
}
