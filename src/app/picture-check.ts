import { isSvcError } from '../errors.js'
import type { CheckPicture } from '../ports/photos.js'
import { onDemand } from './on-demand.js'

/** No model delivers more in one answer. */
const bytesAtMost = 128 << 20

export interface PictureCheck {
  readonly checkPicture: CheckPicture
  close(): Promise<void>
}

/** Looks at the pictures of models as at photos of strangers: in processes that can be killed. */
export function openPictureCheck(): PictureCheck {
  const reader = onDemand(async () => {
    const { createPhotoReader } = await import('../adapters/photos/photo-reader.js')
    return createPhotoReader({ minSide: 1, maxBytes: bytesAtMost })
  })
  return {
    async checkPicture(bytes) {
      try {
        await (await reader.get()).readPhoto(bytes, field)
        return undefined
      } catch (error) {
        // What cannot be looked at for now is paid for all the same, and kept.
        return isSvcError(error) && error.code === 'invalid_request' ? toProblem(error.message) : undefined
      }
    },
    close: () => reader.close((made) => made.close()),
  }
}

const field = 'picture'

/** Without the advice to whoever sends a photo. */
function toProblem(message: string): string {
  return message.replace(`\`${field}\` `, '').replace(/(?<=\S)[.;] .*$/s, '')
}
