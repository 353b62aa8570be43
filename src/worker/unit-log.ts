import { describeError } from '../log/error.js'
import type { RequestLog, TaskEntry } from '../log/request-log.js'
import type { Measures } from '../ports/measures.js'
import type { ClaimedUnit } from '../ports/queue.js'
import { findTraceId } from '../ports/tracing.js'

export type TaskLog = Pick<RequestLog, 'write'>

export interface UnitLogParts {
  readonly log: TaskLog
  readonly measures?: Measures | undefined
  readonly now: () => number
}

/** Creates a function that logs and counts the events of one unit, with its rule. Durations count from this call. */
export function createUnitLog(
  { log, measures, now }: UnitLogParts,
  { task, name, attempt }: ClaimedUnit,
  findFault: () => string | undefined,
) {
  const startedAt = performance.now()
  return (event: TaskEntry['event'], details: Pick<TaskEntry, 'code' | 'delay_ms' | 'error'> = {}): void => {
    const isStart = event === 'started'
    const fault = findFault()
    const durationMs = performance.now() - startedAt
    if (!isStart) measures?.countUnit(task.provider, task.kind, event, durationMs)
    log.write({
      time: new Date(now()).toISOString(),
      event,
      task_id: task.id,
      request_id: task.requestId,
      ...(task.traceparent === undefined ? {} : { trace_id: findTraceId(task.traceparent) }),
      unit: name,
      attempt,
      ...(isStart ? {} : { duration_ms: Math.round(durationMs) }),
      ...details,
      ...(fault === undefined ? {} : { fault }),
      ...(details.error === undefined ? {} : { error: describeError(details.error) }),
    })
  }
}
