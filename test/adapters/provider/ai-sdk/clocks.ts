import type { Clocks } from '../../../../src/adapters/provider/ai-sdk/clocks.js'

/** Waiting in tests is short. */
export const testClocks: Clocks = {
  picture: 1500,
  order: 1500,
  look: 300,
  pause: 10,
  download: 1500,
  job: 3000,
  unknown: 200,
  margin: 0,
}
