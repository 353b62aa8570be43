/** What a call of the log was about, as the store knows it. */
import type { LedgerEntry } from './tasks.js'

export interface LoggedCall {
  readonly requestId: string
  /** Callers choose IDs and may use one twice: when it was received, at the earliest and at the latest. */
  readonly from: Date
  readonly to: Date
}

export interface CallSubject {
  /** As it is kept: `hmac:…` where the ID itself is not. */
  readonly petId: string
  readonly taskId: string | undefined
}

export interface RequestStore {
  /** Of each call, in order, the pet that its usage was booked on and the task that it created; undefined without either. */
  findSubjects(calls: readonly LoggedCall[]): Promise<readonly (CallSubject | undefined)[]>
  /** The pets of these tasks, by task ID. */
  findPets(taskIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** What was booked for a task, in the order of its units and their attempts. */
  listLedger(taskId: string): Promise<LedgerEntry[]>
}
