import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../config.js'

/** Returns a hash of the operator's file, if its models are in use. It names keys by their variables, and contains no key. */
export function hashModels({ provider, configFile }: Pick<Config, 'provider' | 'configFile'>): string {
  if (provider === 'stub') return 'stub'
  return createHash('sha256').update(readFileSync(configFile)).digest('base64url').slice(0, 16)
}
