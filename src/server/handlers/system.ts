import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type Capability, type ModelAlias, mayUseModel } from '../../contract/access.js'
import examples from '../../contract/examples.json' with { type: 'json' }
import type { FaultRules } from '../../contract/faults.js'
import type { Routes } from '../../contract/index.js'
import { buildOpenApi } from '../../contract/openapi.js'
import type { Body, ReplyBody, RouteTable } from '../../contract/route.js'
import { getPayloadSchema } from '../../contract/system.js'
import { SvcError } from '../../errors.js'
import { payloadSchema } from '../../insight/index.js'
import { clockIsReal, type ServiceClock, setClock } from '../../ports/clock.js'
import type { Store } from '../../ports/store.js'
import { isInRange, timeRange, toTimestamp } from '../../text/time.js'
import { type StaticFile, toStaticFile } from '../files/static-file.js'
import type { Handlers } from '../pipeline/handler.js'

const serviceName = 'svc'
const compress = promisify(gzip)

/** The output of each model alias, and the capability that a key needs for it. Source: gateway contract, 2.2. */
const models: readonly { id: ModelAlias; type: 'text' | Capability; needs?: Capability }[] = [
  { id: 'svc-general', type: 'text' },
  { id: 'svc-avatar', type: 'image', needs: 'image' },
  { id: 'svc-animation', type: 'video', needs: 'video' },
]

/**
 * `isReady` is false while the server cannot take calls, and from the signal that stops it. `publicUrl` is the address that
 * callers use, if the operator has named it.
 */
export function createSystemHandlers(
  store: Pick<Store, 'isAlive'>,
  routes: RouteTable,
  version: string,
  isReady: () => Promise<boolean>,
  publicUrl: string | null = null,
) {
  let openApi: Promise<{ readonly body: { readonly openapi: string }; readonly file: StaticFile }> | undefined
  let schema: { readonly $id: string; readonly reply: ReturnType<typeof describePayload> } | undefined
  return {
    async getHealth() {
      const alive = await store.isAlive()
      return {
        status: alive ? 200 : 503,
        body: { status: alive ? 'ok' : 'degraded', service: serviceName, version },
      }
    },
    getLive: () => ({ body: { status: 'ok' } }),
    async getReady() {
      const ready = await isReady()
      return { status: ready ? 200 : 503, body: { status: ready ? 'ok' : 'unavailable' } }
    },
    // A model is visible if the key permits both its alias and its capability.
    listModels: ({ key }) => ({
      body: {
        data: models
          .filter(({ id, needs }) => mayUseModel(key, id) && (needs === undefined || key.capabilities.includes(needs)))
          .map(({ id, type }) => ({ id, type })),
      },
    }),
    getOpenApi() {
      openApi ??= describe(routes, version, publicUrl)
      return openApi
    },
    // Callers use few addresses of a server: the schema of the last one is kept.
    getPayloadSchema({ findBaseUrl }) {
      const $id = `${findBaseUrl()}${getPayloadSchema.path}`
      if (schema?.$id !== $id) schema = { $id, reply: describePayload($id) }
      return schema.reply
    },
  } satisfies Partial<Handlers>
}

async function describe(routes: RouteTable, version: string, publicUrl: string | null) {
  const body = buildOpenApi(routes, version, examples, publicUrl ?? undefined) as { readonly openapi: string }
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const file = await toStaticFile(bytes, 'application/json; charset=utf-8')
  // The build has compressed the document without an address.
  const gzipped = publicUrl === null ? file.gzipped : new Uint8Array(await compress(bytes))
  return { body, file: { ...file, gzipped } }
}

async function describePayload($id: string) {
  const body = { ...payloadSchema, $id, title: String(payloadSchema.title) }
  const bytes = new TextEncoder().encode(`${JSON.stringify(body, undefined, 2)}\n`)
  return { body, file: await toStaticFile(bytes, 'application/json; charset=utf-8') }
}

/** `isTest` is false in production, where the clock is the real time. */
export function createClockHandlers(clock: ServiceClock, isTest: boolean) {
  function requireTest(): void {
    if (!isTest) throw new SvcError('forbidden', clockIsReal)
  }

  function present(): ReplyBody<Routes['getClock']> {
    const [now, offsetMs] = [clock.now(), clock.clockOffsetMs()]
    return { now: toTimestamp(now), real_time: toTimestamp(now - offsetMs), offset_seconds: offsetMs / 1000 }
  }

  async function move(body: Body<Routes['moveClock']>): Promise<void> {
    const { advance_seconds: seconds, time, reset } = body
    if ([seconds, time, reset].filter((member) => member !== undefined).length !== 1) {
      throw new SvcError('invalid_request', 'The body must have exactly one of `advance_seconds`, `time` and `reset`.')
    }
    if (reset) return clock.moveClock(() => 0)
    if (time !== undefined) return setClock(clock, requireInRange('time', Date.parse(time)))
    const aheadMs = (seconds ?? 0) * 1000
    requireInRange('advance_seconds', clock.now() + aheadMs)
    return clock.moveClock((offsetMs) => offsetMs + aheadMs)
  }

  return {
    getClock() {
      requireTest()
      return { body: present() }
    },
    async moveClock({ body }) {
      requireTest()
      await move(body)
      return { body: present() }
    },
  } satisfies Partial<Handlers>
}

function requireInRange(member: string, time: number): number {
  if (isInRange(time)) return time
  throw new SvcError('invalid_request', `\`${member}\` must lead to a time ${timeRange}.`)
}

/** Calls `load` with the first request; without it, in production, all are refused. */
export function createFaultHandlers(load: (() => Promise<FaultRules>) | undefined) {
  const rules = () => {
    if (load !== undefined) return load()
    throw new SvcError('forbidden', 'Fault rules are for tests: this service runs with SVC_ENV=production.')
  }
  return {
    async listFaults() {
      return { body: { data: await (await rules()).list() } }
    },
    async addFault({ body }) {
      return { body: await (await rules()).add(body) }
    },
    async clearFaults() {
      return { body: { removed: await (await rules()).clear() } }
    },
    async removeFault({ params }) {
      await (await rules()).remove(params.fault_id)
      return { status: 204 }
    },
  } satisfies Partial<Handlers>
}
