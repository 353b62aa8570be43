import type { ModelPrice } from '../../media/spending.js'
import type { ObjectStore } from '../../ports/objects.js'
import type { Downloader, PhotoReader } from '../../ports/photos.js'
import type { Provider } from '../../ports/provider.js'
import type { IdempotentAnswer, Reservation } from '../../ports/tasks.js'
import type { Store } from '../../ports.js'
import type { Presenting, SignUrl } from '../present/task.js'

/** A model as tasks are created for it. */
export interface Model extends Pick<Provider, 'label' | 'imageModel' | 'videoModel'>, ModelPrice {}

/** What the handlers of pictures and clips work with. */
export interface MediaPorts {
  readonly store: Store
  readonly objects: ObjectStore
  readonly photos: Pick<PhotoReader, 'readPhoto'>
  readonly downloader: Pick<Downloader, 'download'>
  /**
   * Loaded when it is needed first. Throws `provider_error` while the model service refuses our key: a task would only
   * wait; `invalid_request` or `unavailable` where the operator's file names what cannot be used.
   */
  readonly loadModel: (alias: 'svc-avatar' | 'svc-animation') => Promise<Model>
  /** Tells the worker that there is something to do. */
  readonly wakeWorker: () => void
  readonly pollAfterSeconds: number
}

interface Asked {
  readonly baseUrl: string
  readonly now: Date
}

export function signerFor({ objects }: MediaPorts, { baseUrl, now }: Asked): SignUrl {
  return (objectKey) => objects.signUrl(objectKey, baseUrl, now)
}

export function presentingFor(ports: MediaPorts, asked: Asked): Presenting {
  return { sign: signerFor(ports, asked), pollAfterSeconds: ports.pollAfterSeconds }
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

/** How a created task's answer is kept under the caller's `Idempotency-Key`, if there is one. */
export function toAnswerUnder<T = string>(
  reservation: Reservation | undefined,
  present: (created: T) => unknown,
): ((created: T) => IdempotentAnswer) | undefined {
  return reservation === undefined ? undefined : (created) => ({ reservation, body: present(created) })
}
