import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Refusal } from '../../src/client/client.js'
import { type PolledTask, type WaitResult, waitForTask } from '../../src/client/wait.js'
import { SvcError } from '../../src/errors.js'

const wait = suite('waiting for a task')

/** Waits through `looks` in order (the last one repeats), on a clock that only sleeping advances. */
async function run(looks: readonly (PolledTask | Error)[], timeoutMs = 60_000) {
  const clock = { now: 0 }
  const slept: number[] = []
  const troubles: string[] = []
  let look = 0
  const result: WaitResult<PolledTask> = await waitForTask<PolledTask>({
    read: async () => {
      const seen = looks[Math.min(look++, looks.length - 1)]
      if (seen instanceof Error) throw seen
      return seen as PolledTask
    },
    onTask: () => {},
    onTrouble: (message) => troubles.push(message),
    sleep: async (ms) => {
      slept.push(ms)
      clock.now += ms
    },
    now: () => clock.now,
    deadlineAt: timeoutMs,
  })
  return { result, slept, troubles }
}

const busy = (seconds: number | undefined) =>
  new Refusal('rate_limit_exceeded', 'Too many calls.', {
    requestId: 'req_1',
    retryAfterSeconds: seconds,
  })

wait('polls at the interval of the service until the task has ended', async () => {
  const { result, slept } = await run([
    { status: 'pending', poll_after_seconds: 2 },
    { status: 'processing', poll_after_seconds: 5 },
    { status: 'processing' },
    { status: 'partial_success', poll_after_seconds: null },
  ])
  assert.equal(result, { task: { status: 'partial_success', poll_after_seconds: null }, timedOut: false })
  assert.equal(slept, [2000, 5000, 3000])
})

wait('ends when there is nothing to wait for, also with a status that it does not know', async () => {
  const ended = { status: 'withdrawn', poll_after_seconds: null }
  assert.equal(await run([ended]), { result: { task: ended, timedOut: false }, slept: [], troubles: [] })
})

wait('waits as long as Retry-After says, and backs off without it', async () => {
  const { slept, troubles } = await run([busy(7), busy(undefined), busy(undefined), { status: 'success' }])
  assert.equal(slept, [7000, 2000, 4000])
  assert.is(troubles.length, 3)
})

wait('continues when a server that answered is away for a while', async () => {
  const away = new SvcError('unavailable', 'No server answers.')
  const { result, slept } = await run([{ status: 'pending', poll_after_seconds: 1 }, away, { status: 'success' }])
  assert.is(result.task?.status, 'success')
  assert.equal(slept, [1000, 1000])
})

wait('gives up at once on a server that never answered', async () => {
  const error = await run([new SvcError('unavailable', 'No server answers.')]).catch((reason) => reason)
  assert.is(error.code, 'unavailable')
})

wait('gives up at once on an error that a retry cannot fix', async () => {
  const gone = new Refusal('not_found', 'No task.', {
    requestId: undefined,
    retryAfterSeconds: undefined,
  })
  const error = await run([{ status: 'pending' }, gone]).catch((reason) => reason)
  assert.is(error.code, 'not_found')
})

wait('ends at its deadline with the last state, and never sleeps past it', async () => {
  const { result, slept } = await run([{ status: 'processing', poll_after_seconds: 4 }], 10_000)
  assert.equal(result, { task: { status: 'processing', poll_after_seconds: 4 }, timedOut: true })
  assert.equal(slept, [4000, 4000, 2000])
})

wait.run()
