import type { ObjectStore } from '../ports/objects.js'
import type { Downloader, PhotoReader } from '../ports/photos.js'
import type { Store } from '../ports/store.js'
import type { Scene } from './scenes.js'
import type { SharedLibrary } from './shared-library.js'
import type { Model } from './task-base.js'

/** The ports of pictures and clips. */
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

/** The ports of diary pictures. */
export interface DiaryMediaPorts extends MediaPorts {
  /** The scenes of the default library. */
  readonly loadScenes: () => Promise<readonly Scene[]>
  /** Undefined if the shared library is off. */
  readonly sharedLibrary: SharedLibrary | undefined
  /** The user whose pictures are listed by default; undefined for all users. */
  readonly listedUserId: string | undefined
}
