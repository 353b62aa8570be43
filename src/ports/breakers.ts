/** `refused`: the service does not accept our key. */
export type Trouble = 'down' | 'refused'

/**
 * Which model services are left alone for a while, for all processes. While its breaker is open, no unit of a provider is
 * claimed; after that one at a time, until one succeeds.
 */
export interface BreakerStore {
  /**
   * Counts a failed call: opens the breaker where `isEnough`, or where it was open before and nothing has succeeded since,
   * each time for twice as long. Answers for how long, or undefined where it stays as it is.
   */
  failBreaker(provider: string, trouble: Trouble, isEnough: boolean): Promise<number | undefined>
  /** Closes the breakers; answers whether there was any. */
  closeBreakers(providers: readonly string[]): Promise<boolean>
  /** Why the breaker of a provider is open, or undefined if it is not. */
  findTrouble(provider: string): Promise<Trouble | undefined>
}
