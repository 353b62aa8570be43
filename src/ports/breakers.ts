/** Why a breaker opens. `refused`: the service does not accept our key. */
export type Trouble = 'down' | 'refused'

/**
 * The circuit breakers of the model services, shared by all processes. No unit of a provider is claimed while its breaker is
 * open. After that one unit is claimed at a time, until one succeeds.
 */
export interface BreakerStore {
  /**
   * Counts a failed call. Opens the breaker if `isEnough`, or if it was open before and no call has succeeded since; each
   * time for twice as long. Returns for how many milliseconds, or undefined if the breaker does not change.
   */
  failBreaker(provider: string, trouble: Trouble, isEnough: boolean): Promise<number | undefined>
  /** Closes the breakers. Returns true if any existed. */
  closeBreakers(providers: readonly string[]): Promise<boolean>
  /** Returns why the breaker of a provider is open, or undefined if it is not open. */
  findTrouble(provider: string): Promise<Trouble | undefined>
}
