import { createStubProvider } from '../adapters/provider/stub/provider.js'
import type { ConfiguredModel, Operation } from '../config/models.js'
import type { Config } from '../config.js'
import { SvcError } from '../errors.js'
import type { RequestLog } from '../log.js'
import { clipSeconds } from '../media/animation.js'
import type { BreakerStore } from '../ports/breakers.js'
import type { ToLoop } from '../ports/loops.js'
import { type ConfiguredAlias, configuredAliases } from '../ports/models.js'
import type { CheckPicture } from '../ports/photos.js'
import type { Provider } from '../ports/provider.js'
import type { Model } from '../server/handlers/media.js'
import { watchProvider } from '../worker/breaker.js'
import { openLoops } from './loops.js'
import { openPictureCheck } from './picture-check.js'

/** Who makes pictures and clips. */
export interface Models {
  /** The model of an alias. Throws `provider_error` while its service refuses our key. */
  getModel(alias: ConfiguredAlias): Promise<Model>
  /** Whether the stub makes what the alias stands for. */
  isStub(alias: ConfiguredAlias): boolean
  /** All that units may have been created for, the stub always among them: it costs nothing. */
  readonly providers: readonly Provider[]
  close(): Promise<void>
}

interface OpenModel {
  readonly provider: Provider
  readonly unitMicros: number | null
}

interface ModelParts {
  readonly config: Config
  /** What the operator's file says; without, the stub makes everything. */
  readonly operation: Operation | undefined
  readonly store: BreakerStore
  readonly log: RequestLog
}

/** Opens the models of each alias. Throws what a configured model lacks to be called. */
export async function openModels({ config, operation, store, log }: ModelParts): Promise<Models> {
  const loops = openLoops(config)
  const pictures = openPictureCheck()
  const allowPrivate = config.allowPrivateUrls
  const stub = createStubProvider({ delayMs: config.stubDelayMs, fail: config.stubFail })
  const opened = new Map<ConfiguredAlias, OpenModel>()
  const listProviders = () => [stub, ...[...opened.values()].map(({ provider }) => provider)]
  const close = async () => {
    await Promise.all([...listProviders().map((provider) => provider.close()), loops.close(), pictures.close()])
  }
  try {
    for (const alias of Object.keys(configuredAliases) as ConfiguredAlias[]) {
      const model = operation?.models[alias] ?? 'stub'
      if (model !== 'stub')
        opened.set(alias, await openModel(model, { store, log, toLoop: loops.toLoop, ...pictures, allowPrivate }))
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    async getModel(alias) {
      const { provider, unitMicros } = opened.get(alias) ?? { provider: stub, unitMicros: 0 }
      const trouble = provider === stub ? undefined : await store.findTrouble(provider.label)
      if (trouble === 'refused') throw new SvcError('provider_error', keyRefused)
      const { label, imageModel, videoModel } = provider
      return { label, imageModel, videoModel, unitMicros, perPet: operation?.perPet }
    },
    isStub: (alias) => !opened.has(alias),
    providers: listProviders(),
    close,
  }
}

const keyRefused =
  'The model service does not accept the key of this gateway, so no task was created. Whoever runs the gateway must renew it.'

/** What looks at results, and works on them. */
interface Tools {
  readonly toLoop: ToLoop
  readonly checkPicture: CheckPicture
  readonly allowPrivate: boolean
}

async function openModel(
  { settings, isPriced }: ConfiguredModel,
  { store, ...tools }: Pick<ModelParts, 'store' | 'log'> & Tools,
): Promise<OpenModel> {
  // The SDK behind it is large; a service without real models never loads it.
  const { createAiSdkProvider, estimateMicros } = await import('../adapters/provider/ai-sdk/provider.js')
  const provider = await createAiSdkProvider(settings, tools)
  const unitMicros = isPriced ? estimateMicros(settings, clipSeconds) : null
  return { provider: watchProvider(provider, store, tools.log), unitMicros }
}
