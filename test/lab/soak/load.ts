import { setTimeout as delay } from 'node:timers/promises'
import { insightFixtures } from '../../helpers/fixtures.js'
import { createRandom } from '../../helpers/random.js'
import { FailedTask, type Workload } from '../power/workload.js'
import { LostAnswer } from './caller.js'
import type { LoadedProgram } from './program.js'

/** Callers that choose among the same calls, and the longest pause between two of them. */
interface Callers {
  readonly count: number
  readonly pauseMs: number
  readonly calls: readonly (() => Promise<void>)[]
  /** True if the calls run a command. */
  readonly runs?: boolean
}

const scenes = ['sofa_nap', 'park_walk', 'garden_play', 'rainy_window', 'snow_play', 'ball_chase'] as const

export interface LoadOptions {
  readonly photoUrl: string
  readonly seed: number
  /** False without the calls that run a command. */
  readonly hasCommands?: boolean
  /** True if tasks may fail. */
  readonly mayFail?: boolean
}

/** Makes calls of all kinds until `signal` is aborted. Resolves with the faults of their answers when all have ended. */
export async function makeLoad(
  program: LoadedProgram,
  workload: Workload,
  { photoUrl, seed, hasCommands = true, mayFail = false }: LoadOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const random = createRandom(seed)
  const faults: string[] = []
  const goOn = async ({ calls, pauseMs }: Callers) => {
    while (!signal.aborted) {
      await choose(calls, random)().catch((error: Error) => {
        const isExpected = error instanceof LostAnswer || (mayFail && error instanceof FailedTask)
        if (!isExpected) faults.push(`${new Date().toISOString()} ${error.message}`)
      })
      await delay(random() * pauseMs)
    }
  }
  const all = listCallers(program, workload, photoUrl, random).filter(({ runs = false }) => hasCommands || !runs)
  await Promise.all(all.flatMap((callers) => Array.from({ length: callers.count }, () => goOn(callers))))
  return faults
}

function listCallers(
  program: LoadedProgram,
  workload: Workload,
  photoUrl: string,
  random: () => number,
): readonly Callers[] {
  const { avatar, animation, key, ...quick } = workload.calls
  const { caller } = program
  const taskUrls: string[] = []
  const make = async (path: string, body: unknown) => {
    taskUrls.push((await workload.makeTask(path, body, true)).url)
  }
  const avatarFromUrl = () => make('/v1/pet-avatar', { source_image_url: photoUrl, species: 'cat', pose: 'running' })
  const diary = () => {
    const [cos_key, scene] = [choose(workload.imageKeys, random), choose(scenes, random)]
    return make('/v1/pet-diary-images', { user_id: 'temporary', cos_key, species: 'dog', scene_ids: [scene] })
  }
  const usage = async () => void (await program.run('usage', '--by', 'day'))
  const invalidInsight = async () => {
    const body = { ...choose(insightFixtures, random).payload, metric: 'mood' }
    await caller.send('POST', '/v1/health-detail-insights/generate', body, {}, [422])
  }
  const repeat = async () => {
    if (caller.keyed.length > 0) await caller.repeat(choose(caller.keyed, random))
  }
  const read = async () => {
    if (taskUrls.length === 0) return
    const { body } = await caller.send('GET', choose(taskUrls, random))
    if (body.status !== 'success') throw new Error(`${body.task_id} was a success, and is ${body.status}`)
    const [, file = ''] = /"(?:generated|image)_url":"([^"]+)"/.exec(JSON.stringify(body)) ?? []
    const { pathname, search } = new URL(file)
    await caller.send('GET', pathname + search)
  }
  const list = async () => void (await caller.send('GET', '/v1/ai-insights?user_id=u1'))
  return [
    { count: 4, pauseMs: 200, calls: [avatar, avatarFromUrl, animation, diary] },
    { count: 1, pauseMs: 1000, calls: [key, key, usage], runs: true },
    { count: 12, pauseMs: 100, calls: [...Object.values(quick), quick.insight, invalidInsight, repeat, read, list] },
  ]
}

function choose<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T
}
