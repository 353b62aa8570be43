import { findDecoder } from '../adapters/clips/find-decoder.js'
import type { Decoder } from '../adapters/clips/protocol.js'
import type { Config } from '../config.js'
import type { ToLoop } from '../ports/clip-loops.js'
import { onDemand } from './on-demand.js'

export interface Loops {
  readonly toLoop: ToLoop
  close(): Promise<void>
}

/** Creates the converter of clips to loops. The decoder is looked up on first use. */
export function openLoops(config: Pick<Config, 'findVariable'>): Loops {
  const looper = onDemand(async () => {
    const { createClipLooper } = await import('../adapters/clips/clip-looper.js')
    return createClipLooper({ decoder: findClipDecoder(config) })
  })
  return {
    toLoop: async (...clip) => (await looper.get()).toLoop(...clip),
    close: () => looper.close((made) => made.close()),
  }
}

/** Finds a decoder for the clips of real models: `FFMPEG_PATH`, ffmpeg on the `PATH`, or the package node-webcodecs. */
export function findClipDecoder({ findVariable }: Pick<Config, 'findVariable'>): Decoder | undefined {
  return findDecoder({ path: findVariable('FFMPEG_PATH'), folders: findVariable('PATH') })
}
