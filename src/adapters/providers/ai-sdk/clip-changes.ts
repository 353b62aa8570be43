import type { ClipChange } from '../../../ports/clip-loops.js'

export type TellOnce = (change: ClipChange, warn: (detail: string) => void) => void

const sentences: Readonly<Record<ClipChange, string>> = {
  cropped:
    'Its clips have another shape than their picture, and are cropped to it. If it has an option for the aspect, set it.',
  muted: 'Its clips have sound, which is removed. If it has an option for sound, switch it off: sound may cost more.',
}

/** Returns a function that tells the operator of each kind of change once, as long as the model is open. */
export function createTellOnce(): TellOnce {
  const told = new Set<ClipChange>()
  return (change, warn) => {
    if (told.has(change)) return
    told.add(change)
    warn(sentences[change])
  }
}
