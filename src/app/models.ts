import { createStubProvider } from '../adapters/provider/stub/provider.js'
import type { ConfiguredModel, Operation } from '../config/models.js'
import { type ConfiguredAlias, configuredAliases } from '../config/providers.js'
import type { Config } from '../config.js'
import { SvcError } from '../errors.js'
import type { RequestLog } from '../log.js'
import { clipSeconds } from '../media/animation.js'
import type { Provider } from '../ports/provider.js'
import type { Model } from '../server/handlers/media.js'
import { type Breaker, createBreaker } from '../worker/breaker.js'

/** Who makes pictures and clips. */
export interface Models {
  /** The model of an alias. Throws `provider_error` while its service refuses our key. */
  getModel(alias: ConfiguredAlias): Model
  /** All that units may have been created for, the stub always among them: it costs nothing. */
  readonly providers: readonly Provider[]
  /** Units in work at once by provider label; fewer where a model service does not work. */
  slots(): Readonly<Record<string, number>>
  close(): Promise<void>
}

interface OpenModel {
  readonly breaker: Breaker
  readonly unitMicros: number | null
}

/** Opens what the operator's file names; without one, the stub makes everything. Throws what a model lacks to be called. */
export async function openModels(config: Config, operation: Operation | undefined, log: RequestLog): Promise<Models> {
  const stub = createStubProvider({ delayMs: config.stubDelayMs, fail: config.stubFail })
  const opened = new Map<ConfiguredAlias, OpenModel>()
  const close = async () => {
    await Promise.all([stub, ...[...opened.values()].map(({ breaker }) => breaker.provider)].map((one) => one.close()))
  }
  try {
    for (const alias of Object.keys(configuredAliases) as ConfiguredAlias[]) {
      const model = operation?.models[alias] ?? 'stub'
      if (model !== 'stub') opened.set(alias, await openModel(model, log))
    }
  } catch (error) {
    await close()
    throw error
  }
  const breakers = [...opened.values()].map(({ breaker }) => breaker)
  return {
    getModel(alias) {
      const model = opened.get(alias)
      const perPet = operation?.perPet
      if (model === undefined) return { ...namesOf(stub), unitMicros: 0, perPet }
      if (model.breaker.isRefused()) throw new SvcError('provider_error', keyRefused)
      return { ...namesOf(model.breaker.provider), unitMicros: model.unitMicros, perPet }
    },
    providers: [stub, ...breakers.map(({ provider }) => provider)],
    slots: () =>
      Object.fromEntries([
        [stub.label, stub.slots],
        ...breakers.map((breaker) => [breaker.provider.label, breaker.slots()] as const),
      ]),
    close,
  }
}

const keyRefused =
  'The model service does not accept the key of this gateway, so no task was created. Whoever runs the gateway must renew it.'

async function openModel({ settings, isPriced }: ConfiguredModel, log: RequestLog): Promise<OpenModel> {
  // The SDK behind it is large; a service without real models never loads it.
  const { createAiSdkProvider, estimateMicros } = await import('../adapters/provider/ai-sdk/provider.js')
  const provider = await createAiSdkProvider(settings, { log })
  const unitMicros = isPriced ? estimateMicros(settings, clipSeconds) : null
  return { breaker: createBreaker(provider, log), unitMicros }
}

const namesOf = ({ label, imageModel, videoModel }: Provider) => ({ label, imageModel, videoModel })
