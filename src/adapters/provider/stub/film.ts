export interface FilmSettings {
  /** Width and height in pixels, even: odd ones would end the thread. */
  readonly side: number
  readonly framesPerSecond: number
  readonly frameCount: number
}

/** An H.264 film in the making. Its memory is freed by `end`, which must be called whatever happens. */
export interface Film {
  /** Takes RGBA pixels. */
  add(frame: Uint8Array): void
  /** The MP4 file as the encoder leaves it: see `finishMp4`. */
  end(): Uint8Array
}

/** Opens the encoder, which works on the thread that calls it and is no good to any other: load it in a worker only. */
export async function openFilm({ side, framesPerSecond, frameCount }: FilmSettings): Promise<Film> {
  const createEncoder = await loadEncoder()
  const encoder = await createEncoder()
  encoder.width = side
  encoder.height = side
  encoder.frameRate = framesPerSecond
  encoder.speed = 5
  encoder.quantizationParameter = 24
  encoder.groupOfPictures = frameCount
  encoder.initialize()
  return {
    add: (frame) => encoder.addFrameRgba(frame),
    end() {
      encoder.finalize()
      const bytes = encoder.FS.readFile(encoder.outputFilename)
      encoder.FS.unlink(encoder.outputFilename)
      encoder.delete()
      return bytes
    },
  }
}

/** Takes off the handlers that the library lays on its thread when it loads: they hide why the thread ends. */
async function loadEncoder() {
  const { createH264MP4Encoder } = await import('h264-mp4-encoder')
  process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection')
  return createH264MP4Encoder
}
