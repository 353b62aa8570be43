import type { RequestLog, TaskEntry } from '../log.js'
import type { ClaimedUnit } from '../ports/tasks.js'

export type TaskLog = Pick<RequestLog, 'write'>

const causesAtMost = 4
const charactersAtMost = 300

/** Logs what happens to one unit; durations count from the call of this function. */
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

/** An error for the log with what caused it, the outermost first. What may be secret in a message is taken out. */
export function describeError(error: unknown): readonly unknown[] {
  const chain: unknown[] = []
  for (let cause = error; cause !== undefined && chain.length < causesAtMost; ) {
    if (!(cause instanceof Error)) {
      chain.push({ name: typeof cause })
      break
    }
    const { name, message, stack = '' } = cause
    const frames = stack.split('\n').flatMap((line) => (line.trim().startsWith('at ') ? [line.trim()] : []))
    const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
    chain.push({ name, message: redact(message), ...code, frames })
    cause = cause.cause
  }
  return chain
}

/** Without API keys of ours or of model services, and without addresses, which may be signed. */
function redact(message: string): string {
  return message
    .replaceAll(/svc_[\w-]{8,}/g, 'svc_…')
    .replaceAll(/\b(?:https?|data):[^\s"'<>)]+/gi, '[URL]')
    .replaceAll(/\b(?:sk|pk|r8|key|bearer|aiza)[-_ ][\w-]*\d[\w-]{6,}/gi, '…')
    .slice(0, charactersAtMost)
}
