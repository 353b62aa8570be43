import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { HealthDetailPayload } from '../../src/insight/schema.js'

export interface Fixture {
  /** File name without its ending: a scenario ID, and after a dot what is special about it. */
  readonly name: string
  readonly scenario: string
  readonly payload: HealthDetailPayload
}

const folder = new URL('../../fixtures/insight/', import.meta.url)

/** The payloads of `fixtures/insight/`, by name. */
export const insightFixtures: readonly Fixture[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const name = basename(file, '.json')
    const payload = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    return { name, scenario: name.split('.')[0] ?? '', payload }
  })
