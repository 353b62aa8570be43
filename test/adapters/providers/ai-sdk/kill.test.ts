// run: takes 8 s
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setUp } from '../../../../src/adapters/providers/ai-sdk/model.js'
import { Database } from '../../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../../src/adapters/sql/sqlite/open-store.js'
import { isFinalStatus } from '../../../../src/media/status.js'
import type { ModelSettings } from '../../../../src/models/settings.js'
import type { Store } from '../../../../src/ports/store.js'
import { bundleProgram, type Child } from '../../../helpers/child.js'
import { newAnimation, newAvatar, openFolderObjects } from '../../../helpers/tasks.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
import {
  buildSettings,
  clipCases,
  type ModelCase,
  pictureCases,
  startUpstream,
  type Upstream,
} from '../../../helpers/upstreams/index.js'
import type { Step } from '../../../helpers/upstreams/upstream.js'

const kill = suite('models whose worker is killed')
const priceMicros = 40_000
const { folder, close: removeFolder } = openTemporaryFolder()

interface Model {
  readonly one: ModelCase
  readonly label: string
  readonly upstream: Upstream
  readonly settings: ModelSettings
}
let models: readonly Model[]
let store: Store
let start: (args: readonly string[]) => Child
let child: Child | undefined

/** Creates a task of one unit and returns its ID, which is also in its prompt. */
async function create({ one, label }: Model): Promise<string> {
  const change = { provider: label, model: one.settings.model, units: ['sitting'] }
  const draft = one.settings.kind === 'image' ? newAvatar(change) : newAnimation('a', change)
  const task = { ...draft, input: { ...(draft.input as object), tag: draft.id } }
  await store.createTask(task, 'pet-avatar')
  return task.id
}

async function end(): Promise<void> {
  child?.process.kill('SIGKILL')
  await child?.ended
}

/** Kills the running worker and starts another. */
async function replace(): Promise<void> {
  await end()
  child = start([folder, JSON.stringify(models.map(({ settings }) => settings))])
  await child.ready
}

/** Waits for the end of the task's unit and returns its status; a clip without a WebP counts as delivered. */
async function waitForEnd(id: string): Promise<string | undefined> {
  for (const giveUpAt = Date.now() + 100_000; ; await delay(20)) {
    const task = await store.findTask(id)
    if (task !== undefined && isFinalStatus(task.status)) return task.units[0]?.status
    if (Date.now() > giveUpAt) throw new Error(`${id} did not end`)
  }
}

const countBuys = ({ upstream }: Model, id: string) =>
  upstream.received.filter(({ step, body }) => step === 'buy' && body.includes(id)).length

interface Row {
  readonly certain: number
  readonly maybe_duplicate: number
  readonly delivered: number
  readonly cost_micros: number
}

function rows(id: string): Row[] {
  const database = new Database(join(folder, 'svc.db'), { readonly: true })
  const found = database.prepare('select * from usage_ledger where unit_id like ?').all(`${id}/%`) as Row[]
  database.close()
  return found
}

function has({ isDirect, settings }: ModelCase, step: Step): boolean {
  if (step === 'poll') return !isDirect
  return step === 'buy' || settings.kind === 'video' || settings.provider === 'fal' || settings.provider === 'replicate'
}

interface Begun {
  readonly model: Model
  readonly id: string
}

/** The steps at which one worker, with all of them under way, is killed. Those of the upstream last, because they time out. */
const steps = ['convert', 'store', 'download', 'poll', 'buy'] as const
const begunBy = new Map<string, readonly Begun[]>()

/** Resolves when a unit of each model of this kind is at the step. Returns a function that lets them go on. */
async function beginUpTo(step: (typeof steps)[number]): Promise<() => void> {
  if (step === 'convert' || step === 'store') {
    const clips = models.filter(({ one }) => one.settings.kind === 'video')
    const [stop, at] = [join(folder, `stop-${step}`), join(folder, `at-${step}`)]
    writeFileSync(stop, '')
    begunBy.set(step, await Promise.all(clips.map(async (model) => ({ model, id: await create(model) }))))
    while (!existsSync(at) || statSync(at).size < clips.length) await delay(20)
    rmSync(stop)
    return () => {}
  }
  const chosen = models.filter(({ one }) => has(one, step))
  const begun = await Promise.all(
    chosen.map(async (model) => {
      const held = model.upstream.hold(step)
      return { model, id: await create(model), held: await held }
    }),
  )
  begunBy.set(step, begun)
  return () => {
    for (const { held } of begun) held.release()
  }
}

kill.before(async () => {
  models = await Promise.all(
    [...pictureCases, ...clipCases].map(async (one) => {
      const upstream = await startUpstream(one.double)
      upstream.pollsNeeded = 2
      const settings = buildSettings(one, upstream, { slots: 9 })
      return { one, upstream, settings, label: setUp(settings).label }
    }),
  )
  start = await bundleProgram('adapters/providers/ai-sdk/killable.ts')
  store = await openSqliteStore(join(folder, 'svc.db'), { lockWaitMs: 20_000 })
  openFolderObjects(join(folder, 'objects'))
  await replace()
  const releases: (() => void)[] = []
  for (const step of steps) releases.push(await beginUpTo(step))
  await replace()
  for (const release of releases) release()
})
kill.after(async () => {
  await end()
  await store.close()
  await Promise.all(models.map(({ upstream }) => upstream.close()))
  removeFolder()
})

/** [certain, delivered, maybe duplicate, cost] of each row. */
const booked = (id: string) => rows(id).map((row) => [row.certain, row.delivered, row.maybe_duplicate, row.cost_micros])
const known = { status: 'success', buys: 1, booked: [[1, 1, 0, priceMicros]] }
const picture = { status: 'success', buys: 2, booked: [0, 1].map((second) => [second, second, second, priceMicros]) }
const clip = { status: 'failed', buys: 1, booked: [[0, 0, 0, priceMicros]] }

for (const step of steps) {
  kill(`while they ${step}: books every purchase, and marks every second one`, async () => {
    const begun = begunBy.get(step) ?? []
    assert.ok(begun.length >= clipCases.length)
    for (const { model, id } of begun) {
      const { name, isDirect, settings } = model.one
      // An accepted order is found again. Otherwise a picture is bought once more and marked, and a clip never.
      const isKnown = step !== 'buy' && !isDirect
      const expected = isKnown ? known : settings.kind === 'image' ? picture : clip
      const status = await waitForEnd(id)
      assert.equal({ status, buys: countBuys(model, id), booked: booked(id) }, expected, name)
    }
  })
}

kill('at any moment: books each delivery once, and buys no clip twice', async () => {
  const begun: Begun[] = []
  const rounds = 5
  for (let round = 0; round < rounds; round++) {
    for (const model of models) begun.push({ model, id: await create(model) })
    // Each round has its own part of the first 400 ms.
    await delay(((round + Math.random()) * 400) / rounds)
    await replace()
  }
  for (const { model, id } of begun) {
    const status = await waitForEnd(id)
    const booked = rows(id)
    const certain = booked.filter((row) => row.certain === 1)
    const buys = countBuys(model, id)
    const name = `${model.one.name} ${id} ${status}: ${buys} bought, ${JSON.stringify(booked)}`
    assert.is(certain.length, status === 'success' ? 1 : 0, name)
    assert.is(booked.filter(({ delivered }) => delivered === 1).length, certain.length, name)
    assert.ok(buys >= certain.length && buys <= booked.length, name)
    assert.ok(buys <= (model.one.settings.kind === 'image' ? 2 : 1), name)
  }
  assert.ok(begun.some(({ id }) => rows(id).some(({ certain }) => certain === 1)))
})

kill.run()
