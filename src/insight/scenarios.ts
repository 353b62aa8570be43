export interface Scenario {
  readonly id: string
  readonly condition: string
}

export const scenarios: readonly Scenario[] = []
