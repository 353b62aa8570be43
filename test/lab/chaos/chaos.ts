import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrations, type SchemaStep } from '../../../src/adapters/sql/migrations.js'
import { connect } from '../../../src/adapters/sql/postgres/connection.js'
import { migratePostgres } from '../../../src/adapters/sql/postgres/migrate.js'
import { openPostgresStore } from '../../../src/adapters/sql/postgres/open-store.js'
import { createKey, fullSettings, type KeySettings } from '../../../src/contract/access.js'
import { startFleet, type TestFleet } from '../../helpers/fleet.js'
import { crash, query } from '../../helpers/postgres.js'
import { refuse } from '../../helpers/s3.js'
import { pictureCases, startUpstream, type Upstream } from '../../helpers/upstreams/index.js'
import { makeForm, Workload } from '../power/workload.js'
import { makeLoad } from '../soak/load.js'
import { servePhoto } from '../soak/soak.js'
import { compareFleet } from './compare.js'
import { type CommitCutter, findUncut, openCommitCutter } from './cut-commits.js'
import { FleetProgram, type Machine, shiftClock } from './fleet-program.js'
import { budgetMicros, callsPerMinute, type LimitedKey, slots, testLimits } from './limits.js'

export interface ChaosOptions {
  /** The number of times that everything happens. */
  readonly rounds: number
  readonly seed: number
  /** The time before an outage whose insights may be lost. */
  readonly lateMs: number
  /** The file `bin/svc.js` of the version before, which one machine runs. */
  readonly older?: string | undefined
  /** Receives a line for each event. */
  readonly report: (line: string) => void
}

const startsAtOnce = 8
const machineCount = 3
const pauseMs = 40_000
const clockAheadMs = 90_000
const cutMs = 15_000
const unitsEndMs = 120_000
const upstreamMs = 100

/**
 * Works on three machines to which everything happens, and compares the rows and the files with the answers. The differences
 * are sentences: facts that were lost, rows that disagree, limits that did not hold, faults of servers and answers.
 */
export async function runChaos(folder: string, options: ChaosOptions) {
  const fleet = await startFleet()
  const cutter = await openCommitCutter(fleet.database)
  const upstream = await startModel()
  const photoSite = await servePhoto()
  const over = new AbortController()
  const program = new FleetProgram(folder, {
    ...fleet.variables,
    ...writeModels(folder, upstream),
    SVC_DATABASE: cutter.address,
    SVC_ALLOW_PRIVATE_URLS: '1',
    SVC_STUB_DELAY_MS: '20',
    SVC_DATABASE_CONNECTIONS: '4',
    // Longer than a model needs, as an operator should.
    SVC_DRAIN_SECONDS: '200',
  })
  const machines: readonly Machine[] = [
    { variables: {} },
    { variables: shiftClock(clockAheadMs), role: 'web' },
    { variables: {}, role: 'worker', ...(options.older !== undefined && { file: options.older }) },
  ]
  const workload = new Workload(program)
  const differences: string[] = []
  try {
    differences.push(...(await startAtOnce(program, machines)))
    const keys = await createKeys(fleet)
    program.caller.key = keys.all.text
    await workload.prepare()
    const { seed } = options
    const loadOptions = { photoUrl: photoSite.url, seed, hasCommands: false, mayFail: true }
    const load = makeLoad(program, workload, loadOptions, over.signal)
    const limits = testLimits(program, keys, createMakeAvatar(program), fleet.database, over.signal)
    const world = { program, machines, fleet, cutter, report: options.report }
    for (let round = 0; round < options.rounds; round++) await makeChaos(world, round)
    over.abort()
    options.report('the load ends')
    differences.push(...(await load), ...(await limits))
    differences.push(...(await waitForUnits(fleet)))
    for (let place = 0; place < machineCount; place++) await program.stop(place)
    const { promised } = workload
    const compared = await compareFleet(folder, {
      ...{ program, fleet, promised, budgetKey: keys.budget.id, bought: upstream.count('buy') },
      ...{ lateMs: options.lateMs, keys: Object.keys(keys).length + 1 },
    })
    differences.push(...program.faults, ...compared.differences)
    const { cuts } = cutter
    differences.push(...findUncut(cuts))
    return { caller: program.caller, facts: promised.length, cuts, leftovers: compared.leftovers, differences }
  } finally {
    over.abort()
    photoSite.close()
    await program.close()
    await upstream.close()
    await cutter.close()
    await fleet.close()
  }
}

interface World {
  readonly program: FleetProgram
  readonly machines: readonly Machine[]
  readonly fleet: TestFleet
  readonly cutter: CommitCutter
  readonly report: (line: string) => void
}

async function makeChaos({ program, machines, fleet, cutter, report }: World, round: number): Promise<void> {
  const places = machines.keys()
  if (round === 0) {
    report('the machines beyond the third are stopped')
    const others = Array.from({ length: startsAtOnce - machineCount }, (_, count) => machineCount + count)
    await Promise.all(others.map((place) => program.stop(place)))
  }
  for (const [place, machine] of machines.entries()) {
    report(`machine ${place} is killed`)
    await program.kill(place)
    await program.start(place, machine)
  }
  report('a machine is paused; the bucket fails, is slow, and does not answer; PostgreSQL restarts')
  const paused = program.pause(round % machineCount, pauseMs)
  await delay(2000)
  await failBucket(fleet)
  for (let count = 0; count < 2; count++) await restartDatabase(program, fleet)
  await paused
  report('answers to commits are lost')
  cutter.isCutting = true
  await delay(cutMs)
  await program.suffer(async () => {
    cutter.isCutting = false
  })
  for (let count = 0; count < 2; count++) {
    report('PostgreSQL restarts')
    await restartDatabase(program, fleet)
  }
  if (round === 0) {
    report('a newer version adds a column')
    await addColumn(fleet.database)
  }
  for (const place of places) {
    report(`machine ${place} is stopped and started`)
    await program.stop(place)
    await program.start(place, machines[place] as Machine)
  }
}

/** Lets requests to the bucket fail with 500, take long, and wait for an answer that never comes. */
async function failBucket({ s3 }: TestFleet): Promise<void> {
  const { fault } = s3
  s3.fault = (_, response) => {
    refuse(response, 500, 'InternalError')
    return true
  }
  await delay(5000)
  s3.fault = () => delay(1500, false)
  await delay(5000)
  s3.fault = () => true
  await delay(12_000)
  s3.fault = fault
}

/** Breaks all connections, in a restart that needs a recovery, under load. */
async function restartDatabase(program: FleetProgram, { database }: TestFleet): Promise<void> {
  await program.suffer(() => crash(database))
  await delay(2000)
}

/** Does what the next version does before any of its machines starts. */
async function addColumn(address: string): Promise<void> {
  const expand: SchemaStep = {
    async up(tx) {
      await sql`alter table tasks add column later text`.execute(tx)
    },
  }
  const { db, close } = connect(address, 1)
  await migratePostgres(db, address, { ...migrations, '8000-expand': expand })
  await close()
}

/** Starts machines on an empty database. Returns a sentence if other than one of them created the first key. */
async function startAtOnce(program: FleetProgram, machines: readonly Machine[]): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: startsAtOnce }, (_, place) => program.start(place, machines[place] ?? { variables: {} })),
  )
  const created = made.filter((key) => key !== undefined).length
  return created === 1 ? [] : [`${created} of ${startsAtOnce} starts created a first key`]
}

/** Creates a key without limits, and one for each limit. */
async function createKeys({ database }: TestFleet) {
  const store = await openPostgresStore(database)
  const create = async (settings: Partial<KeySettings>): Promise<LimitedKey> => {
    const all = { ...fullSettings, name: 'chaos', admin: true, rateLimit: 0, ...settings }
    const { key, text } = createKey(all, new Date())
    await store.insertKey(key)
    return { id: key.id, text }
  }
  const keys = {
    all: await create({}),
    rate: await create({ rateLimit: callsPerMinute }),
    budget: await create({ budget: { micros: budgetMicros, per: 'month' } }),
  }
  await store.close()
  return keys
}

/** Starts a model that needs some time for a picture. */
function startModel(): Promise<Upstream> {
  const { double } = pictureCases.find(({ name }) => name === 'openai-compatible image') ?? {}
  if (double === undefined) throw new Error('there is no such model')
  return startUpstream({
    ...double,
    async serve(...call) {
      await delay(upstreamMs)
      return double.serve(...call)
    },
  })
}

/** Writes the operator's file: pictures are bought, clips are drawn. Returns the environment for it. */
function writeModels(folder: string, { baseUrl, key }: Upstream): Record<string, string> {
  const file = join(folder, 'svc.config.json')
  const avatar = {
    model: 'openai-compatible:gpt-image-2.6-flare',
    baseUrl,
    apiKey: 'env:MODELS_KEY',
    price: '0.04usd/image',
    slots,
  }
  writeFileSync(file, JSON.stringify({ models: { 'svc-avatar': avatar, 'svc-animation': 'stub' } }))
  return { SVC_CONFIG: file, MODELS_KEY: key }
}

function createMakeAvatar({ caller }: FleetProgram) {
  let count = 0
  return async (headers: Record<string, string>, expected: readonly number[]) => {
    const all = {
      ...headers,
      'content-type': 'multipart/form-data; boundary=x',
      'idempotency-key': `limited-${++count}`,
    }
    return caller.send('POST', '/v1/pet-avatar/generate', await makeForm(['lying']), all, [...expected])
  }
}

/** Waits until all tasks have ended. Returns a sentence if some do not. */
async function waitForUnits({ database }: TestFleet): Promise<string[]> {
  const text = "select count(*) as open from tasks where status in ('pending', 'processing', 'deleting')"
  let open = 0
  for (const endMs = Date.now() + unitsEndMs; Date.now() < endMs; await delay(200)) {
    open = Number((await query(database, text))[0]?.open)
    if (open === 0) return []
  }
  return [`${open} tasks do not end`]
}
