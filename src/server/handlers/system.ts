import { type Capability, type ModelAlias, mayUseModel } from '../../access.js'
import { buildOpenApi } from '../../contract/openapi.js'
import type { Route } from '../../contract/route.js'
import type { Store } from '../../ports.js'
import type { Handlers } from '../call.js'

const serviceName = 'svc'

/** What each model alias makes, and the capability that a key needs to have it made. Source: gateway contract, 2.2. */
const models: readonly { id: ModelAlias; type: 'text' | Capability; needs?: Capability }[] = [
  { id: 'svc-general', type: 'text' },
  { id: 'svc-avatar', type: 'image', needs: 'image' },
  { id: 'svc-animation', type: 'video', needs: 'video' },
]

export function createSystemHandlers(
  store: Store,
  routes: Readonly<Record<string, Route>>,
  version: string,
): Pick<Handlers, 'getHealth' | 'listModels' | 'getOpenApi'> {
  let openApi: { readonly body: { readonly openapi: string }; readonly json: string } | undefined
  return {
    async getHealth() {
      const alive = await store.isAlive()
      return {
        status: alive ? 200 : 503,
        body: { status: alive ? 'ok' : 'degraded', service: serviceName, version },
      }
    },
    // A model is visible if the key may use it: the alias, and what it makes.
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
  }
}
