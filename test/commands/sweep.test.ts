import { setImmediate } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSweep } from '../../src/commands/validate/sweep.js'

const sweeps = suite('sweep')

sweeps('collects what nobody holds any more once 256 MiB were checked', async () => {
  const sweep = createSweep()
  const dropped = new WeakRef({ text: 'dropped' })
  // What a job has looked at stays until it ends.
  await setImmediate()
  sweep(200 << 20)
  sweep(56 << 20)
  assert.is(dropped.deref(), undefined)
})

sweeps.run()
