import { describeError } from '../log/error.js'
import type { RequestLog, TaskEntry } from '../log/request-log.js'
import type { ClaimedUnit } from '../ports/queue.js'

export type TaskLog = Pick<RequestLog, 'write'>

/** Creates a function that logs the events of one unit. Durations count from this call. */
export function createUnitLog(log: TaskLog, { task, name, attempt }: ClaimedUnit, now: () => number) {
  const startedAt = performance.now()
  return (event: TaskEntry['event'], details: Pick<TaskEntry, 'code' | 'delay_ms' | 'error'> = {}): void => {
    const isStart = event === 'started'
    log.write({
      time: new Date(now()).toISOString(),
      event,
      task_id: task.id,
      request_id: task.requestId,
      unit: name,
      attempt,
      ...(isStart ? {} : { duration_ms: Math.round(performance.now() - startedAt) }),
      ...details,
      ...(details.error === undefined ? {} : { error: describeError(details.error) }),
    })
  }
}
