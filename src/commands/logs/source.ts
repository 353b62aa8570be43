import type { RequestHits, TaskTrace } from '../../contract/requests.js'
import type { RequestEntry } from '../../log.js'

/** A call as the log has it, with what else is known of it. */
export interface ShownCall extends Omit<RequestEntry, 'violations' | 'warnings'> {
  readonly violations?: readonly Hit[] | undefined
  readonly warnings?: readonly Hit[] | undefined
  readonly pet_id?: string
  readonly task_id?: string
  /** Where one call was asked for. */
  readonly task?: TaskTrace
}

/** The log itself keeps no sentence. */
export type Hit = Omit<RequestHits[number], 'sentence'> & Partial<RequestHits[number]>

export interface CallQuery {
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly petId?: string | undefined
  /** With calls of `/_svc` itself, and of pages. */
  readonly withOwn: boolean
}

export interface CallBatch {
  readonly calls: readonly ShownCall[]
  /** Whether there are more already. */
  readonly isMore: boolean
}

/** Where calls are read from, the oldest first: each time what came since the last. */
export interface CallSource {
  /** How often it is worth asking for what is new. */
  readonly everyMs: number
  read(): Promise<CallBatch>
  close(): Promise<void>
}
