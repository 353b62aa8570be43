import { fileURLToPath } from 'node:url'
import { type HealthDetailPayload, validate } from '../insight/index.js'
import { readPayloads } from '../payload-files/payloads.js'
import { findSources } from '../payload-files/sources.js'
import { shippedUrl } from '../runtime/entry.js'

/** A valid payload that shows reviewers what a text says. */
export interface Fixture {
  /** The file name without `.json`. */
  readonly name: string
  readonly payload: HealthDetailPayload
}

/** Reads the valid payloads of a folder, by default those shipped with the program. */
export async function readFixtures(folder = fileURLToPath(shippedUrl('fixtures/insight'))): Promise<Fixture[]> {
  const fixtures: Fixture[] = []
  for (const { source } of await findSources([folder])) {
    if (source === undefined) continue
    for await (const item of readPayloads(source)) {
      if (!('payload' in item) || validate(item.payload).errors.length > 0) continue
      const name = source.name.slice(folder.length + 1).replace(/\.json$/, '')
      fixtures.push({ name, payload: item.payload as HealthDetailPayload })
    }
  }
  return fixtures
}
