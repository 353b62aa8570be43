import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Errors } from 'typebox/schema'
import { SvcError } from '../errors.js'
import { shippedUrl } from '../runtime/entry.js'
import { type ModelKind, type ProviderName, providerNames } from './providers.js'
import type { ModelSettings } from './settings.js'

const Provider = Type.Enum(providerNames)
const Name = Type.String({ minLength: 1 })
/** A day, as `2026-11-24`. */
const Day = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$' })
const Range = Type.Tuple([Type.Number(), Type.Number()])
const strict = { additionalProperties: false }

/** The day of the check, and where the data are from: the model list of a package, or URLs. */
const checked = { checkedOn: Day, source: Type.String({ pattern: '^(https://|@ai-sdk/[\\w-]+ [\\d.]+, model list)' }) }

/** A model as its vendor described it on the day of the check. Everything that names a model reads this list. */
const KnownModel = Type.Object(
  {
    provider: Provider,
    model: Name,
    kind: Type.Enum(['image', 'video']),
    /** The options that `svc init` writes for it. */
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** For pictures: the number of reference pictures that it accepts. */
    references: Type.Optional(Type.Integer()),
    /** For pictures: true if it has an option for the likeness to its references, which is then set to high. */
    inputFidelity: Type.Optional(Type.Literal(true)),
    /** For clips: the frames that it accepts. */
    frames: Type.Optional(Type.Enum(['first', 'first and last'])),
    /** For clips: the shortest and the longest length. */
    seconds: Type.Optional(Range),
    /** The limits of a picture that it receives: pixels, and the width divided by the height. */
    input: Type.Optional(
      Type.Object({ shortSideAtLeast: Type.Number(), bytesAtMost: Type.Number(), aspect: Range }, strict),
    ),
    /** The vendor's price with the options above. Absent if it is unknown, or per token. */
    price: Type.Optional(Name),
    /**
     * The day on which the vendor shuts it down, past or future, and the model that the vendor recommends instead. If
     * `isEarliest`, the vendor promises only that the model works until then.
     */
    shutdown: Type.Optional(
      Type.Object({ on: Day, successor: Name, isEarliest: Type.Optional(Type.Literal(true)) }, strict),
    ),
    ...checked,
    /** For those who maintain the list. */
    note: Type.Optional(Name),
  },
  strict,
)
export type KnownModel = Static<typeof KnownModel>

/** Models that the package of a vendor lists and svc does not recommend. The reason follows the name in a sentence. */
const UnsuitedModels = Type.Object(
  { provider: Provider, why: Name, ...checked, models: Type.Array(Name, { minItems: 1 }) },
  strict,
)

const ModelList = Type.Object({ known: Type.Array(KnownModel), unsuited: Type.Array(UnsuitedModels) }, strict)
type ModelList = Static<typeof ModelList>

let list: ModelList | undefined

/**
 * Reads `catalog/models.json` on the first call. `proposeModel` returns the first known model of a provider and kind that
 * has no shutdown date. Throws `internal_error` that names the invalid member.
 */
export function readModelList(): ModelList {
  if (list !== undefined) return list
  const value: unknown = JSON.parse(readFileSync(shippedUrl('catalog/models.json'), 'utf8'))
  const [isValid, [fault]] = Errors(ModelList, value)
  if (!isValid) {
    throw new SvcError('internal_error', `catalog/models.json: ${fault?.instancePath} ${fault?.message}.`)
  }
  list = value as ModelList
  return list
}

/** Returns the recommended model; undefined if the provider has no model of the kind without a shutdown date. */
export function proposeModel(provider: ProviderName, kind: ModelKind): KnownModel | undefined {
  const owner = ownerOf(provider)
  return readModelList().known.find(
    (known) => known.provider === owner && known.kind === kind && known.shutdown === undefined,
  )
}

/** Lists the providers that have a recommended model. */
export function listMakers(kind: ModelKind): ProviderName[] {
  return providerNames.filter((name) => proposeModel(name, kind) !== undefined)
}

/** Lists the recommended models as `provider:model`, in the order of the providers. */
export function listProposals(kind: ModelKind): string[] {
  return listMakers(kind).map((name) => `${name}:${proposeModel(name, kind)?.model}`)
}

/** Lists the models of a provider that have no shutdown date. */
export function listKnownModels(provider: ProviderName): KnownModel[] {
  const owner = ownerOf(provider)
  return readModelList().known.filter((known) => known.provider === owner && known.shutdown === undefined)
}

/** Finds a model by the name in the operator's file; an unlisted model may still exist. */
export function findKnownModel(provider: ProviderName, model: string): KnownModel | undefined {
  const owner = ownerOf(provider)
  // Gateways write `openai/gpt-image-2.6-sunburst`.
  const name = owner === provider ? model : model.split('/').at(-1)
  return readModelList().known.find((known) => known.provider === owner && known.model === name)
}

/** Finds the reason against a model that a package lists; undefined for every other model. */
export function findUnsuited(provider: ProviderName, model: string): ModelList['unsuited'][number] | undefined {
  return readModelList().unsuited.find((one) => one.provider === provider && one.models.includes(model))
}

/** Returns true for a successor of ended models that the vendor's package cannot call. */
export function isOutOfReach(provider: ProviderName, model: string): boolean {
  const owner = ownerOf(provider)
  const isSuccessor = readModelList().known.some(
    (known) => known.provider === owner && known.shutdown?.successor === model,
  )
  return isSuccessor && findKnownModel(provider, model) === undefined
}

/** Returns the provider whose models it serves: an OpenAI-compatible endpoint serves those of OpenAI. */
function ownerOf(provider: ProviderName): ProviderName {
  return provider === 'openai-compatible' ? 'openai' : provider
}

/** Describes the product and the limits of a model in a phrase: `clips of 4 to 15 s, first and last frame`. */
export function describeModel({ kind, references, frames, seconds, input, inputFidelity }: KnownModel): string {
  const parts =
    kind === 'image'
      ? [`pictures, from ${references} of the pet`, ...(inputFidelity ? ['input fidelity'] : [])]
      : [`clips${seconds ? ` of ${seconds[0]} to ${seconds[1]} s` : ''}, ${frames} frame`]
  const limits =
    input &&
    `frames from ${input.shortSideAtLeast} px, at most ${input.bytesAtMost / 1e6} MB, width to height ${input.aspect.join(' to ')}`
  return [...parts, ...(limits ? [limits] : [])].join(', ')
}

type NamedModel = Pick<ModelSettings, 'provider' | 'model' | 'kind'>

/** Returns the sentence about the end of a known model, and whether that day has come; undefined for other models. */
export function findShutdown(model: NamedModel, now: Date): { isOver: boolean; detail: string } | undefined {
  const day = findKnownModel(model.provider, model.model)?.shutdown?.on
  return day === undefined ? undefined : { isOver: isOver(day, now), detail: describeShutdown(model, day, now) }
}

/** Describes the end of a model on `day`, with the replacement: the successor, or else the first proposal of any provider. */
export function describeShutdown({ provider, model, kind }: NamedModel, day: string, now: Date): string {
  const { successor, isEarliest } = findKnownModel(provider, model)?.shutdown ?? {}
  const verb = isEarliest ? 'may be switched off from' : `${isOver(day, now) ? 'was' : 'will be'} switched off on`
  const proposed = proposeInstead(provider, kind)
  const isUsable = successor !== undefined && !isOutOfReach(provider, successor)
  const way = isUsable ? `take ${provider}:${successor}` : `take ${proposed}`
  const why = successor === undefined || isUsable ? '' : `its successor, ${successor}, cannot be used here; `
  return `${model} ${verb} ${day}: ${why}${way}`
}

/** Returns the recommended model of the provider, or else of the first provider that has one, as `provider:model`. */
export function proposeInstead(provider: ProviderName, kind: ModelKind): string | undefined {
  return listProposals(kind).find((name) => name.startsWith(`${provider}:`)) ?? listProposals(kind)[0]
}

const isOver = (day: string, now: Date) => day <= now.toISOString().slice(0, 10)
