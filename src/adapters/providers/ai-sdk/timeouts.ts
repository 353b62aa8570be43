/** The time limit of each step, in milliseconds. */
export interface Timeouts {
  /** A picture, from the call to the last byte of the response: good models need more than a minute. */
  readonly picture: number
  /** Acceptance of an order, which is answered before the work is done. */
  readonly order: number
  /** One poll of an order. */
  readonly poll: number
  /** The wait between two polls, unless the vendor names another time. */
  readonly pause: number
  /** One attempt to download a result. */
  readonly download: number
  /** Completion of an order. */
  readonly completion: number
  /** A vendor may not know its own order at once; after this time the order is lost. */
  readonly unknown: number
  /** We give up this long before the task's deadline, to report what may have been bought. */
  readonly margin: number
}

export const defaultTimeouts: Timeouts = {
  picture: 180_000,
  order: 60_000,
  poll: 20_000,
  pause: 5000,
  download: 60_000,
  completion: 900_000,
  unknown: 60_000,
  margin: 3000,
}
