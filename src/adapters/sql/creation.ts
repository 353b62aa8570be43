import type { IdempotentAnswer } from '../../ports/idempotency.js'
import type { NewTask } from '../../ports/tasks.js'

/** A task with its input as JSON. */
export interface SerializedTask {
  readonly task: NewTask
  readonly inputText: string
}

/** The rows of one request. */
export interface Creation {
  /** The task and its children. */
  readonly tasks: readonly SerializedTask[]
  readonly endpoint: string | null
  readonly answer: IdempotentAnswer | undefined
  readonly answerText: string
}
