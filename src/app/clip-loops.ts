import type { ClipLooper } from '../adapters/clips/clip-looper.js'
import { findFfmpeg } from '../adapters/clips/find-ffmpeg.js'
import type { Config } from '../config.js'
import { SvcError } from '../errors.js'

/** Creates the converter of clips to loops. ffmpeg is looked up on first use. */
export function openLoops(config: Pick<Config, 'findVariable'>): ClipLooper {
  const looper = onDemand(async () => {
    const { createClipLooper } = await import('../adapters/clips/clip-looper.js')
    return createClipLooper({ ffmpeg: findClipDecoder(config) })
  })
  return {
    toLoop: async (...clip) => (await looper.get()).toLoop(...clip),
    close: () => looper.close((made) => made.close()),
  }
}

/** Finds the decoder for the clips of real models: `FFMPEG_PATH`, or ffmpeg on the `PATH`. */
export function findClipDecoder({ findVariable }: Pick<Config, 'findVariable'>): string | undefined {
  return findFfmpeg(findVariable('FFMPEG_PATH'), findVariable('PATH'))
}

/** Creates a value with `make` on first use. A failed `make` is retried by the next `get`. */
export function onDemand<T>(make: () => Promise<T>) {
  let making: Promise<T> | undefined
  let closed = false
  return {
    get(): Promise<T> {
      if (closed) return Promise.reject(new SvcError('unavailable', 'The service is stopping. Try again soon.'))
      making ??= make().catch((error) => {
        making = undefined
        throw error
      })
      return making
    },
    /** Returns the value if it was created; also after `close`. One that could not be created need not be closed. */
    peek: async () => making?.catch(() => undefined),
    /** Closes the value if it was created. A later `get` rejects with `unavailable`. */
    async close(close: (made: T) => Promise<void>): Promise<void> {
      closed = true
      const made = await this.peek()
      if (made !== undefined) await close(made)
    },
  }
}
