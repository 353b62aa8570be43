import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limitTime, untilAborted } from '../../src/runtime/abort.js'

const abort = suite('abort')
const hourMs = 3_600_000

abort('aborts after the time limit, with its reason', async () => {
  const limit = limitTime(20, new AbortController().signal, 'too late')
  await once(limit.signal, 'abort')
  assert.is(limit.isOver(), true)
  assert.match(String(limit.signal.reason), /too late/)
})

abort('aborts with the outer signal, with its reason', () => {
  const outer = new AbortController()
  const limit = limitTime(hourMs, outer.signal)
  const late = limitTime(hourMs, AbortSignal.abort('before'))
  outer.abort('stop')
  assert.equal([limit.signal.reason, late.signal.reason], ['stop', 'before'])
  assert.equal([limit.isOver(), late.isOver()], [false, false])
  limit.close()
  late.close()
})

abort('leaves no timer after close, and ignores the outer signal', () => {
  const outer = new AbortController()
  const limit = limitTime(hourMs, outer.signal)
  limit.close()
  outer.abort()
  assert.is(limit.signal.aborted, false)
  assert.not(process.getActiveResourcesInfo().includes('Timeout'))
})

abort('rejects for a signal that is already aborted, and handles the later rejection of the promise', async () => {
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', onUnhandled)
  const failing = new Promise((_, reject) => setImmediate(reject, new Error('later')))
  const reason = await untilAborted(failing, AbortSignal.abort('stop')).catch((thrown) => thrown)
  assert.is(reason, 'stop')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  process.off('unhandledRejection', onUnhandled)
  assert.equal(unhandled, [])
})

abort.run()
