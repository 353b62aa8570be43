import { type Capability, type ModelAlias, mayUseModel } from '../../contract/access.js'
import { buildOpenApi } from '../../contract/openapi.js'
import type { RouteTable } from '../../contract/route.js'
import type { Store } from '../../ports/store.js'
import type { Handlers } from '../pipeline/handler.js'

const serviceName = 'svc'

/** The output of each model alias, and the capability that a key needs for it. Source: gateway contract, 2.2. */
const models: readonly { id: ModelAlias; type: 'text' | Capability; needs?: Capability }[] = [
  { id: 'svc-general', type: 'text' },
  { id: 'svc-avatar', type: 'image', needs: 'image' },
  { id: 'svc-animation', type: 'video', needs: 'video' },
]

/** `isStopping` is true from the signal that stops the server. */
export function createSystemHandlers(
  store: Pick<Store, 'isAlive'>,
  routes: RouteTable,
  version: string,
  isStopping: () => boolean,
) {
  let openApi: { readonly body: { readonly openapi: string }; readonly json: string } | undefined
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
      const ready = !isStopping() && (await store.isAlive())
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
      if (openApi === undefined) {
        const body = buildOpenApi(routes, version) as { readonly openapi: string }
        openApi = { body, json: JSON.stringify(body) }
      }
      return openApi
    },
  } satisfies Partial<Handlers>
}
