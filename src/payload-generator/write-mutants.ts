import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { SvcError } from '../errors.js'
import { openFile } from '../runtime/output.js'
import { reasonOf } from '../runtime/reason.js'
import type { Mutant } from './mutate.js'

/** A row of `index.json`. */
export interface IndexRow {
  readonly file: string
  readonly rule: string
  readonly path: string
  readonly also?: Mutant['also']
}

/**
 * Writes each mutant to a file named after its rule, and `index.json`, the last, into a folder, which is created. Throws
 * `invalid_request` if it cannot be written.
 */
export async function writeMutants(folder: string, mutants: readonly Mutant[]): Promise<readonly IndexRow[]> {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    throw new SvcError('invalid_request', `${folder} cannot be created: ${reasonOf(cause)}.`, { cause })
  }
  const index = mutants.map(({ rule, path, also }): IndexRow => {
    return { file: `${rule}.json`, rule, path, ...(also.length > 0 && { also }) }
  })
  for (const { rule, text } of mutants) await write(join(folder, `${rule}.json`), text)
  await write(join(folder, 'index.json'), `${JSON.stringify(index, undefined, 2)}\n`)
  return index
}

async function write(path: string, text: string): Promise<void> {
  const file = openFile(path)
  file.write(text)
  await file.close()
}
