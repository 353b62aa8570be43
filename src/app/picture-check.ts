import { isSvcError } from '../errors.js'
import type { CheckPicture } from '../ports/photos.js'
import { onDemand } from './on-demand.js'

export interface PictureCheck {
  readonly checkPicture: CheckPicture
  close(): Promise<void>
}

/** Looks at the pictures of models. What cannot be looked at for now passes: it is paid. */
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
        if (isSvcError(error) && error.code === 'unavailable') return undefined
        throw error
      }
    },
    close: () => checker.close((made) => made.close()),
  }
}
