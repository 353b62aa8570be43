// run: waits, PostgreSQL
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { openSqliteStore } from '../../src/adapters/sql/sqlite/open-store.js'
import { SvcError } from '../../src/errors.js'
import type { TaskEntry } from '../../src/log/request-log.js'
import type { ProviderCall } from '../../src/ports/provider.js'
import type { ClaimedUnit } from '../../src/ports/queue.js'
import type { Store } from '../../src/ports/store.js'
import type { NewTask, Task } from '../../src/ports/tasks.js'
import { createAnimationRunner, createAvatarRunner, createDiaryRunner } from '../../src/worker/runners.js'
import { createWorker, type Worker, type WorkerOptions } from '../../src/worker/worker.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import {
  createScriptedProvider,
  newAnimation,
  newAvatar,
  newDiary,
  openFolderObjects,
  priceMicros,
  purchase,
  type ScriptedProvider,
  type Step,
  scene,
} from '../helpers/tasks.js'

const work = storeSuite('worker')
let database: TestDatabase
let store: Store
const workers: Worker[] = []
const lines: TaskEntry[] = []

work.before.each(async (given) => {
  database = given
  store = await given.open()
  lines.length = 0
})
work.after.each(async () => {
  for (const worker of workers.splice(0)) await worker.close(0)
})

async function startWorker(provider: ScriptedProvider, change: Partial<WorkerOptions> = {}): Promise<Worker> {
  const objects = openFolderObjects(join(database.folder, 'objects'))
  const worker = createWorker({
    store,
    log: { write: (entry) => lines.push(entry as TaskEntry) },
    holder: await store.openHolder(),
    runners: {
      avatar: createAvatarRunner({
        ...{ objects, provider },
        prompt: (_input, _pose, { hasCompanion }) => (hasCompanion ? 'a dog and its companion' : 'a dog'),
      }),
      animation: createAnimationRunner({ objects, provider, prompt: () => 'a dog that moves' }),
      diary: createDiaryRunner({ objects, provider, describe: async () => ({ prompt: 'a dog by the sea', scene }) }),
    },
    slots: { scripted: 4 },
    concurrency: 4,
    backoffMsAtMost: 1,
    ...change,
  })
  workers.push(worker)
  return worker
}

/** Runs one task to its end. */
async function runTask(task: NewTask, provider: ScriptedProvider, change: Partial<WorkerOptions> = {}): Promise<Task> {
  const worker = await startWorker(provider, change)
  await store.createTask(task, 'pet-avatar')
  worker.wake()
  await worker.idle()
  return getTask(task.id)
}

async function getTask(id: string): Promise<Task> {
  const task = await store.findTask(id)
  if (task === undefined) throw new Error('the task is gone')
  return task
}

interface LedgerRow {
  readonly unit: string
  readonly quantity: number
  readonly unit_id: string
  readonly attempt: number
  readonly certain: number
  readonly maybe_duplicate: number
  readonly delivered: number
  readonly cost_micros: number
}

async function readLedger(taskId: string): Promise<LedgerRow[]> {
  const rows = await database.query(`select * from usage_ledger where task_id = '${taskId}' order by unit_id, attempt`)
  return rows as unknown as LedgerRow[]
}

/** Saves the order, as a provider that charges does before it sends it. */
const keepIntent = (call: ProviderCall) => call.saveMemo({ sent: true }, { purchase, isOrdered: false })

/** Long enough for a busy machine to claim the units before. */
const deadlineMs = 600
const deadline = () => ({ createdAt: new Date(), deadlineAt: new Date(Date.now() + deadlineMs) })

const statusesOf = (task: Task) => task.units.map(({ status }) => status)

work('makes the images of an avatar task, books each once, and logs the task ID', async () => {
  const task = newAvatar()
  const done = await runTask(task, createScriptedProvider())
  assert.is(done.status, 'success')
  assert.ok(done.finishedAt)
  assert.equal(
    done.units.map(({ name, output }) => [name, output?.files.image]),
    task.units.map((pose) => [pose, `ai-gateway/avatars/${task.id}/${pose}.png`]),
  )
  assert.equal(
    (await readLedger(task.id)).map(({ certain, delivered, cost_micros }) => [certain, delivered, cost_micros]),
    task.units.map(() => [1, 1, priceMicros]),
  )
  assert.is(lines.filter(({ event }) => event === 'succeeded').length, 4)
  assert.ok(lines.every((line) => line.task_id === task.id && line.request_id === 'req_1'))
})

work('makes the first pose first, and gives it to the others as a second reference', async () => {
  const asked: [pose: string, references: number, prompt: string][] = []
  const provider = { ...createScriptedProvider(), takesCompanion: true }
  const generatePicture: typeof provider.generatePicture = (request, call) => {
    asked.push([request.subject.pose, request.references.length, request.prompt])
    return createScriptedProvider().generatePicture(request, call)
  }
  const done = await runTask(newAvatar({ waitsForFirst: true }), { ...provider, generatePicture })
  assert.is(done.status, 'success')
  assert.equal(asked[0], ['lying', 1, 'a dog'])
  assert.equal(asked.slice(1).sort(), [
    ['running', 2, 'a dog and its companion'],
    ['sitting', 2, 'a dog and its companion'],
    ['walking', 2, 'a dog and its companion'],
  ])
})

work('makes the others without the first pose if it fails', async () => {
  const provider = createScriptedProvider({ lying: [{ wire: 'refused', retryable: false }] })
  const done = await runTask(newAvatar({ waitsForFirst: true }), { ...provider, takesCompanion: true })
  assert.equal(statusesOf(done), ['failed', 'success', 'success', 'success'])
  assert.is(provider.asked?.references.length, 1)
})

work('makes the clips of an animation task', async () => {
  const task = newAnimation('avatar_1', { units: ['lying'] })
  const done = await runTask(task, createScriptedProvider())
  assert.is(done.status, 'success')
  assert.equal(done.units[0]?.output, {
    files: {
      webp: `ai-gateway/animations/${task.id}/lying.webp`,
      mp4: `ai-gateway/animations/${task.id}/lying.mp4`,
    },
    durationSeconds: 2,
  })
})

work('counts a clip of one format as a success of its pose and a partial success of its task', async () => {
  const task = newAnimation('avatar_1', { units: ['lying', 'sitting'] })
  const done = await runTask(task, createScriptedProvider({ lying: [{ deliver: 'mp4' }] }))
  assert.is(done.status, 'partial_success')
  assert.equal(statusesOf(done), ['success', 'success'])
  assert.equal(Object.keys(done.units[0]?.output?.files ?? {}), ['mp4'])
})

work('fails a clip without files, and books its price', async () => {
  const task = newAnimation('avatar_1', { units: ['lying'] })
  const done = await runTask(task, createScriptedProvider({ lying: [{ deliver: 'nothing' }] }))
  assert.is(done.status, 'failed')
  assert.is(done.units[0]?.failure?.code, 'provider_error')
  assert.equal(
    (await readLedger(task.id)).map(({ certain, delivered, cost_micros }) => [certain, delivered, cost_micros]),
    [[1, 0, priceMicros]],
  )
})

/** Blocks the object's path with a folder. The returned function removes it. */
function breakStorage({ id }: NewTask): () => void {
  const taken = join(database.folder, 'objects', 'ai-gateway', 'avatars', id, 'lying.png')
  mkdirSync(join(taken, 'x'), { recursive: true })
  return () => rmSync(taken, { recursive: true })
}

work('holds a picture until the disk accepts it, and does not buy it again', async () => {
  const task = newAvatar({ units: ['lying'] })
  const mend = breakStorage(task)
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before: keepIntent }] })
  const worker = await startWorker(provider)
  await store.createTask(task, null)
  worker.wake()
  while (lines.filter(({ event }) => event === 'retrying').length < 2) await new Promise(setImmediate)
  mend()
  await worker.idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(
    (await readLedger(task.id)).map(({ attempt, certain, delivered }) => [attempt, certain, delivered]),
    [[1, 1, 1]],
  )
})

work('books a purchase as certain that could not be stored in time', async () => {
  const task = newAvatar({ units: ['lying'], ...deadline() })
  breakStorage(task)
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before: keepIntent }] })
  const done = await runTask(task, provider)
  assert.is(done.units[0]?.failure?.code, 'timed_out')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(
    (await readLedger(task.id)).map(({ certain, delivered, cost_micros }) => [certain, delivered, cost_micros]),
    [[1, 0, priceMicros]],
  )
})

work('delivers a stored result even if its memo is refused', async () => {
  const provider = createScriptedProvider()
  const shaky: Store = {
    ...store,
    saveMemo: () => Promise.reject(new SvcError('unavailable', 'The database is locked.')),
  }
  const task = newAvatar({ units: ['lying'] })
  const done = await runTask(task, provider, { store: shaky })
  assert.is(done.status, 'success')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(
    (await readLedger(task.id)).map(({ attempt, certain }) => [attempt, certain]),
    [[1, 1]],
  )
})

const refused: Step = { wire: 'refused', retryable: false }
const ambiguous: Step = { wire: 'ambiguous' }
const ordered: Step = { wire: 'ordered' }

interface Case {
  readonly title: string
  readonly kind: 'avatar' | 'animation'
  readonly steps: readonly Step[]
  readonly status: 'success' | 'failed'
  readonly calls: number
  /** [certain, maybe duplicate] of each row. */
  readonly ledger: readonly (readonly [number, number])[]
}

const cases: readonly Case[] = [
  {
    title: 'a refusal of the content is final',
    kind: 'avatar',
    steps: [refused],
    status: 'failed',
    calls: 1,
    ledger: [],
  },
  {
    title: 'a call that was not sent is retried',
    kind: 'animation',
    steps: [{ wire: 'not_sent' }, { wire: 'not_sent' }],
    status: 'success',
    calls: 3,
    ledger: [[1, 0]],
  },
  {
    title: 'a temporary refusal is retried three times at most',
    kind: 'avatar',
    steps: Array.from({ length: 9 }, (): Step => ({ wire: 'refused' })),
    status: 'failed',
    calls: 4,
    ledger: [],
  },
  {
    title: 'a rate limit delays the retry',
    kind: 'animation',
    steps: [{ wire: 'rate_limited', retryAfterMs: 60 }],
    status: 'success',
    calls: 2,
    ledger: [[1, 0]],
  },
  {
    title: 'a picture whose answer was lost is bought once more',
    kind: 'avatar',
    steps: [ambiguous],
    status: 'success',
    calls: 2,
    ledger: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    title: 'a picture whose answer was lost twice is not bought a third time',
    kind: 'avatar',
    steps: [ambiguous, ambiguous],
    status: 'failed',
    calls: 2,
    ledger: [
      [0, 0],
      [0, 1],
    ],
  },
  {
    title: 'a clip whose answer was lost is never bought again',
    kind: 'animation',
    steps: [ambiguous],
    status: 'failed',
    calls: 1,
    ledger: [[0, 0]],
  },
  {
    title: 'an ordered clip is polled until it is ready, and booked once',
    kind: 'animation',
    steps: [ordered, ordered, ordered],
    status: 'success',
    calls: 4,
    ledger: [[1, 0]],
  },
  {
    title: 'an ordered clip that fails is booked as certain',
    kind: 'animation',
    steps: [{ wire: 'ordered', retryable: false }],
    status: 'failed',
    calls: 1,
    ledger: [[1, 0]],
  },
  {
    title: 'a temporarily unavailable database is not a failure',
    kind: 'avatar',
    steps: [{ fault: new SvcError('unavailable', 'The disk is full.') }],
    status: 'success',
    calls: 2,
    ledger: [[1, 0]],
  },
]
for (const { title, kind, steps, status, calls, ledger } of cases) {
  work(`retries: ${title}`, async () => {
    const provider = createScriptedProvider({ lying: steps })
    const task = kind === 'avatar' ? newAvatar({ units: ['lying'] }) : newAnimation('a', { units: ['lying'] })
    const done = await runTask(task, provider)
    assert.is(done.status, status)
    assert.is(provider.calls.get('lying'), calls)
    assert.equal(
      (await readLedger(task.id)).map(({ certain, maybe_duplicate }) => [certain, maybe_duplicate]),
      ledger,
    )
    assert.is(done.units[0]?.failure?.code, status === 'failed' ? 'provider_error' : undefined)
  })
}

work('ends as a partial success if a pose failed, and waits for the time of a rate limit', async () => {
  const startedAt = Date.now()
  const steps: Step[] = [{ wire: 'rate_limited', retryAfterMs: 150 }]
  const done = await runTask(newAvatar(), createScriptedProvider({ sitting: [refused], walking: steps }))
  assert.is(done.status, 'partial_success')
  assert.equal(statusesOf(done), ['success', 'failed', 'success', 'success'])
  assert.is(done.units[1]?.failure?.code, 'provider_error')
  assert.ok(Date.now() - startedAt >= 150)
})

for (const [locale, message] of [
  ['en-US', 'The model service did not make this picture or clip. Create a new task to try again.'],
  ['zh-CN', '模型服务未能生成该图片或动画，请重新创建任务。'],
]) {
  work(`gives callers our own text in ${locale} for a provider error, and logs the provider's message`, async () => {
    const input = Object.assign({}, newAvatar().input, { locale })
    const task = newAvatar({ units: ['lying'], input })
    const done = await runTask(task, createScriptedProvider({ lying: [refused] }))
    assert.equal(done.units[0]?.failure, { code: 'provider_error', message })
    assert.match(JSON.stringify(lines.at(-1)?.error), 'The model service failed: refused.')
  })
}

work("turns an unknown error into a fixed sentence in the task's locale, and logs the error", async () => {
  const fault = new Error('secret detail', { cause: new Error('inner') })
  const task = newAvatar({ units: ['lying'], input: { species: 'cat', locale: 'zh-CN', sourceKey: 'ai-gateway/none' } })
  const done = await runTask(task, createScriptedProvider())
  assert.is(done.units[0]?.failure?.code, 'internal_error')
  assert.match(done.units[0]?.failure?.message ?? '', '内部错误')
  await workers.splice(0)[0]?.close(0)
  const other = await runTask(newAvatar({ units: ['lying'] }), createScriptedProvider({ lying: [{ fault }] }))
  assert.not.match(JSON.stringify(other), 'secret')
  const line = lines.at(-1)
  assert.is(line?.task_id, other.id)
  assert.is(line?.code, 'internal_error')
  assert.match(JSON.stringify(line?.error), /secret detail.*inner/)
})

work('stops a unit at its deadline, and books what may have been bought', async () => {
  const script = { lying: [{ hang: 'ambiguous' as const }], sitting: [{ hang: 'not_sent' as const }] }
  const done = await runTask(newAvatar({ units: ['lying', 'sitting'], ...deadline() }), createScriptedProvider(script))
  assert.equal(
    done.units.map(({ failure }) => failure?.code),
    ['timed_out', 'timed_out'],
  )
  assert.equal(
    (await readLedger(done.id)).map(({ unit_id, certain }) => [unit_id, certain]),
    [[`${done.id}/000`, 0]],
  )
})

for (const isOrdered of [true, false]) {
  const bought = isOrdered ? 'an order as certain' : 'a sent call as uncertain'
  const begun = { purchase: { quantity: 1, costMicros: 70_000 }, isOrdered }

  work(`books ${bought} if the provider only rejects with the signal's reason`, async () => {
    const before = async (call: ProviderCall) => {
      await call.saveMemo({ sent: true }, begun)
      await new Promise((_, reject) => {
        call.signal.addEventListener('abort', () => reject(call.signal.reason))
      })
    }
    const task = newAnimation('a', { units: ['lying'], ...deadline() })
    const done = await runTask(task, createScriptedProvider({ lying: [{ deliver: 'all', before }] }))
    assert.is(done.units[0]?.failure?.code, 'timed_out')
    assert.equal(
      (await readLedger(done.id)).map(({ certain, cost_micros }) => [certain, cost_micros]),
      [[Number(isOrdered), 70_000]],
    )
  })

  work(`books ${bought} if the deadline passed while no worker ran`, async () => {
    const memo = { failures: {}, memo: { provider: { sent: true }, begun } }
    const task = newAnimation('a', { units: ['lying'], ...deadline() })
    await store.createTask(task, 'pet-avatar')
    const claim = { holderId: 'dead', limit: 1, leaseMs: 1, slots: { scripted: 4 } }
    const [unit] = await store.claimUnits(claim)
    await store.saveMemo(unit?.lease ?? '', memo)
    await delay(deadlineMs + 20)
    const provider = createScriptedProvider()
    await (await startWorker(provider)).idle()
    assert.is((await getTask(task.id)).units[0]?.failure?.code, 'timed_out')
    assert.is(provider.calls.size, 0)
    assert.equal(
      (await readLedger(task.id)).map(({ certain, cost_micros }) => [certain, cost_micros]),
      [[Number(isOrdered), 70_000]],
    )
  })
}

work('polls an order once more before the deadline, for any requested delay', async () => {
  const task = newAnimation('a', { units: ['lying'], deadlineAt: new Date(Date.now() + 30_300) })
  const script = { lying: [{ wire: 'ordered' as const, retryAfterMs: 999_999 }] }
  assert.is((await runTask(task, createScriptedProvider(script))).status, 'success')
})

work('abandons a provider that does not stop at the deadline', async () => {
  const task = newAvatar({ units: ['lying'], ...deadline() })
  const done = await runTask(task, createScriptedProvider({ lying: [{ hang: 'deaf' }] }))
  assert.is(done.units[0]?.failure?.code, 'timed_out')
  assert.is((await readLedger(done.id)).length, 1)
})

work('fails a unit past its deadline without calling the provider, even one without slots', async () => {
  const provider = createScriptedProvider()
  const past = new Date(Date.now() - 1000)
  const task = newAvatar({ units: ['lying'], provider: 'nobody', createdAt: past, deadlineAt: past })
  const done = await runTask(task, provider)
  assert.is(done.units[0]?.failure?.code, 'timed_out')
  assert.is(provider.calls.size, 0)
})

work('does not wait for a retry beyond the deadline', async () => {
  const script = { lying: [{ wire: 'rate_limited' as const, retryAfterMs: 999_999 }] }
  const done = await runTask(newAvatar({ units: ['lying'] }), createScriptedProvider(script))
  assert.is(done.units[0]?.failure?.code, 'provider_error')
})

work('paints a scene with the pet of its references, and books it as a picture', async () => {
  const provider = createScriptedProvider()
  const task = newDiary()
  const done = await runTask(task, provider)
  assert.is(done.status, 'success')
  assert.equal(done.units[0]?.output, { files: { picture: `ai-gateway/diary/${task.id}.png` } })
  const { subject, references, prompt } = provider.asked ?? {}
  assert.equal(subject, { species: 'dog', pose: 'running', scene })
  assert.is(references?.length, 1)
  assert.is(prompt, 'a dog by the sea')
  assert.equal(
    (await readLedger(task.id)).map(({ unit, quantity, delivered }) => [unit, quantity, delivered]),
    [['image', 1, 1]],
  )
})

work('buys a diary picture once more if its answer was lost', async () => {
  const provider = createScriptedProvider({ [scene.id]: [{ wire: 'ambiguous' }] })
  assert.is((await runTask(newDiary(), provider)).status, 'success')
  assert.is(provider.calls.get(scene.id), 2)
})

work('waits for running units when it closes, and claims no more', async () => {
  let finish = () => {}
  const began = new Promise<void>((tell) => {
    finish = tell
  })
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const before = async () => {
    finish()
    await gate
  }
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
  const worker = await startWorker(provider, { concurrency: 1 })
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  worker.wake()
  await began
  const closing = worker.close(5000)
  letGo()
  await closing
  assert.equal(statusesOf(await getTask(task.id)), ['success', 'pending', 'pending', 'pending'])
  assert.is((await getTask(task.id)).status, 'processing')
})

const intent = { sent: true }
const order = { id: '7' }
const untilStopped = ({ signal }: ProviderCall) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

interface Stopped {
  readonly title: string
  /** The call, which closes the worker with `close`. */
  readonly act: (call: ProviderCall, close: () => void) => Promise<unknown>
  readonly status: 'success' | 'pending'
  /** The memo for the next worker. */
  readonly memo: unknown
}

const stops: readonly Stopped[] = [
  {
    title: 'waits for a call that was sent',
    async act(call, close) {
      await call.saveMemo(intent, { purchase, isOrdered: false })
      close()
      await new Promise((resolve) => setTimeout(resolve, 200))
    },
    status: 'success',
    memo: null,
  },
  {
    title: 'releases an ordered unit immediately',
    async act(call, close) {
      await call.saveMemo(order, { purchase, isOrdered: true })
      close()
      await untilStopped(call)
    },
    status: 'pending',
    memo: order,
  },
  {
    title: 'waits for the answer to an order, and then releases the unit',
    async act(call, close) {
      await call.saveMemo(intent, { purchase, isOrdered: false })
      close()
      await new Promise((resolve) => setTimeout(resolve, 200))
      await call.saveMemo(order, { purchase, isOrdered: true })
      await untilStopped(call)
    },
    status: 'pending',
    memo: order,
  },
  {
    title: 'starts no purchase',
    async act(call, close) {
      close()
      await new Promise((resolve) => setTimeout(resolve, 50))
      await call.saveMemo(intent, { purchase, isOrdered: false })
      await untilStopped(call)
    },
    status: 'pending',
    memo: null,
  },
]
for (const { title, act, status, memo } of stops) {
  work(`${title} when it closes`, async () => {
    let closing: Promise<void> | undefined
    const found: unknown[] = []
    const before = async (call: ProviderCall) => {
      found.push(call.memo)
      if (found.length > 1) return
      await act(call, () => {
        closing = worker.close(3_600_000)
      })
    }
    const deliver: Step = { deliver: 'all', before }
    const provider = createScriptedProvider({ lying: [deliver, deliver] })
    const worker = await startWorker(provider)
    const task = newAnimation('a', { units: ['lying'] })
    await store.createTask(task, null)
    worker.wake()
    while (closing === undefined) await new Promise(setImmediate)
    await closing
    assert.equal(statusesOf(await getTask(task.id)), [status])
    if (status === 'success') return
    assert.is(lines.at(-1)?.event, 'released')
    await (await startWorker(provider)).idle()
    assert.equal(found, [null, memo])
    assert.is((await getTask(task.id)).status, 'success')
  })
}

work('releases units that do not end within the grace time, and counts no attempt', async () => {
  let began = () => {}
  const beginning = new Promise<void>((resolve) => {
    began = resolve
  })
  const before = async (call: { signal: AbortSignal }) => {
    began()
    await new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(new Error('stopped'))))
  }
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
  const worker = await startWorker(provider)
  const task = newAvatar({ units: ['lying'] })
  await store.createTask(task, 'pet-avatar')
  worker.wake()
  await beginning
  await worker.close(0)
  assert.equal(statusesOf(await getTask(task.id)), ['pending'])
  assert.is(lines.at(-1)?.event, 'released')
  const other = await startWorker(provider)
  await other.idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.equal(
    lines.filter(({ event }) => event === 'started').map(({ attempt }) => attempt),
    [1, 1],
  )
})

work('stops a unit whose lease is lost, and writes nothing more for it', async () => {
  let lost: ClaimedUnit | undefined
  const holder = await store.openHolder()
  const before = async (call: { signal: AbortSignal }) => {
    // Another worker takes over the unit, as after the lease of a suspended process. The first one may renew it in between.
    const claim = { holderId: holder.id, limit: 1, leaseMs: 0, slots: { scripted: 4 } }
    while (lost === undefined) {
      await database.query('update units set lease_expires_at = 0')
      lost = (await store.claimUnits(claim))[0]
    }
    await store.renewLeases([lost.lease], 60_000)
    await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
  }
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
  // With room for another unit, it would claim this one itself.
  const worker = await startWorker(provider, { leaseMs: 150, concurrency: 1 })
  const task = newAvatar({ units: ['lying'] })
  await store.createTask(task, 'pet-avatar')
  worker.wake()
  while (!lines.some(({ event }) => event === 'lost')) await new Promise((resolve) => setTimeout(resolve, 10))
  assert.is(lost?.name, 'lying')
  assert.equal(statusesOf(await getTask(task.id)), ['processing'])
  assert.is((await readLedger(task.id)).length, 0)
  await worker.close(0)
  await holder.close()
})

for (const [what, leaseMs, end] of [
  ['it closes', 30_000, (worker: Worker) => worker.close(0)],
  ['its lease is lost', 150, () => {}],
] as const) {
  work(`stops retrying to write an outcome past the deadline when ${what}`, async () => {
    let refusals = 0
    const broken: Store = {
      ...store,
      // Otherwise it would retry forever.
      settleUnit: async () => {
        refusals += 1
        throw refusals < 20 ? new SvcError('unavailable', 'The database is locked.') : new Error('It is still asked.')
      },
      renewLeases: async (...of) => (refusals === 0 ? store.renewLeases(...of) : []),
    }
    const provider = createScriptedProvider({ lying: [{ hang: 'not_sent' }] })
    const worker = await startWorker(provider, { store: broken, concurrency: 1, leaseMs })
    const task = newAvatar({ units: ['lying'], ...deadline() })
    await store.createTask(task, null)
    worker.wake()
    while (refusals === 0) await delay(5)
    await end(worker)
    while (!lines.some(({ event }) => event === 'lost')) await delay(5)
    assert.ok(refusals < 20)
  })
}

work('renews the leases of long units', async () => {
  const before = () => new Promise<void>((resolve) => setTimeout(resolve, 400))
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
  const task = newAvatar({ units: ['lying'] })
  const worker = await startWorker(provider, { leaseMs: 120, pollMs: 30 })
  const other = await startWorker(provider, { leaseMs: 120, pollMs: 30 })
  await store.createTask(task, 'pet-avatar')
  await Promise.all([worker.idle(), other.idle()])
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(provider.calls.get('lying'), 1)
})

for (const [what, change] of [
  ['forward', 3_600_000],
  ['back', -3_600_000],
] as const) {
  // PostgreSQL's own clock decides there.
  work.onSqlite(`buys a unit once while the clock is set an hour ${what}`, async () => {
    let time = Date.now()
    const clocked = await openSqliteStore(join(database.folder, 'clocked.db'), { now: () => time })
    let claims = 0
    const counted: Store = {
      ...clocked,
      claimUnits(claim) {
        claims++
        return clocked.claimUnits(claim)
      },
    }
    const before = async () => {
      time += change
      for (const end = claims + 20; claims < end; ) await delay(5)
    }
    const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
    // Two processes: the lease of one is expired to both.
    const workers = [1, 2].map(async () =>
      startWorker(provider, { store: counted, holder: await clocked.openHolder(), leaseMs: 1000, pollMs: 10 }),
    )
    const [worker, other] = await Promise.all(workers)
    const task = newAvatar({ units: ['lying'], deadlineAt: new Date(time + 7_200_000) })
    await clocked.createTask(task, null)
    await Promise.all([worker?.idle(), other?.idle()])
    assert.is((await clocked.findTask(task.id))?.status, 'success')
    assert.is(provider.calls.get('lying'), 1)
    await Promise.all([worker?.close(0), other?.close(0)])
    await clocked.close()
  })
}

work('does not repeat a purchase after a crash', async () => {
  const task = newAvatar({ units: ['lying'] })
  await store.createTask(task, 'pet-avatar')
  const provider = createScriptedProvider()
  // The first worker dies between purchase and settlement: its store accepts the memo, and then answers no settlement and no
  // claim.
  const dying = { ...store, settleUnit: () => new Promise<boolean>(() => {}) }
  let bought = () => {}
  const purchase = new Promise<void>((resolve) => {
    bought = resolve
  })
  dying.saveMemo = async (lease, memo) => {
    const isHeld = await store.saveMemo(lease, memo)
    dying.claimUnits = () => new Promise(() => {})
    bought()
    return isHeld
  }
  const holder = await store.openHolder()
  const first = await startWorker(provider, { store: dying, holder })
  await purchase
  workers.splice(workers.indexOf(first), 1)
  await holder.close()
  const second = await startWorker(provider)
  await second.idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(
    (await readLedger(task.id)).map(({ attempt, certain }) => [attempt, certain]),
    [[2, 1]],
  )
})

work('finds tasks of other processes by polling, and continues after a failed claim', async () => {
  let failures = 2
  const shaky: Store = {
    ...store,
    async claimUnits(claim) {
      if (failures-- > 0) throw new SvcError('unavailable', 'The database is locked.')
      return store.claimUnits(claim)
    },
  }
  const worker = await startWorker(createScriptedProvider(), { store: shaky, pollMs: 20 })
  const task = newAvatar()
  await store.createTask(task, 'pet-avatar')
  await worker.idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(lines.filter(({ event }) => event === 'claim_failed').length, 2)
})

work('resolves idle when it is closed', async () => {
  const worker = await startWorker(createScriptedProvider(), { slots: { scripted: 0 } })
  await store.createTask(newAvatar(), 'pet-avatar')
  // Without a slot its units wait forever.
  const idle = worker.idle()
  await worker.close(0)
  await idle
})

work.run()
