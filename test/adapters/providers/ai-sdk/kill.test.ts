// run: takes 10 s
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { setUp } from '../../../../src/adapters/providers/ai-sdk/model.js'
import { Database } from '../../../../src/adapters/sql/sqlite/driver.js'
import { openSqliteStore } from '../../../../src/adapters/sql/sqlite/open-store.js'
import { isFinalStatus } from '../../../../src/media/status.js'
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
} from '../../../helpers/upstreams/index.js'
import type { Step, Upstream } from '../../../helpers/upstreams/upstream.js'

const kill = suite('models whose worker is killed')
const priceMicros = 40_000

interface Row {
  readonly certain: number
  readonly maybe_duplicate: number
  readonly delivered: number
  readonly cost_micros: number
}

interface Model {
  readonly one: ModelCase
  readonly label: string
  readonly upstream: Upstream
}

interface Stage {
  readonly folder: string
  readonly models: readonly Model[]
  readonly store: Store
  /** Creates a task of one unit and returns its ID, which is also in its prompt. */
  create(model: Model): Promise<string>
  /** Kills the running worker and starts another. */
  replace(): Promise<void>
  /** Waits for the end of the task's unit and returns its status; a clip without a WebP counts as delivered. */
  waitForEnd(id: string): Promise<string | undefined>
  countBuys(model: Model, id: string): number
  rows(id: string): Row[]
}

async function openStage(): Promise<{ stage: Stage; close(): Promise<void> }> {
  const place = openTemporaryFolder()
  const cases = [...pictureCases, ...clipCases]
  const upstreams = await Promise.all(cases.map(({ double }) => startUpstream(double)))
  for (const upstream of upstreams) upstream.pollsNeeded = 2
  const settings = cases.map((one, place) => buildSettings(one, upstreams[place] as Upstream, { slots: 9 }))
  const models = cases.map((one, place) => ({
    one,
    upstream: upstreams[place] as Upstream,
    label: setUp(settings[place] as (typeof settings)[number]).label,
  }))
  const start = await bundleProgram('adapters/providers/ai-sdk/killable.ts', place.folder)
  const store = await openSqliteStore(join(place.folder, 'svc.db'), { lockWaitMs: 20_000 })
  openFolderObjects(join(place.folder, 'objects'))
  let child: Child | undefined
  const end = async () => {
    child?.process.kill('SIGKILL')
    await child?.ended
  }
  return {
    stage: {
      folder: place.folder,
      models,
      store,
      async create({ one, label }) {
        const change = { provider: label, model: one.settings.model, units: ['sitting'] }
        const draft = one.settings.kind === 'image' ? newAvatar(change) : newAnimation('a', change)
        const task = { ...draft, input: { ...(draft.input as object), tag: draft.id } }
        await store.createTask(task, 'pet-avatar')
        return task.id
      },
      async replace() {
        await end()
        child = start([place.folder, JSON.stringify(settings)])
        await child.ready
      },
      waitForEnd: (id) => waitForEnd(store, id),
      countBuys: ({ upstream }, id) =>
        upstream.received.filter(({ step, body }) => step === 'buy' && body.includes(id)).length,
      rows(id) {
        const database = new Database(join(place.folder, 'svc.db'), { readonly: true })
        const found = database.prepare('select * from usage_ledger where unit_id like ?').all(`${id}/%`) as Row[]
        database.close()
        return found
      },
    },
    async close() {
      await end()
      await store.close()
      await Promise.all(upstreams.map((upstream) => upstream.close()))
      place.close()
    },
  }
}

async function waitForEnd(store: Store, id: string): Promise<string | undefined> {
  const giveUpAt = Date.now() + 100_000
  for (;;) {
    const task = await store.findTask(id)
    if (task !== undefined && isFinalStatus(task.status)) return task.units[0]?.status
    if (Date.now() > giveUpAt) throw new Error(`${id} did not end`)
    await delay(20)
  }
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
async function beginUpTo(step: (typeof steps)[number], { models, folder, create }: Stage): Promise<() => void> {
  if (step === 'convert' || step === 'store') {
    const clips = models.filter(({ one }) => one.settings.kind === 'video')
    const stop = join(folder, `stop-${step}`)
    writeFileSync(stop, '')
    begunBy.set(step, await Promise.all(clips.map(async (model) => ({ model, id: await create(model) }))))
    const at = join(folder, `at-${step}`)
    while (!existsSync(at) || statSync(at).size < clips.length) await delay(20)
    rmSync(stop)
    return () => {}
  }
  const begun = await Promise.all(
    models
      .filter(({ one }) => has(one, step))
      .map(async (model) => {
        const held = model.upstream.hold(step)
        return { model, id: await create(model), held: await held }
      }),
  )
  begunBy.set(step, begun)
  return () => {
    for (const { held } of begun) held.release()
  }
}

let stage: Stage
let closeStage: (() => Promise<void>) | undefined
kill.before(async () => {
  ;({ stage, close: closeStage } = await openStage())
  await stage.replace()
  const releases: (() => void)[] = []
  for (const step of steps) releases.push(await beginUpTo(step, stage))
  await stage.replace()
  for (const release of releases) release()
})
kill.after(async () => closeStage?.())

for (const step of ['buy', 'poll', 'download'] as const) {
  kill(`while they ${step}: books every purchase, and marks every second one`, async () => {
    const { waitForEnd, countBuys, rows } = stage
    const begun = begunBy.get(step) ?? []
    assert.ok(begun.length > 0)
    for (const { model, id } of begun) {
      const status = await waitForEnd(id)
      const isPicture = model.one.settings.kind === 'image'
      const isKnown = step === 'poll' || (step === 'download' && !model.one.isDirect)
      const outcome = {
        name: model.one.name,
        status,
        buys: countBuys(model, id),
        booked: rows(id).map(({ certain, maybe_duplicate, cost_micros }) => [certain, maybe_duplicate, cost_micros]),
      }
      // An accepted order is found again. Otherwise a picture is bought once more and marked, and a clip never.
      const expected = isKnown
        ? { status: 'success', buys: 1, booked: [[1, 0, priceMicros]] }
        : isPicture
          ? {
              status: 'success',
              buys: 2,
              booked: [
                [0, 0, priceMicros],
                [1, 1, priceMicros],
              ],
            }
          : { status: 'failed', buys: 1, booked: [[0, 0, priceMicros]] }
      assert.equal(outcome, { name: model.one.name, ...expected })
    }
  })
}

for (const step of ['convert', 'store'] as const) {
  kill(`while they ${step} a clip: polls the order again, and books it once`, async () => {
    const { waitForEnd, countBuys, rows } = stage
    const begun = begunBy.get(step) ?? []
    assert.is(begun.length, clipCases.length)
    for (const { model, id } of begun) {
      assert.is(await waitForEnd(id), 'success', model.one.name)
      assert.is(countBuys(model, id), 1, model.one.name)
      assert.equal(
        rows(id).map(({ certain, delivered, cost_micros }) => [certain, delivered, cost_micros]),
        [[1, 1, priceMicros]],
      )
    }
  })
}

kill('at any moment: books each delivery once, and buys no clip twice', async () => {
  const { models, create, replace, waitForEnd, countBuys, rows } = stage
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
