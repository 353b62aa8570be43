/** How long each step may take, in milliseconds. */
export interface Clocks {
  /** A picture, from the call to the last byte of its answer: good models need more than a minute. */
  readonly picture: number
  /** An order that is answered before the work is done. */
  readonly order: number
  /** One look at what became of an order. */
  readonly look: number
  /** Between two looks, unless the model service names another time. */
  readonly pause: number
  /** One try to copy a result. */
  readonly download: number
  /** All the work on one order. */
  readonly job: number
  /** A service may not know its own order at once; after this time it has lost it. */
  readonly unknown: number
  /** By how much we give up before the task does, to say what may have been bought. */
  readonly margin: number
}

export const defaultClocks: Clocks = {
  picture: 180_000,
  order: 60_000,
  look: 20_000,
  pause: 5000,
  download: 60_000,
  job: 900_000,
  unknown: 60_000,
  margin: 3000,
}
