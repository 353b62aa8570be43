import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sleepUntilTaskUpdate } from '../../../src/commands/client/follow.js'

const news = suite('news of a task')
const hourMs = 3_600_000

news('asks the worker again only after its answer', async () => {
  const answers: (() => void)[] = []
  const idle = () => new Promise<void>((resolve) => answers.push(resolve))
  const sleep = sleepUntilTaskUpdate({ idle }, new AbortController().signal)
  for (let round = 0; round < 5; round++) await sleep(1)
  assert.is(answers.length, 1)
  const woken = sleep(hourMs)
  answers[0]?.()
  await woken
  await sleep(1)
  assert.is(answers.length, 2)
})

news('rejects with the signal, also if the worker fails later', async () => {
  const stop = new AbortController()
  let fail: (error: Error) => void = () => {}
  const idle = () =>
    new Promise<void>((_, reject) => {
      fail = reject
    })
  const sleep = sleepUntilTaskUpdate({ idle }, stop.signal)
  const asleep = sleep(hourMs).catch((reason) => reason)
  stop.abort('stop')
  assert.is(await asleep, 'stop')
  assert.is(await sleep(hourMs).catch((reason) => reason), 'stop')
  fail(new Error('closed'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.not(process.getActiveResourcesInfo().includes('Timeout'))
})

news.run()
