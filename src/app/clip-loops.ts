import { findFfmpeg } from '../adapters/clips/find-ffmpeg.js'
import type { Config } from '../config.js'
import type { ToLoop } from '../ports/clip-loops.js'
import { onDemand } from './on-demand.js'

export interface Loops {
  readonly toLoop: ToLoop
  close(): Promise<void>
}

/** Creates the converter of clips to loops. ffmpeg is looked up on first use. */
export function openLoops(config: Pick<Config, 'findVariable'>): Loops {
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
  return findFfmpeg({ path: findVariable('FFMPEG_PATH'), folders: findVariable('PATH') })
}
