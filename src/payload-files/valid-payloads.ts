import { SvcError } from '../errors.js'
import { type HealthDetailPayload, validate } from '../insight/index.js'
import { readAllPayloads } from './payloads.js'
import { findSources } from './sources.js'

/** The payloads of files, or the name of the first that is not valid. */
export type ValidPayloads = { readonly payloads: readonly HealthDetailPayload[] } | { readonly invalid: string }

/** Reads all payloads that the arguments name. Throws an SvcError for a source that cannot be read. */
export async function readValidPayloads(args: readonly string[]): Promise<ValidPayloads> {
  const payloads: HealthDetailPayload[] = []
  for (const found of await findSources(args)) {
    if (found.source === undefined) throw new SvcError('not_found', found.problem)
    const { name } = found.source
    for await (const item of readAllPayloads(found.source)) {
      if ('broken' in item || validate(item.payload).errors.length > 0) return { invalid: `${name} #${item.index}` }
      payloads.push(item.payload as HealthDetailPayload)
    }
  }
  return { payloads }
}
