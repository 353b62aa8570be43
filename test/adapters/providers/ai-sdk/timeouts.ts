import type { Timeouts } from '../../../../src/adapters/providers/ai-sdk/timeouts.js'

/** Short pauses; long limits for steps that a working upstream completes at once, in case the machine is busy. */
export const testTimeouts: Timeouts = {
  picture: 20_000,
  order: 20_000,
  poll: 20_000,
  pause: 10,
  download: 20_000,
  completion: 60_000,
  unknown: 20_000,
  margin: 0,
}
