import type { Model } from '../../media/model.js'
import type { IdempotentAnswer, Reservation } from '../../ports/idempotency.js'
import type { ObjectStore } from '../../ports/objects.js'
import type { Downloader, PhotoReader } from '../../ports/photos.js'
import type { Store } from '../../ports/store.js'
import type { Presenting, SignUrl } from '../present/task.js'

/** The ports of the handlers of pictures and clips. */
export interface MediaPorts {
  readonly store: Store
  readonly objects: ObjectStore
  readonly photos: Pick<PhotoReader, 'readPhoto'>
  readonly downloader: Pick<Downloader, 'download'>
  /**
   * Loads a model on first use. Throws `provider_error` while the vendor rejects our key, since a task would only wait, and
   * `invalid_request` or `unavailable` if the operator's file cannot be used.
   */
  readonly loadModel: (alias: 'svc-avatar' | 'svc-animation') => Promise<Model>
  /** Tells the worker that there are new units. */
  readonly wakeWorker: () => void
  readonly pollAfterSeconds: number
}

/** The parts of a call that signed addresses depend on. */
interface AddressContext {
  readonly baseUrl: string
  readonly now: Date
}

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

/** Returns the function that makes the stored answer of a created task, if the caller sent an `Idempotency-Key`. */
export function toIdempotentAnswer<T = string>(
  reservation: Reservation | undefined,
  present: (created: T) => unknown,
): ((created: T) => IdempotentAnswer) | undefined {
  return reservation === undefined ? undefined : (created) => ({ reservation, body: present(created) })
}
