import type { Budget, Spending } from '../ports/money.js'
import type { Provider } from '../ports/provider.js'

/** The expected price of a model, and the operator's budget for each pet. */
export interface ModelPrice {
  /** Expected cost of one unit in millionths of a US dollar; null if unknown. */
  readonly unitMicros: number | null
  readonly perPet?: Budget | undefined
}

/** A model for which tasks are created. */
export interface Model extends Pick<Provider, 'label' | 'imageModel' | 'videoModel' | 'takesCompanion'>, ModelPrice {}

/** Returns the cost of a task with this model, and the budgets of the API key and the pet that it must fit. */
export function toSpending({ unitMicros, perPet }: ModelPrice, keyBudget: Budget | null): Spending {
  const limits = [
    ...(keyBudget === null ? [] : [{ of: 'key' as const, ...keyBudget }]),
    ...(perPet === undefined ? [] : [{ of: 'pet' as const, ...perPet }]),
  ]
  return { unitMicros, limits }
}
