import { isUnavailable } from '../errors.js'
import type { CheckPicture, ToFrame } from '../ports/photos.js'
import { onDemand } from './on-demand.js'

export interface PictureCheck {
  readonly checkPicture: CheckPicture
  readonly toFrame: ToFrame
  close(): Promise<void>
}

/** Checks the pictures of models. A picture that cannot be checked because the checker is unavailable passes: it is paid. */
export function openPictureCheck(): PictureCheck {
  const checker = onDemand(async () => {
    const { createPictureChecker } = await import('../adapters/photos/photo-reader.js')
    return createPictureChecker()
  })
  return {
    async checkPicture(bytes) {
      try {
        return await (await checker.get()).check(bytes)
      } catch (error) {
        if (isUnavailable(error)) return undefined
        throw error
      }
    },
    async toFrame(bytes) {
      try {
        return await (await checker.get()).toFrame(bytes)
      } catch {
        // The caller uses the picture as it is, which is only larger.
        return undefined
      }
    },
    close: () => checker.close((made) => made.close()),
  }
}
