import type { AiSdkParts } from '../adapters/providers/ai-sdk/provider.js'
import { createStubProvider } from '../adapters/providers/stub/provider.js'
import type { ConfiguredModel, OperatorSettings } from '../config/models.js'
import type { Config } from '../config.js'
import { isUnavailable, SvcError } from '../errors.js'
import type { RequestLog } from '../log/request-log.js'
import { clipSeconds } from '../media/animation.js'
import type { Model } from '../media/task-base.js'
import { type ConfiguredAlias, configuredAliases } from '../models/settings.js'
import type { Provider } from '../ports/provider.js'
import type { Tracing } from '../ports/tracing.js'
import { type BreakerDatabase, watchProvider } from '../worker/breaker.js'
import { onDemand, openLoops } from './clip-loops.js'

interface ModelParts {
  readonly config: Config
  /** The parsed operator's file; without it, the stub makes everything. */
  readonly operation: OperatorSettings | undefined
  readonly store: BreakerDatabase
  readonly log: RequestLog
  readonly tracing?: Tracing | undefined
}

/** Opens the models that make pictures and clips, one for each alias. Throws `invalid_request` if a configured model cannot be called. */
export async function openModels({ config, operation, store, log, tracing }: ModelParts) {
  const loops = openLoops(config)
  const pictures = openPictureCheck()
  const tools = { toLoop: loops.toLoop, ...pictures, allowPrivate: config.allowPrivateUrls }
  const stub = createStubProvider({ delayMs: config.stubDelayMs, fail: config.stubFail, badge: config.stubBadge })
  const opened = new Map<ConfiguredAlias, Awaited<ReturnType<typeof openModel>>>()
  const listProviders = () => [stub, ...[...opened.values()].map(({ provider }) => provider)]
  const close = async () => {
    await Promise.all([...listProviders().map((provider) => provider.close()), loops.close(), pictures.close()])
  }
  try {
    for (const alias of Object.keys(configuredAliases) as ConfiguredAlias[]) {
      const model = operation?.models[alias] ?? 'stub'
      if (model !== 'stub') opened.set(alias, await openModel(model, { store, log, tracing, ...tools }))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    /** Returns the model of an alias. Throws `provider_error` while its service rejects our key. */
    async getModel(alias: ConfiguredAlias): Promise<Model> {
      const { provider, unitMicros } = opened.get(alias) ?? { provider: stub, unitMicros: 0 }
      const trouble = provider === stub ? undefined : await store.findTrouble(provider.label)
      if (trouble === 'refused') throw new SvcError('provider_error', keyRefused)
      const { label, imageModel, videoModel, takesCompanion = false } = provider
      return { label, imageModel, videoModel, takesCompanion, unitMicros, perPet: operation?.perPet }
    },
    /** True if the alias uses the stub. */
    isStub: (alias: ConfiguredAlias) => !opened.has(alias),
    /** All providers that units may have been created for; always includes the stub, which costs nothing. */
    providers: listProviders() as readonly Provider[],
    close,
  }
}

const keyRefused =
  'The model service does not accept the key of this gateway, so no task was created. The operator of the gateway must renew it.'

async function openModel(
  { settings, isPriced }: ConfiguredModel,
  { store, ...tools }: Omit<AiSdkParts, 'now' | 'timeouts'> & { readonly store: BreakerDatabase },
) {
  // The SDK is large; a service without real models never loads it.
  const { createAiSdkProvider, estimateMicros } = await import('../adapters/providers/ai-sdk/provider.js')
  const provider = await createAiSdkProvider(settings, { ...tools, now: store.now })
  const unitMicros = isPriced ? estimateMicros(settings, clipSeconds) : null
  return { provider: watchProvider(provider, store, tools.log), unitMicros }
}

/** Checks the pictures of models. A picture that cannot be checked because the checker is unavailable passes: it is paid. */
export function openPictureCheck() {
  const checker = onDemand(async () => {
    const { createPictureChecker } = await import('../adapters/photos/photo-reader.js')
    return createPictureChecker()
  })
  return {
    async checkPicture(bytes: Uint8Array): Promise<string | undefined> {
      try {
        return await (await checker.get()).check(bytes)
      } catch (error) {
        if (isUnavailable(error)) return undefined
        throw error
      }
    },
    // If it rejects, the provider uses the picture as it is, which is only larger.
    toFrame: async (bytes: Uint8Array) => (await checker.get()).toFrame(bytes),
    close: () => checker.close((made) => made.close()),
  }
}
