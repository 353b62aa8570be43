import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Database } from '../../../src/adapters/sql/sqlite/driver.js'
import { insightFixtures } from '../../helpers/fixtures.js'
import { type Json, makeForm } from '../../helpers/media.js'
import { reportSkip } from '../../helpers/skip.js'
import { type RunningSvc, startSvc } from '../../helpers/svc.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { runDoctor } from './examine.js'
import { compilePreload } from './program.js'

const refused = suite('svc serve whose disk refuses writes')
let place: ReturnType<typeof openTemporaryFolder>
let svc: RunningSvc | undefined
refused.before.each(() => {
  place = openTemporaryFolder()
})
refused.after.each(async () => {
  svc?.child.kill('SIGKILL')
  await svc?.ended
  place.close()
})

type Call = () => Promise<{ readonly status: number; readonly body: Json }>

function createCaller(url: string, key: string) {
  const send = async (method: string, path: string, body?: unknown): ReturnType<Call> => {
    const isForm = body instanceof FormData
    const headers = { authorization: `Bearer ${key}`, ...(!isForm && { 'content-type': 'application/json' }) }
    const content = isForm || body === undefined ? body : JSON.stringify(body)
    const response = await fetch(url + path, { method, headers, ...(content !== undefined && { body: content }) })
    return { status: response.status, body: await response.json() }
  }
  return {
    createAvatar: async () => send('POST', '/v1/pet-avatar/generate', await makeForm({ poses: ['sitting', 'lying'] })),
    createCards: () => send('POST', '/v1/home-insights/generate', { user_id: 'u1', pet_id: 'p1', species: 'dog' }),
    createInsight: () => send('POST', '/v1/health-detail-insights/generate', insightFixtures[0]?.payload),
    findTask: (id: string) => send('GET', `/v1/pet-avatar/tasks/${id}`),
    health: () => send('GET', '/health'),
  }
}

/** Calls until an answer has this status, and returns it. */
async function until(status: number, call: Call): Promise<Json> {
  for (let tries = 0; ; tries++) {
    const answer = await call()
    if (answer.status === status) return answer.body
    assert.ok(tries < 500, JSON.stringify(answer))
    await delay(10)
  }
}

const refusals = [
  ['is full', 'REFUSE_FULL', /The disk is full/g],
  [
    'becomes read-only',
    'REFUSE_READ_ONLY',
    /The database (cannot be written \(the disk refuses to store it\)|is read-only)/g,
  ],
] as const
for (const [what, variable, says] of refusals) {
  refused(`answers 503 while the disk ${what}, loses nothing, and recovers`, async () => {
    const library = join(place.folder, 'refuse.so')
    const obstacle = compilePreload(library, 'refuse.c')
    if (obstacle !== undefined) return reportSkip(obstacle)
    const [dataDir, refusing] = [join(place.folder, 'data'), join(place.folder, 'refusing')]
    svc = startSvc(['serve', '--port', '0', '--json', '--data-dir', dataDir], {
      ...{ LD_PRELOAD: library, REFUSE_BELOW: `${dataDir}/`, [variable]: refusing, UV_USE_IO_URING: '0' },
      SVC_STUB_DELAY_MS: '100',
    })
    const { url, key } = JSON.parse(await svc.nextLine())
    const caller = createCaller(url, key.key)
    const tasks: string[] = []
    const cards: string[] = []
    const createAll = async () => {
      tasks.push((await until(200, caller.createAvatar)).task_id)
      cards.push(...(await until(200, caller.createCards)).insights.map(({ insight_id }: Json) => insight_id))
      await until(200, caller.createInsight)
    }

    await createAll()
    writeFileSync(refusing, '')
    for (const create of [caller.createAvatar, caller.createCards, caller.createInsight]) {
      assert.is((await until(503, create)).error.code, 'unavailable')
    }
    assert.is((await until(503, caller.health)).status, 'degraded')
    // The rate of calls is counted in the database, so reads are refused too.
    for (const id of tasks) assert.is((await caller.findTask(id)).status, 503)
    assert.is(svc.errors().match(says)?.length, 1, svc.errors())

    rmSync(refusing)
    await createAll()
    await until(200, caller.health)
    for (const id of tasks) {
      let status = 'pending'
      while (['pending', 'processing'].includes(status)) {
        await delay(20)
        ;({ status } = await until(200, () => caller.findTask(id)))
      }
      assert.is(status, 'success')
    }
    svc.child.kill('SIGTERM')
    assert.is((await svc.ended).code, 0, svc.errors())
    assert.equal(await runDoctor(dataDir), [])
    const database = new Database(join(dataDir, 'svc.db'), { readonly: true })
    const stored = database.prepare<[], string>('select id from home_insights').pluck().all()
    const booked = database.prepare<[], number>('select sum(delivered) from usage_ledger').pluck().get()
    database.close()
    assert.equal(
      cards.filter((id) => !stored.includes(id)),
      [],
    )
    assert.is(booked, 2 * tasks.length)
  })
}

refused.run()
