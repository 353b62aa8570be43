import { findKnownModel, isOutOfReach, type KnownModel, listProposals } from './known-models.js'
import type { ModelKind, ProviderName } from './providers.js'
import type { ModelSettings } from './settings.js'

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
