import type { Sweep } from './sweep.js'

/**
 * What V8 is told before many payloads are checked, in this thread and in those that start later. Other versions than that
 * of Node 20, for which this was measured, run as they are: V8 changes its flags, and complains about unknown ones.
 */
const flags = [
  // Parsed payloads die young. A young generation that grows to 16 MB at once is collected a sixth as often.
  '--semi-space-growth-factor=16',
  // Each thread compiles the rules for itself; code with less copied into it takes a quarter less time to compile.
  '--max-inlined-bytecode-size-cumulative=300',
]

let isTuned = !process.versions.node.startsWith('20.')

/** Trades memory for speed, up to some 50 MB in a thread. Does it once. Answers what sweeps this thread. */
export async function tuneForLongRun(): Promise<Sweep> {
  // Loaded here: it would make every short run longer by 1.5 ms.
  const { setFlagsFromString } = await import('node:v8')
  if (!isTuned) for (const flag of flags) setFlagsFromString(flag)
  isTuned = true
  settleTransfers()
  const { createSweep } = await import('./sweep.js')
  return createSweep()
}

/**
 * Transfers a bit of memory. With the first such transfer of a thread V8 throws away all that it compiled of what reads
 * bytes, and compiles it anew: so that happens before there is much.
 */
export function settleTransfers(): void {
  const memory = new ArrayBuffer(1)
  structuredClone(memory, { transfer: [memory] })
}
