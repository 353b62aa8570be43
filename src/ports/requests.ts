import type { LedgerEntry } from './tasks.js'

/** A call of the log that may have been booked. Callers choose request IDs: two keys may use one, or a key may twice. */
export interface LoggedCall {
  readonly requestId: string
  readonly keyId: string
  /** The endpoint group that it is booked under. */
  readonly endpoint: string
  readonly receivedAt: Date
  readonly answeredAt: Date
}

/** What a call of the log was about, as the store knows it. */
export interface CallSubject {
  /** As it is kept: `hmac:…` where the ID itself is not. */
  readonly petId: string
  readonly taskId: string | undefined
}

export interface RequestStore {
  /**
   * Of each call, in order, the pet that its usage was booked on and the task that it created; undefined without either.
   * Of calls that agree in request, key and endpoint each gets what was made nearest to its receipt, and none what another has.
   */
  findSubjects(calls: readonly LoggedCall[]): Promise<readonly (CallSubject | undefined)[]>
  /** The pets of these tasks, by task ID. */
  findPets(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** What was booked for a task, in the order of its units and their attempts. */
  listLedger(taskId: string): Promise<LedgerEntry[]>
}
