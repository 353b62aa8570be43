import type { KnownModel } from './known-models.js'

/** Describes the product and the limits of a model in a phrase: `clips of 4 to 15 s, first and last frame`. */
export function describeModel({ kind, references, frames, seconds, input, inputFidelity }: KnownModel): string {
  const parts =
    kind === 'image'
      ? [`pictures, from ${references} of the pet`, ...(inputFidelity ? ['input fidelity'] : [])]
      : [`clips${seconds ? ` of ${seconds[0]} to ${seconds[1]} s` : ''}, ${frames} frame`]
  const limits = input && `frames from ${input.shortSideAtLeast} px, at most ${input.bytesAtMost / 1e6} MB`
  return [...parts, ...(limits ? [limits] : [])].join(', ')
}

const staleDays = 90

/** Lists the models that were not looked up in the last 90 days, oldest first. */
export function listStale(models: readonly KnownModel[], now: Date): KnownModel[] {
  const before = new Date(now.getTime() - staleDays * 86_400_000).toISOString().slice(0, 10)
  return models
    .filter(({ checkedOn }) => checkedOn < before)
    .sort((one, other) => (one.checkedOn < other.checkedOn ? -1 : 1))
}
