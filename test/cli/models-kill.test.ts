import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findFfmpeg } from '../../src/adapters/clips/find-ffmpeg.js'
import { Database } from '../../src/adapters/sql/sqlite/driver.js'
import { type Json, makePhoto } from '../helpers/media.js'
import { type RunningSvc, runSvc, startSvc } from '../helpers/svc.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { clipCases, pictureCases, startUpstream, type Upstream } from '../helpers/upstreams/index.js'
import type { Step } from '../helpers/upstreams/upstream.js'

const kill = suite('svc serve with real models that is killed or stopped')

interface Place {
  readonly pictures: Upstream
  readonly clips: Upstream
  readonly dataDir: string
  readonly key: string
  /** Starts the server on the data directory, in place of the one that runs, which is killed. */
  restart(): Promise<string>
  /** Sends SIGTERM, and answers once the server has ended. */
  stop(): Promise<{ readonly code: number | null; readonly durationMs: number }>
  ledger(taskId: string): [certain: number, duplicate: number, costMicros: number][]
}

const shared = openTemporaryFolder()
/** A data directory with an API key and a finished avatar. Each test works on a copy. */
const prepared = join(shared.folder, 'data')
let key: string
let avatarId: string
kill.before(async () => {
  const created = runSvc(['key', 'create', '--name', 'a', '--rate-limit', '0', '--data-dir', prepared, '--json'])
  key = JSON.parse(created.stdout).key
  await withPlace(async (place) => {
    const url = await place.restart()
    avatarId = await createAvatar(place, url)
    assert.is((await waitForEnd(place, url, avatarId)).status, 'success')
    assert.is((await place.stop()).code, 0)
    cpSync(place.dataDir, prepared, { recursive: true })
  })
})
kill.after(() => shared.close())

/** A server whose pictures and clips come from doubles of model services, as an operator would set it up. */
async function withPlace(act: (place: Place) => Promise<void>): Promise<void> {
  const place = openTemporaryFolder()
  const dataDir = join(place.folder, 'data')
  cpSync(prepared, dataDir, { recursive: true })
  const pictures = await startUpstream(find('openai-compatible image'))
  const clips = await startUpstream(find('bytedance video'))
  // The first look finds the clip: the server waits for seconds before the second.
  clips.pollsNeeded = 0
  const config = join(place.folder, 'svc.config.json')
  const apiKey = 'env:MODELS_KEY'
  writeFileSync(
    config,
    JSON.stringify({
      models: {
        'svc-avatar': {
          model: 'openai-compatible:gpt-image-2.6-flare',
          baseUrl: pictures.baseUrl,
          apiKey,
          price: '0.04usd/image',
        },
        'svc-animation': {
          model: 'bytedance:dreamina-seedance-2-0-260128',
          baseUrl: clips.baseUrl,
          apiKey,
          price: '0.1usd/second',
          // One for each step of a clip.
          slots: 3,
        },
      },
    }),
  )
  let svc: RunningSvc | undefined
  const end = async () => {
    svc?.child.kill('SIGKILL')
    await svc?.ended
  }
  try {
    await act({
      pictures,
      clips,
      dataDir,
      key,
      async restart() {
        await end()
        const args = ['--provider', 'config', '--config', config, '--port', '0', '--json', '--data-dir', dataDir]
        svc = startSvc(['serve', ...args], { MODELS_KEY: pictures.key, SVC_DRAIN_SECONDS: '30' })
        return JSON.parse(await svc.nextLine()).url
      },
      async stop() {
        const startedAt = performance.now()
        svc?.child.kill('SIGTERM')
        const { code = null } = (await svc?.ended) ?? {}
        return { code, durationMs: performance.now() - startedAt }
      },
      ledger(taskId) {
        const database = new Database(join(dataDir, 'svc.db'), { readonly: true })
        const rows = database.prepare('select * from usage_ledger where task_id = ?').all(taskId) as Json[]
        database.close()
        return rows.map(({ certain, maybe_duplicate, cost_micros }) => [certain, maybe_duplicate, cost_micros])
      },
    })
  } finally {
    await end()
    await Promise.all([pictures.close(), clips.close()])
    place.close()
  }
}

async function createAvatar({ key }: Place, url: string): Promise<string> {
  const form = new FormData()
  form.set('species', 'dog')
  form.set('pose', 'sitting')
  form.set('source_image', new Blob([new Uint8Array(await makePhoto())]), 'a.jpg')
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/v1/pet-avatar/generate`, { method: 'POST', headers, body: form })
  return readTaskId(response)
}

async function createAnimation({ key }: Place, url: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ avatar_task_id: avatarId, pose: 'sitting' })
  return readTaskId(await fetch(`${url}/v1/pet-animation/generate`, { method: 'POST', headers, body }))
}

async function readTaskId(response: Response): Promise<string> {
  const body: Json = await response.json()
  assert.is(response.status, 200, JSON.stringify(body))
  return body.task_id
}

async function waitForEnd({ key }: Place, url: string, taskId: string): Promise<Json> {
  const kind = taskId.startsWith('avatar_') ? 'pet-avatar' : 'pet-animation'
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; await delay(50)) {
    const response = await fetch(`${url}/v1/${kind}/tasks/${taskId}`, { headers: { authorization: `Bearer ${key}` } })
    const task: Json = await response.json()
    if (!['pending', 'processing'].includes(task.status)) return task
  }
  throw new Error(`${taskId} does not end`)
}

/** Waits until the server takes no more calls: it has seen the signal. */
async function waitUntilRefused(url: string): Promise<void> {
  const answers = () =>
    fetch(`${url}/health`).then(
      () => true,
      () => false,
    )
  while (await answers()) await delay(20)
}

const pictureMicros = 40_000
const clipMicros = 500_000
/** Without ffmpeg a clip has no WebP. */
const delivered =
  findFfmpeg({ path: undefined, folders: process.env.PATH }) === undefined ? 'partial_success' : 'success'

/** Creates a task, and returns it when the model service holds a request of this step. */
async function holdUnit(place: Place, url: string, upstream: Upstream, step: Step, create: typeof createAvatar) {
  const held = upstream.hold(step)
  const id = await create(place, url)
  return { id, release: (await held).release }
}

/**
 * Creates a task for each moment: an avatar whose picture is being bought, and an animation whose clip is being bought, looked
 * for or downloaded. The model services hold these requests.
 */
async function holdEachStep(place: Place, url: string) {
  const { clips, pictures } = place
  return {
    // A request that is held is the next one of its step: the later steps come first.
    downloaded: await holdUnit(place, url, clips, 'download', createAnimation),
    polled: await holdUnit(place, url, clips, 'poll', createAnimation),
    boughtClip: await holdUnit(place, url, clips, 'buy', createAnimation),
    boughtPicture: await holdUnit(place, url, pictures, 'buy', createAvatar),
  }
}

kill('a kill in the middle of each step: a picture is bought again, a clip never, and all of it is booked', () =>
  withPlace(async (place) => {
    const { pictures, clips } = place
    const held = await holdEachStep(place, await place.restart())
    const url = await place.restart()
    for (const { release } of Object.values(held)) release()
    for (const [{ id }, status, booked] of [
      // If it is unknown whether a picture was made, it is bought once more, which the ledger says; a clip never is.
      [
        held.boughtPicture,
        'success',
        [
          [0, 0, pictureMicros],
          [1, 1, pictureMicros],
        ],
      ],
      [held.boughtClip, 'failed', [[0, 0, clipMicros]]],
      [held.polled, delivered, [[1, 0, clipMicros]]],
      [held.downloaded, delivered, [[1, 0, clipMicros]]],
    ] as const) {
      const task = await waitForEnd(place, url, id)
      assert.is(task.status, status)
      assert.equal(place.ledger(id), booked)
      if (status === 'failed') assert.is(task.images.sitting.error_code, 'provider_error')
      const file = task.images.sitting.generated_cos_key ?? task.images.sitting.mp4_cos_key
      if (status !== 'failed') assert.ok(existsSync(join(place.dataDir, 'objects', file)), file)
    }
    assert.equal([pictures.count('buy'), clips.count('buy')], [2, 3])
  }),
)

kill(
  'a stop in the middle of each step waits for what is being bought, for no poll and no download, and each is bought once',
  () =>
    withPlace(async (place) => {
      const { pictures, clips } = place
      let url = await place.restart()
      const held = await holdEachStep(place, url)
      const stopped = place.stop()
      await waitUntilRefused(url)
      for (const { release } of [held.boughtPicture, held.boughtClip]) release()
      const { code, durationMs } = await stopped
      for (const { release } of [held.polled, held.downloaded]) release()
      assert.is(code, 0)
      assert.ok(durationMs < 8000, `it took ${durationMs} ms`)
      url = await place.restart()
      for (const [{ id }, status, costMicros] of [
        [held.boughtPicture, 'success', pictureMicros],
        [held.boughtClip, delivered, clipMicros],
        [held.polled, delivered, clipMicros],
        [held.downloaded, delivered, clipMicros],
      ] as const) {
        assert.is((await waitForEnd(place, url, id)).status, status)
        assert.equal(place.ledger(id), [[1, 0, costMicros]])
      }
      assert.equal([pictures.count('buy'), clips.count('buy')], [1, 3])
    }),
)

function find(name: string) {
  const found = [...pictureCases, ...clipCases].find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no case ${name}`)
  return found.double
}

kill.run()
