import { findDecoder } from '../adapters/clips/find-decoder.js'
import type { Decoder } from '../adapters/clips/protocol.js'
import type { Config } from '../config.js'
import type { ToLoop } from '../ports/loops.js'
import { onDemand } from './on-demand.js'

export interface Loops {
  readonly toLoop: ToLoop
  close(): Promise<void>
}

/** Makes the loops of clips. What decodes them is looked for with the first. */
export function openLoops(config: Pick<Config, 'findVariable'>): Loops {
  const looper = onDemand(async () => {
    const { createClipLooper } = await import('../adapters/clips/clip-looper.js')
    const decoder = findClipDecoder(config)
    if (decoder === undefined) throw new Error(noDecoder)
    return createClipLooper({ decoder })
  })
  return {
    toLoop: async (mp4, signal) => (await looper.get()).toLoop(mp4, signal),
    close: () => looper.close((made) => made.close()),
  }
}

/** What decodes the clips of real models here: `FFMPEG_PATH`, ffmpeg on the `PATH`, or the package node-webcodecs. */
export function findClipDecoder({ findVariable }: Pick<Config, 'findVariable'>): Decoder | undefined {
  return findDecoder({ path: findVariable('FFMPEG_PATH'), folders: findVariable('PATH') })
}

export const noDecoder =
  'Nothing here decodes clips, so those of real models come without WebP. Install ffmpeg, or run npm install node-webcodecs.'
