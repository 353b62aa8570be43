// run: waits, PostgreSQL
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type Faults, openFaults } from '../../src/faults/open-faults.js'
import type { TaskEntry } from '../../src/log/request-log.js'
import type { NewFault } from '../../src/ports/faults.js'
import type { ClaimedUnit } from '../../src/ports/queue.js'
import type { Store } from '../../src/ports/store.js'
import type { NewTask, Task } from '../../src/ports/tasks.js'
import { createWorker, type Worker } from '../../src/worker/worker.js'
import { storeSuite } from '../helpers/stores.js'
import { createRunners, createScriptedProvider, newAvatar, newDiary, openFolderObjects } from '../helpers/tasks.js'

const units = storeSuite('faults of units')
let store: Store
let folder: string
let faults: Faults
let lines: TaskEntry[]
const workers: Worker[] = []

units.before.each(async (database) => {
  store = await database.open()
  folder = database.folder
  lines = []
  faults = await openFaults({ store, now: store.now })
})
units.after.each(async () => {
  for (const worker of workers.splice(0)) await worker.close(0)
  faults.close()
})

let made = 0
async function addRule(fields: Record<string, string>, change: Partial<NewFault> = {}): Promise<string> {
  const id = `fault_${++made}`
  await store.insertFault({ id, fields, createdAt: new Date(made), expiresAt: null, times: null, every: 1, ...change })
  await faults.refresh()
  return id
}

/** Runs tasks to their end, with a provider that is not the stub. */
async function run(tasks: readonly NewTask[], provider = createScriptedProvider()): Promise<Task[]> {
  const worker = createWorker({
    store,
    faults,
    log: { write: (entry) => lines.push(entry as TaskEntry) },
    holder: await store.openHolder(),
    runners: createRunners(openFolderObjects(join(folder, 'objects')), provider),
    slots: { scripted: 4 },
    concurrency: 4,
    backoffMsAtMost: 1,
    pollMs: 50,
  })
  workers.push(worker)
  for (const task of tasks) await store.createTask(task, 'pet-avatar')
  worker.wake()
  await worker.idle()
  return Promise.all(tasks.map(async ({ id }) => (await store.findTask(id)) as Task))
}
const eventsOf = (unit: string) => lines.flatMap((line) => (line.unit === unit ? [[line.event, line.fault]] : []))

units('fails the first attempts of a pose, and then lets it succeed', async () => {
  const id = await addRule({ pose: 'running', retries: '2' })
  const provider = createScriptedProvider()
  const [task] = await run([newAvatar()], provider)
  assert.is(task?.status, 'success')
  assert.is(provider.calls.get('running'), 1)
  const ends = eventsOf('running').filter(([event]) => event !== 'started')
  assert.is(ends.join(' '), `retrying,${id} retrying,${id} succeeded,${id}`)
})

units('makes a pose later, without a slot meanwhile', async () => {
  const id = await addRule({ pose: 'lying', slow: '300ms' })
  const startedAt = performance.now()
  const [task] = await run([newAvatar()])
  assert.ok(performance.now() - startedAt >= 290)
  assert.is(task?.status, 'success')
  assert.equal(eventsOf('lying')[1], ['postponed', id])
})

units('never ends a pose before the deadline of its task', async () => {
  await addRule({ pose: 'lying', 'never-ends': 'true' })
  const [task] = await run([newAvatar({ units: ['lying'], deadlineAt: new Date(Date.now() + 1500) })])
  assert.equal(task?.units[0]?.failure?.code, 'timed_out')
})

units('fails a scene of a diary', async () => {
  await addRule({ scene: 'beach_run', code: 'provider_error' })
  const [task] = await run([newDiary()])
  assert.is(task?.status, 'failed')
})

units('stops after the first N poses, whichever tasks they are of', async () => {
  await addRule({ pose: 'sitting', code: 'provider_error' }, { times: 2 })
  const tasks = await run([newAvatar(), newAvatar(), newAvatar()])
  assert.is(tasks.filter(({ status }) => status === 'partial_success').length, 2)
  assert.is((await store.listFaults())[0]?.fired, 2)
})

units('keeps the rule of a unit whose process is killed, and counts it once', async () => {
  await addRule({ pose: 'sitting', code: 'provider_error' }, { times: 1 })
  const task = newAvatar({ units: ['sitting'] })
  // A process counts the unit and is killed before it writes the outcome.
  const claimed = { id: `${task.id}/000`, name: 'sitting', task: { ...task, units: [] }, attempt: 1 }
  assert.is((await faults.findForUnit(claimed as unknown as ClaimedUnit))?.effect.kind, 'code')
  await faults.refresh()
  const [killed, next] = await run([task, newAvatar({ units: ['sitting'] })])
  assert.equal([killed?.status, next?.status], ['failed', 'success'])
  assert.is((await store.listFaults())[0]?.fired, 1)
})

const magic = [
  ['svc-partial-success', 'partial_success', 'running'],
  ['svc-failed', 'failed', 'lying sitting walking running'],
  ['svc-retries', 'success', ''],
  ['svc-unknown', 'success', ''],
] as const
units('makes avatars of magic pets end as they say', async () => {
  const made = await run(magic.map(([petId]) => newAvatar({ owner: { userId: 'u', petId, missing: [] } })))
  for (const [place, [petId, status, failed]] of magic.entries()) {
    const names = made[place]?.units.filter((unit) => unit.status === 'failed').map(({ name }) => name)
    assert.equal([made[place]?.status, names?.join(' ')], [status, failed], petId)
  }
})

units.run()
