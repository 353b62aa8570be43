/** A spending limit for a window of time. Windows are UTC days and months. */
export interface Budget {
  /** Millionths of a US dollar. */
  readonly micros: number
  readonly per: 'day' | 'month'
}

/** A budget that a request must fit, and who owns it. */
export interface Limit extends Budget {
  readonly of: 'key' | 'pet'
}

/** The expected cost of a task, and the budgets that it must fit. */
export interface Spending {
  /** Of one unit, in millionths of a US dollar; null if the configuration gives the model no price. */
  readonly unitMicros: number | null
  readonly limits: readonly Limit[]
}
