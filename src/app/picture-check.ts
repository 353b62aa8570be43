import { isUnavailable } from '../errors.js'
import type { CheckPicture } from '../ports/photos.js'
import { onDemand } from './on-demand.js'

export interface PictureCheck {
  readonly checkPicture: CheckPicture
  close(): Promise<void>
}

/** Checks the pictures of models. A picture that cannot be checked because the checker is unavailable passes: it is paid. */
export function openPictureCheck(): PictureCheck {
  const checker = onDemand(async () => {
    const { createPictureChecker } = await import('../adapters/photos/picture-checker.js')
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
    close: () => checker.close((made) => made.close()),
  }
}
