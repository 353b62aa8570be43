import type { Clocks } from '../../../../src/adapters/provider/ai-sdk/clocks.js'

/** Pauses are short; what an upstream at rest never takes is long, as a busy machine may. */
export const testClocks: Clocks = {
  picture: 20_000,
  order: 20_000,
  look: 20_000,
  pause: 10,
  download: 20_000,
  job: 60_000,
  unknown: 200,
  margin: 0,
}
