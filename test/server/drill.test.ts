// run: takes 56 s, PostgreSQL, fleet, only if named
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createStubProvider } from '../../src/adapters/providers/stub/provider.js'
import { fleetObstacle, startFleet, type TestFleet } from '../helpers/fleet.js'
import type { Json } from '../helpers/media.js'
import { crash, keepOwnServer, query } from '../helpers/postgres.js'
import { reportSkip } from '../helpers/skip.js'
import { type RunningSvc, startSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { makeForm } from '../lab/power/workload.js'
import { Caller, type Target } from '../lab/soak/caller.js'

/** The library has no types. */
const yaml: { load(text: string): Json } = createRequire(import.meta.url)('js-yaml')
const [, compose = ''] = /^```yaml\n(.*?)^```$/ms.exec(readFileSync('src/server/fleet.md', 'utf8')) ?? []
const { services } = yaml.load(compose)
const poses = ['sitting', 'lying']
/** The units that a worker with stub models runs at once. */
const { slots } = createStubProvider({ delayMs: 0, fail: [] })
/** Tasks that are in work at once: their units are more than one worker runs. */
const callers = Math.ceil((1.5 * slots) / poses.length)
/** Tasks that are made after each kill. */
const madeAfterKill = 6
/** Both workers have units at almost all times. */
const unitMs = 200

interface Member extends Target {
  readonly service: 'web' | 'worker'
  readonly svc: RunningSvc
}

/** Returns the environment of a service on the compose file, at the addresses and ports of the test, with stub models. */
function toVariables(service: string, fleet: TestFleet): Record<string, string> {
  const { SVC_CONFIG, ...others } = services[service].environment
  const given = Object.entries<string>(others).filter(([name]) => name.startsWith('SVC_'))
  const own = { SVC_PORT: '0', SVC_METRICS_PORT: '0', SVC_METRICS_HOST: '127.0.0.1' }
  return { ...Object.fromEntries(given), ...fleet.variables, ...own, SVC_STUB_DELAY_MS: String(unitMs) }
}

/** The processes of the compose file. */
class Members {
  readonly caller = new Caller(async () => this.#findWeb())
  readonly #members: Member[] = []
  readonly #fleet: TestFleet
  readonly #session = openSession()
  #turn = 0

  constructor(fleet: TestFleet) {
    this.#fleet = fleet
  }

  async run(...args: string[]): Promise<Json> {
    const options = { env: toVariables('migrate', this.#fleet) }
    const { status, stdout, stderr } = await this.#session.run([...args, '--json'], options)
    assert.is(status, 0, `svc ${args.join(' ')}: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }

  async start(service: Member['service']): Promise<void> {
    const svc = startSvc(services[service].command, toVariables(service, this.#fleet))
    const member = { service, svc, url: '', agent: new Agent({ keepAlive: true }), isKilled: false }
    const place = this.#members.push(member) - 1
    const [, port = ''] = /is ready on http:\S+:(\d+)/.exec(await svc.nextLine()) ?? []
    this.#members[place] = { ...member, url: `http://127.0.0.1:${port}` }
  }

  /** Kills the oldest process of a service. */
  async kill(service: Member['service']): Promise<void> {
    const member = this.#members.find((one) => one.service === service)
    if (member === undefined) throw new Error(`no ${service} runs`)
    this.#members.splice(this.#members.indexOf(member), 1)
    member.isKilled = true
    member.svc.child.kill('SIGKILL')
    assert.is((await member.svc.ended).signal, 'SIGKILL')
    member.agent.destroy()
    assert.is(member.svc.errors(), '')
  }

  /** Stops all processes with a signal. Returns what they exited with and wrote on standard error. */
  async end(signal: NodeJS.Signals): Promise<readonly (readonly [number | null, string])[]> {
    return Promise.all(
      this.#members.splice(0).map(async ({ svc, agent }) => {
        agent.destroy()
        svc.child.kill(signal)
        return [(await svc.ended).code, svc.errors()] as const
      }),
    )
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    await this.#session.close()
  }

  /** Returns one web process after the other, as the proxy does. */
  #findWeb(): Member {
    const webs = this.#members.filter(({ service, url }) => service === 'web' && url !== '')
    const web = webs[this.#turn++ % webs.length]
    if (web === undefined) throw new Error('no web process runs')
    return web
  }
}

/** Makes avatars one after the other until `isOver`, and adds each to `made`. */
async function makeAvatars(caller: Caller, name: string, made: Map<string, Json>, isOver: () => boolean) {
  const form = await makeForm(poses)
  const host = new URL(services.web.environment.SVC_PUBLIC_URL).host
  for (let number = 0; !isOver(); number++) {
    const headers = {
      host,
      'content-type': 'multipart/form-data; boundary=x',
      'idempotency-key': `${name}-${number}`,
    }
    const { task_id: id } = (await caller.send('POST', '/v1/pet-avatar/generate', form, headers)).body
    let task: Json
    do {
      await delay(100)
      task = (await caller.send('GET', `/v1/pet-avatar/tasks/${id}`, undefined, { host })).body
    } while (['pending', 'processing'].includes(task.status))
    assert.is(task.status, 'success', id)
    assert.not(made.has(id), id)
    made.set(id, task)
    for (const pose of poses) {
      const { pathname, search } = new URL(task.images[pose].generated_url)
      await caller.send('GET', pathname + search, undefined, { host })
    }
  }
}

const drill = suite('the drill of the page for several machines')

drill('makes each task once while each process, and then the database, is killed', async () => {
  if (fleetObstacle !== undefined) return reportSkip(`the drill: ${fleetObstacle}`)
  keepOwnServer()
  const fleet = await startFleet()
  const members = new Members(fleet)
  const { caller } = members
  const made = new Map<string, Json>()
  const count = async (text: string) => Number((await query(fleet.database, text))[0]?.count)
  let isOver = false
  try {
    await members.run(...services.migrate.command)
    const created = await members.run('key', 'create', '--name', 'admin', '--admin', '--rate-limit', '0')
    caller.key = created.key
    const kinds = (['web', 'worker'] as const).flatMap((kind) =>
      Array.from<typeof kind>({ length: services[kind].deploy.replicas }).fill(kind),
    )
    assert.equal(kinds, ['web', 'web', 'worker', 'worker'])
    await Promise.all(kinds.map((kind) => members.start(kind)))

    const calling = Promise.all(
      Array.from({ length: callers }, (_, number) => makeAvatars(caller, `caller-${number}`, made, () => isOver)),
    )
    const proceed = async () => {
      const enough = made.size + madeAfterKill
      while (made.size < enough) await Promise.race([delay(20), calling])
    }
    const untilBothWork = async () => {
      const text = "select count(distinct holder_id) from units where status = 'processing'"
      while ((await count(text)) < 2) await Promise.race([delay(20), calling])
    }
    for (const kind of kinds) {
      await untilBothWork()
      await members.kill(kind)
      await proceed()
      await members.start(kind)
    }
    await crash(fleet.database)
    await proceed()
    isOver = true
    await calling

    for (const call of caller.keyed) await caller.repeat(call)
    assert.equal(caller.keyed.map(({ answered }) => answered?.body.task_id).sort(), [...made.keys()].sort())
    assert.is(await count('select count(*) from tasks'), made.size)
    const { tasks } = await members.run('task', 'list', '--limit', '100')
    assert.equal(new Set(tasks.map(({ status }: Json) => status)), new Set(['success']))
    const units = made.size * poses.length
    const delivered = 'from usage_ledger where delivered = 1'
    assert.is(await count(`select count(*) ${delivered}`), units)
    assert.is(await count(`select count(distinct unit_id) ${delivered}`), units)
    assert.equal(
      await members.end('SIGTERM'),
      Array.from(kinds, () => [0, '']),
    )
    await members.run('doctor')
  } finally {
    isOver = true
    await members.close()
    await fleet.close()
  }
})

drill.run()
