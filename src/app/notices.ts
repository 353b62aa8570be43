import { defaultClocks } from '../adapters/provider/ai-sdk/clocks.js'
import { listModels, type Operation } from '../config/models.js'
import type { Config } from '../config.js'

/** What an operator should know when a server starts. */
export interface Facts {
  readonly config: Pick<Config, 'drainSeconds'>
  /** What the operator's file says, where its models are used. */
  readonly operation: Operation | undefined
  /** Of the models that are used. */
  readonly labels: readonly string[]
  /** Unfinished units by the label of their model. */
  readonly queued: ReadonlyMap<string, number>
}

/** Of the time of a stop, what the worker needs at the end to hand units back. */
export const handBackMs = 2500

/** Sentences, most often none. */
export function listNotices({ config, operation, labels, queued }: Facts): string[] {
  const left = [...queued].filter(([label]) => !labels.includes(label))
  const rest =
    operation === undefined
      ? 'wait for a start with it until their time is over'
      : 'are failed where nothing is ordered, unless another server has it; what is ordered waits for a start with it'
  return [
    ...(operation === undefined ? [] : describeDrain(config.drainSeconds, operation)),
    ...left.map(([label, count]) => `${count} unfinished for ${label}, which is not in use here: they ${rest}.`),
  ]
}

/** What a stop may cost. */
function describeDrain(drainSeconds: number, operation: Operation): string[] {
  const kinds = listModels(operation).map(({ settings }) => settings.kind)
  if (kinds.length === 0) return []
  const neededSeconds = (kinds.includes('image') ? defaultClocks.picture : defaultClocks.order) / 1000
  if (drainSeconds >= neededSeconds + handBackMs / 1000) return []
  return [
    `a stop waits ${drainSeconds} s for models, which may take ${neededSeconds} s: what it cuts off may be paid and lost, or ` +
      'bought twice. SVC_DRAIN_SECONDS=200 avoids that.',
  ]
}
