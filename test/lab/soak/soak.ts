import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makePhoto } from '../../helpers/media.js'
import { findLosses } from '../power/examine.js'
import { Workload } from '../power/workload.js'
import { compare, withDatabase } from './compare.js'
import { makeLoad } from './load.js'
import { readMemory } from './memory.js'
import { KilledProgram } from './program.js'

export interface SoakOptions {
  /** Yields when the server is to be killed, and returns when the load is to end. */
  readonly timeKills: AsyncIterable<void>
  readonly seed: number
  /** The time before a kill whose insights may be lost. */
  readonly lateMs: number
  /** The time from the end of the work to the measurement of the memory at rest. */
  readonly restMs: number
}

/** Facts of this time before a kill are checked as soon as the next server is ready; the end checks all. */
const checkedMs = 1000
const maxRefusedShare = 0.01
const unitsEndMs = 120_000

/**
 * Works on a server that is killed again and again, and compares its data directory with its answers. The differences are
 * sentences: facts that were lost, rows that disagree, faults of servers and answers.
 */
export async function runSoak(folder: string, options: SoakOptions) {
  const program = new KilledProgram(join(folder, 'data'))
  const workload = new Workload(program)
  const photoSite = await servePhoto()
  const over = new AbortController()
  const peak = { server: 0, children: 0 }
  let { pid } = await program.server()
  const sampling = setInterval(() => {
    const { server, children } = readMemory(pid)
    Object.assign(peak, { server: Math.max(peak.server, server), children: Math.max(peak.children, children) })
  }, 250)
  try {
    await workload.prepare()
    const load = makeLoad(program, workload, { photoUrl: photoSite.url, seed: options.seed }, over.signal)
    const differences: string[] = []
    for await (const _ of options.timeKills) {
      await program.kill()
      ;({ pid } = await program.server())
      differences.push(...checkLastFacts(program, workload))
    }
    over.abort()
    differences.push(...(await load))
    await waitForUnits(program)
    await delay(options.restMs)
    const atRest = readMemory(pid)
    await program.stop()
    const compared = await compare(program, workload.promised, options.lateMs)
    differences.push(...program.faults, ...compared.differences)
    const { refusedShare } = program.caller
    if (refusedShare > maxRefusedShare) differences.push(`${(refusedShare * 100).toFixed(1)} % of the answers are 503`)
    return { program, facts: workload.promised.length, peak, atRest, leftovers: compared.leftovers, differences }
  } finally {
    over.abort()
    clearInterval(sampling)
    photoSite.close()
    await program.close()
  }
}

/** Times kills by the clock: `killEveryMs` may be Infinity, and one server runs to the end. */
export async function* killEvery(killEveryMs: number, minutes: number): AsyncGenerator<void> {
  const endMs = Date.now() + minutes * 60_000
  for (let nextMs = Date.now() + killEveryMs; ; nextMs += killEveryMs) {
    await delay(Math.min(nextMs, endMs) - Date.now())
    if (nextMs >= endMs) return
    yield
  }
}

/** Serves the photo that avatars are made from. */
export async function servePhoto(): Promise<{ url: string; close(): void }> {
  const photo = await makePhoto()
  const site = createServer((_, response) => void response.setHeader('content-type', 'image/jpeg').end(photo))
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  return { url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/pet.jpg`, close: () => void site.close() }
}

/** Checks the facts that were acknowledged shortly before the last kill. */
function checkLastFacts({ dataDir, kills }: KilledProgram, { promised }: Workload): string[] {
  const fromMs = (kills.at(-1)?.atMs ?? 0) - checkedMs
  const last = promised.filter(({ isLate, endsAt, timeMs }) => !isLate && endsAt === undefined && timeMs > fromMs)
  return withDatabase(dataDir, (database) => findLosses(database, last, Date.now()))
}

async function waitForUnits({ dataDir }: KilledProgram): Promise<void> {
  const query = "select count(*) from tasks where status in ('pending', 'processing', 'deleting')"
  const countOpen = () => withDatabase(dataDir, (database) => Number(database.prepare(query).pluck().get()))
  for (const endMs = Date.now() + unitsEndMs; countOpen() > 0 && Date.now() < endMs; ) await delay(200)
}
