import type { LedgerEntry } from './usage.js'

/** The pet and the task that a logged call was about. */
export interface CallSubject {
  /** As stored: `hmac:…` where the ID itself is not kept. */
  readonly petId: string
  readonly taskId: string | undefined
}

export interface RequestStore {
  /**
   * Returns the pet that each call's usage was booked on and the task that the call created, by call ID. A call without
   * rows has no entry.
   */
  findSubjects(callIds: readonly string[]): Promise<ReadonlyMap<string, CallSubject>>
  /** Returns the pets of these tasks, by task ID. */
  findPets(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the paid calls of a task, in the order of its units and their attempts. */
  listLedger(taskId: string): Promise<LedgerEntry[]>
}
