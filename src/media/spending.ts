import type { Budget, Spending } from '../ports/money.js'

/** What is known of a model's price, and what the operator allows each pet. */
export interface ModelPrice {
  /** What one unit is expected to cost, millionths of a US dollar; null where nobody said. */
  readonly unitMicros: number | null
  readonly perPet?: Budget | undefined
}

/** What a task costs by a model, and the budgets of the API key and of the pet that it must fit. */
export function toSpending({ unitMicros, perPet }: ModelPrice, keyBudget: Budget | null): Spending {
  const limits = [
    ...(keyBudget === null ? [] : [{ of: 'key' as const, ...keyBudget }]),
    ...(perPet === undefined ? [] : [{ of: 'pet' as const, ...perPet }]),
  ]
  return { unitMicros, limits }
}
