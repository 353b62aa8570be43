import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

export interface VideoSettings {
  /** Width and height in pixels; must be even, because odd ones would end the thread. */
  readonly side: number
  readonly framesPerSecond: number
  readonly frameCount: number
  readonly quantization: number
}

/**
 * Opens an H.264 encoder, which works on the calling thread and must not be shared with others: load it in a worker only.
 * `end` frees its memory and must be called in every case.
 */
export async function openVideoEncoder(settings: VideoSettings) {
  const createEncoder = loadEncoder()
  const encoder = await createEncoder()
  encoder.width = settings.side
  encoder.height = settings.side
  encoder.frameRate = settings.framesPerSecond
  encoder.speed = 5
  encoder.quantizationParameter = settings.quantization
  encoder.groupOfPictures = settings.frameCount
  encoder.initialize()
  return {
    /** Adds a frame of RGBA pixels. */
    add: (frame: Uint8Array): void => encoder.addFrameRgba(frame),
    /** Returns the MP4 file as the encoder leaves it: see `finishMp4`. */
    end(): Uint8Array {
      encoder.finalize()
      const bytes = encoder.FS.readFile(encoder.outputFilename)
      encoder.FS.unlink(encoder.outputFilename)
      encoder.delete()
      return bytes
    },
  }
}

/** Removes the handlers that the library installs on its thread: they hide the reason why the thread ends. */
function loadEncoder() {
  // The exports of this CommonJS module are not visible to Node as named exports.
  const { createH264MP4Encoder }: typeof import('h264-mp4-encoder') = require('h264-mp4-encoder')
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
  return createH264MP4Encoder
}
