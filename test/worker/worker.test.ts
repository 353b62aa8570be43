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
import { createWorker, type Worker, type WorkerOptions } from '../../src/worker/worker.js'
import { storeSuite, type TestDatabase } from '../helpers/stores.js'
import {
  createRunners,
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
  const worker = createWorker({
    store,
    log: { write: (entry) => lines.push(entry as TaskEntry) },
    holder: await store.openHolder(),
    runners: createRunners(openFolderObjects(join(database.folder, 'objects')), provider),
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
  await (await begin(task, provider, change)).idle()
  return getTask(task.id)
}

async function getTask(id: string): Promise<Task> {
  const task = await store.findTask(id)
  if (task === undefined) throw new Error('the task is gone')
  return task
}

/** Reads columns of what a task has booked. */
async function readLedger(taskId: string, ...columns: readonly string[]): Promise<unknown[][]> {
  const from = `from usage_ledger where task_id = '${taskId}' order by unit_id, attempt`
  const rows = await database.query(`select ${columns.join()} ${from}`)
  return rows.map((row) => columns.map((column) => row[column]))
}

/** A promise, and what resolves it. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Starts a worker on a task. */
async function begin(task: NewTask, provider: ScriptedProvider, change: Partial<WorkerOptions> = {}): Promise<Worker> {
  const worker = await startWorker(provider, change)
  await store.createTask(task, 'pet-avatar')
  worker.wake()
  return worker
}

const intent = { sent: true }
const order = { id: '7' }
/** Saves what a provider that charges saves before it sends an order, and when that is accepted. */
const sent = (call: ProviderCall) => call.saveMemo(intent, { purchase, isOrdered: false })
const accept = (call: ProviderCall) => call.saveMemo(order, { purchase, isOrdered: true })

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
    await readLedger(task.id, 'certain', 'delivered', 'cost_micros'),
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

work('fails a clip without files, and books its price', async () => {
  const task = newAnimation('avatar_1', { units: ['lying'] })
  const done = await runTask(task, createScriptedProvider({ lying: [{ deliver: 'nothing' }] }))
  assert.is(done.status, 'failed')
  assert.is(done.units[0]?.failure?.code, 'provider_error')
  assert.equal(await readLedger(task.id, 'certain', 'delivered', 'cost_micros'), [[1, 0, priceMicros]])
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
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before: sent }] })
  const worker = await begin(task, provider)
  while (lines.filter(({ event }) => event === 'retrying').length < 2) await new Promise(setImmediate)
  mend()
  await worker.idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(await readLedger(task.id, 'attempt', 'certain', 'delivered'), [[1, 1, 1]])
})

work('books a purchase as certain that could not be stored in time', async () => {
  const task = newAvatar({ units: ['lying'], ...deadline() })
  breakStorage(task)
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before: sent }] })
  const done = await runTask(task, provider)
  assert.is(done.units[0]?.failure?.code, 'timed_out')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(await readLedger(task.id, 'certain', 'delivered', 'cost_micros'), [[1, 0, priceMicros]])
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
  assert.equal(await readLedger(task.id, 'attempt', 'certain'), [[1, 1]])
})

const refused: Step = { wire: 'refused', retryable: false }
const lost: Step = { wire: 'ambiguous' }
const ordered: Step = { wire: 'ordered' }
const unsent: Step = { wire: 'not_sent' }
const full: Step = { fault: new SvcError('unavailable', 'The disk is full.') }

/** Each row of the ledger is certain or unclear, and `again` if it may be a duplicate. */
type Case = readonly [string, 'avatar' | 'animation', readonly Step[], 'success' | 'failed', calls: number, string[]]

const cases: readonly Case[] = [
  ['a refusal of the content is final', 'avatar', [refused], 'failed', 1, []],
  ['a call that was not sent is retried', 'animation', [unsent, unsent], 'success', 3, ['certain']],
  ['a temporary refusal is retried thrice at most', 'avatar', Array(9).fill({ wire: 'refused' }), 'failed', 4, []],
  ['a rate limit delays it', 'animation', [{ wire: 'rate_limited', retryAfterMs: 60 }], 'success', 2, ['certain']],
  ['a picture that was lost is bought once more', 'avatar', [lost], 'success', 2, ['unclear', 'certain again']],
  ['a picture is not bought a third time', 'avatar', [lost, lost], 'failed', 2, ['unclear', 'unclear again']],
  ['a clip whose answer was lost is never bought again', 'animation', [lost], 'failed', 1, ['unclear']],
  ['an order is polled until it is ready', 'animation', [ordered, ordered, ordered], 'success', 4, ['certain']],
  ['an order that fails is booked', 'animation', [{ ...ordered, retryable: false }], 'failed', 1, ['certain']],
  ['an unavailable database is not a failure', 'avatar', [full], 'success', 2, ['certain']],
]
for (const [title, kind, steps, status, calls, booked] of cases) {
  work(`retries: ${title}`, async () => {
    const provider = createScriptedProvider({ lying: steps })
    const task = kind === 'avatar' ? newAvatar({ units: ['lying'] }) : newAnimation('a', { units: ['lying'] })
    const done = await runTask(task, provider)
    assert.is(done.status, status)
    assert.is(provider.calls.get('lying'), calls)
    const rows = await readLedger(task.id, 'certain', 'maybe_duplicate')
    assert.equal(
      rows.map(([certain, again]) => `${certain === 1 ? 'certain' : 'unclear'}${again === 1 ? ' again' : ''}`),
      booked,
    )
    assert.is(done.units[0]?.failure?.code, status === 'failed' ? 'provider_error' : undefined)
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
  const codes = done.units.map(({ failure }) => failure?.code)
  assert.equal(codes, ['timed_out', 'timed_out'])
  assert.equal(await readLedger(done.id, 'unit_id', 'certain'), [[`${done.id}/000`, 0]])
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
    assert.equal(await readLedger(done.id, 'certain', 'cost_micros'), [[Number(isOrdered), 70_000]])
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
    assert.equal(await readLedger(task.id, 'certain', 'cost_micros'), [[Number(isOrdered), 70_000]])
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
  assert.is((await readLedger(done.id, 'attempt')).length, 1)
})

work('fails a unit past its deadline without calling the provider, even one without slots', async () => {
  const provider = createScriptedProvider()
  const past = new Date(Date.now() - 1000)
  const task = newAvatar({ units: ['lying'], provider: 'nobody', createdAt: past, deadlineAt: past })
  const done = await runTask(task, provider)
  assert.is(done.units[0]?.failure?.code, 'timed_out')
  assert.is(provider.calls.size, 0)
})

work('waits for the time of a rate limit, but not beyond the deadline', async () => {
  const startedAt = Date.now()
  const steps = [100, 999_999].map((retryAfterMs): Step => ({ wire: 'rate_limited', retryAfterMs }))
  const done = await runTask(newAvatar({ units: ['lying'] }), createScriptedProvider({ lying: steps }))
  assert.is(done.units[0]?.failure?.code, 'provider_error')
  assert.ok(Date.now() - startedAt >= 100)
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
  assert.equal(await readLedger(task.id, 'unit', 'quantity', 'delivered'), [['image', 1, 1]])
})

work('waits for running units when it closes, and claims no more', async () => {
  const [began, gate] = [createGate(), createGate()]
  const before = async () => {
    began.open()
    await gate.opened
  }
  const task = newAvatar()
  const worker = await begin(task, createScriptedProvider({ lying: [{ deliver: 'all', before }] }), { concurrency: 1 })
  await began.opened
  const closing = worker.close(5000)
  gate.open()
  await closing
  assert.equal(statusesOf(await getTask(task.id)), ['success', 'pending', 'pending', 'pending'])
  assert.is((await getTask(task.id)).status, 'processing')
})

const untilStopped = ({ signal }: ProviderCall) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

let closing: Promise<void> | undefined
const close = () => {
  closing = workers.at(-1)?.close(3_600_000)
}
const wait = () => delay(50)
type Act = (call: ProviderCall) => unknown

/** The acts of the first call, and the memo for the next worker. */
const stops: readonly [title: string, acts: readonly Act[], status: 'success' | 'pending', memo: unknown][] = [
  ['waits for a call that was sent', [sent, close, wait], 'success', null],
  ['releases an ordered unit immediately', [accept, close, untilStopped], 'pending', order],
  ['waits for the answer to an order, then releases it', [sent, close, wait, accept, untilStopped], 'pending', order],
  ['starts no purchase', [close, wait, sent, untilStopped], 'pending', null],
]
for (const [title, acts, status, memo] of stops) {
  work(`${title} when it closes`, async () => {
    closing = undefined
    const found: unknown[] = []
    const before = async (call: ProviderCall) => {
      found.push(call.memo)
      if (found.length === 1) for (const act of acts) await act(call)
    }
    const deliver: Step = { deliver: 'all', before }
    const provider = createScriptedProvider({ lying: [deliver, deliver] })
    const task = newAnimation('a', { units: ['lying'] })
    await begin(task, provider)
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
  const began = createGate()
  const before = async (call: ProviderCall) => {
    began.open()
    await untilStopped(call).catch(() => {
      throw new Error('stopped')
    })
  }
  const provider = createScriptedProvider({ lying: [{ deliver: 'all', before }] })
  const task = newAvatar({ units: ['lying'] })
  const worker = await begin(task, provider)
  await began.opened
  await worker.close(0)
  assert.equal(statusesOf(await getTask(task.id)), ['pending'])
  assert.is(lines.at(-1)?.event, 'released')
  await (await startWorker(provider)).idle()
  assert.is((await getTask(task.id)).status, 'success')
  const attempts = lines.filter(({ event }) => event === 'started').map(({ attempt }) => attempt)
  assert.equal(attempts, [1, 1])
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
  const task = newAvatar({ units: ['lying'] })
  const worker = await begin(task, provider, { leaseMs: 150, concurrency: 1 })
  while (!lines.some(({ event }) => event === 'lost')) await delay(10)
  assert.is(lost?.name, 'lying')
  assert.equal(statusesOf(await getTask(task.id)), ['processing'])
  assert.is((await readLedger(task.id, 'attempt')).length, 0)
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
    const task = newAvatar({ units: ['lying'], ...deadline() })
    const worker = await begin(task, provider, { store: broken, concurrency: 1, leaseMs })
    while (refusals === 0) await delay(5)
    await end(worker)
    while (!lines.some(({ event }) => event === 'lost')) await delay(5)
    assert.ok(refusals < 20)
  })
}

work('renews the leases of long units', async () => {
  const before = () => delay(400)
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
  const purchased = createGate()
  dying.saveMemo = async (lease, memo) => {
    const isHeld = await store.saveMemo(lease, memo)
    dying.claimUnits = () => new Promise(() => {})
    purchased.open()
    return isHeld
  }
  const holder = await store.openHolder()
  const first = await startWorker(provider, { store: dying, holder })
  await purchased.opened
  workers.splice(workers.indexOf(first), 1)
  await holder.close()
  await (await startWorker(provider)).idle()
  assert.is((await getTask(task.id)).status, 'success')
  assert.is(provider.calls.get('lying'), 1)
  assert.equal(await readLedger(task.id, 'attempt', 'certain'), [[2, 1]])
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
