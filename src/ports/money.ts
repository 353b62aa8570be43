/** What may be spent in a window of time. Windows are days and months of UTC. */
export interface Budget {
  /** Millionths of a US dollar. */
  readonly micros: number
  readonly per: 'day' | 'month'
}

/** Whose budget a request is paid from. */
export interface Limit extends Budget {
  readonly of: 'key' | 'pet'
}

/** What a task is expected to cost, and the budgets it must fit. */
export interface Spending {
  /** Of one unit, millionths of a US dollar; null where nobody said what the model costs. */
  readonly unitMicros: number | null
  readonly limits: readonly Limit[]
}
