import type { Budget, Limit, Spending } from '../../ports/money.js'
import type { ObjectStore } from '../../ports/objects.js'
import type { Downloader, PhotoReader } from '../../ports/photos.js'
import type { Provider } from '../../ports/provider.js'
import type { IdempotentAnswer, Reservation } from '../../ports/tasks.js'
import type { ApiKey, Store } from '../../ports.js'
import type { Presenting, SignUrl } from '../present/task.js'

/** A model as tasks are created for it. */
export interface Model extends Pick<Provider, 'label' | 'imageModel' | 'videoModel'> {
  /** What one unit is expected to cost, millionths of a US dollar; null where nobody said. */
  readonly unitMicros: number | null
}

/** What the handlers of pictures and clips work with. */
export interface MediaPorts {
  readonly store: Store
  readonly objects: ObjectStore
  readonly photos: Pick<PhotoReader, 'readPhoto'>
  readonly downloader: Pick<Downloader, 'download'>
  /**
   * Loaded when it is needed first. Throws `provider_error` while the model service refuses our key: a task would only wait.
   */
  readonly loadModel: (alias: 'svc-avatar' | 'svc-animation') => Promise<Model>
  /** What may be spent for each pet. */
  readonly perPet: Budget | undefined
  /** Tells the worker that there is something to do. */
  readonly wakeWorker: () => void
  readonly pollAfterSeconds: number
}

/** The budgets that a request of `key` must fit. */
export function limitsFor({ perPet }: Pick<MediaPorts, 'perPet'>, { budget }: ApiKey): readonly Limit[] {
  return [
    ...(budget === null ? [] : [{ of: 'key' as const, ...budget }]),
    ...(perPet === undefined ? [] : [{ of: 'pet' as const, ...perPet }]),
  ]
}

export function spendingFor(ports: MediaPorts, key: ApiKey, { unitMicros }: Model): Spending {
  return { unitMicros, limits: limitsFor(ports, key) }
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
