import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limitTime, untilAborted } from '../src/abort.js'

const abort = suite('abort')
const hourMs = 3_600_000

abort('limits the time, also where memory is cleared meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const limit = limitTime(20, new AbortController().signal, 'too late')
  const aborted = once(limit.signal, 'abort')
  collect()
  await aborted
  assert.is(limit.isOver(), true)
  assert.match(String(limit.signal.reason), /too late/)
})

abort('ends with the signal around it, for its reason', () => {
  const outer = new AbortController()
  const limit = limitTime(hourMs, outer.signal)
  const late = limitTime(hourMs, AbortSignal.abort('before'))
  outer.abort('stop')
  assert.equal([limit.signal.reason, late.signal.reason], ['stop', 'before'])
  assert.equal([limit.isOver(), late.isOver()], [false, false])
  limit.close()
  late.close()
})

abort('neither keeps the program nor hears the signal around it once it is closed', () => {
  const outer = new AbortController()
  const limit = limitTime(hourMs, outer.signal)
  limit.close()
  outer.abort()
  assert.is(limit.signal.aborted, false)
  assert.not(process.getActiveResourcesInfo().includes('Timeout'))
})

abort('gives up a promise for a signal that was aborted before, and hears its failure', async () => {
  const unheard: unknown[] = []
  const onUnheard = (reason: unknown) => unheard.push(reason)
  process.on('unhandledRejection', onUnheard)
  const failing = new Promise((_, reject) => setImmediate(reject, new Error('later')))
  const reason = await untilAborted(failing, AbortSignal.abort('stop')).catch((thrown) => thrown)
  assert.is(reason, 'stop')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  process.off('unhandledRejection', onUnheard)
  assert.equal(unheard, [])
})

abort.run()
