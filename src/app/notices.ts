import { defaultTimeouts } from '../adapters/providers/ai-sdk/timeouts.js'
import { listModels, type OperatorSettings } from '../config/models.js'
import type { Config } from '../config.js'
import { findShutdown } from '../models/known-models.js'

/** The facts that notices at server start are based on. */
export interface NoticeFacts {
  readonly config: Pick<Config, 'drainSeconds'>
  /** The operator's file; undefined if its models are not in use. */
  readonly operation: OperatorSettings | undefined
  /** Labels of the models in use. */
  readonly labels: readonly string[]
  /** The number of other processes that use other models. */
  readonly others: number
  /** Unfinished units by the label of their model. */
  readonly queued: ReadonlyMap<string, number>
  readonly now: Date
}

export const noPublicUrl =
  'A proxy passes requests on (X-Forwarded-Proto), and SVC_PUBLIC_URL is not set: addresses in responses have the scheme ' +
  'and the host of these requests. Set it to the address that callers use, such as https://pets.example.com.'

/** The part of a stop that the worker needs to hand units back. */
export const handBackMs = 2500

/** Lists the notices as sentences; usually an empty list. */
export function listNotices({ config, operation, labels, others, queued, now }: NoticeFacts): string[] {
  const left = [...queued].filter(([label]) => !labels.includes(label))
  const rest =
    operation === undefined
      ? 'wait until their deadline for a server that uses it'
      : 'fail, unless another server uses it. Those already ordered from the vendor wait for a server that uses it'
  return [
    ...(operation === undefined ? [] : describeDrain(config.drainSeconds, operation)),
    ...(operation === undefined ? [] : listShutdowns(operation, now)),
    ...(others === 0
      ? []
      : [
          `other processes of the database use other models (${others}). The process that answers a call decides on its model and its budget, ` +
            'and a process that lacks the model cannot make the task: give all processes the same svc.config.json.',
        ]),
    ...left.map(([label, count]) => `${count} unfinished for ${label}, which is not in use here: they ${rest}.`),
  ]
}

/** Lists the models that their vendor switches off, or has, with the replacement. */
function listShutdowns(operation: OperatorSettings, now: Date): string[] {
  return listModels(operation).flatMap(({ settings }) => {
    const end = findShutdown(settings, now)
    return end === undefined ? [] : [`${settings.alias}: ${end.detail}.`]
  })
}

/** Describes the risk of a stop that is too short. */
function describeDrain(drainSeconds: number, operation: OperatorSettings): string[] {
  const kinds = listModels(operation).map(({ settings }) => settings.kind)
  if (kinds.length === 0) return []
  const neededSeconds = (kinds.includes('image') ? defaultTimeouts.picture : defaultTimeouts.order) / 1000
  if (drainSeconds >= neededSeconds + handBackMs / 1000) return []
  return [
    `a stop waits ${drainSeconds} s for models, which may take ${neededSeconds} s: an interrupted call may be paid and lost, or ` +
      'bought twice. SVC_DRAIN_SECONDS=200 avoids that.',
  ]
}
