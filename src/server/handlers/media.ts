import type { MediaPorts } from '../../media/media-ports.js'
import type { TaskRequest } from '../../media/task-base.js'
import { type Model, toSpending } from '../../media/task-base.js'
import type { ReceivedCall } from '../pipeline/received-call.js'
import type { Presenting, SignUrl } from '../present/task.js'

/** The parts of a call that signed addresses depend on. */
type AddressContext = Pick<ReceivedCall, 'baseUrl' | 'now'>

export function signerFor({ objects }: MediaPorts, { baseUrl, now }: AddressContext): SignUrl {
  return (objectKey) => objects.signUrl(objectKey, baseUrl, now)
}

export function presentingFor(ports: MediaPorts, context: AddressContext): Presenting {
  return { sign: signerFor(ports, context), pollAfterSeconds: ports.pollAfterSeconds }
}

/** Source: gateway contract, 4.3 and 4.8. */
export function presentTaskCreated(requestId: string, taskId: string, message: string, pollAfterSeconds: number) {
  return {
    request_id: requestId,
    task_id: taskId,
    status: 'pending' as const,
    message,
    poll_after_seconds: pollAfterSeconds,
  }
}

type TaskCall = Pick<ReceivedCall, 'requestId' | 'callId' | 'traceparent' | 'key' | 'reservation'>

/** Describes a call that asks for a task. Its response is stored if the caller sent an `Idempotency-Key`. */
export function toTaskRequest<Created>(
  { requestId, callId, traceparent, key, reservation }: TaskCall,
  model: Model,
  present: (created: Created) => unknown,
): TaskRequest<Created> {
  const toAnswer = reservation && ((created: Created) => ({ reservation, body: present(created) }))
  return { requestId, callId, traceparent, keyId: key.id, spending: toSpending(model, key.budget), toAnswer }
}
