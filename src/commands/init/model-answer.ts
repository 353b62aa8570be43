import { SvcError } from '../../errors.js'

/** A model as in the file. */
export interface ModelAnswer {
  readonly model: string
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly price?: string | undefined
  /** The options that a known model needs. */
  readonly options?: Readonly<Record<string, unknown>> | undefined
}

/** Returns `env:NAME` for either form. Rejects a key in place of its variable, without repeating the key. */
export function toKeyName(text: string): string {
  const name = text.replace(/^env:/, '')
  if (/^[A-Z_][A-Z0-9_]{0,63}$/.test(name)) return `env:${name}`
  throw new SvcError(
    'invalid_request',
    'The flag for a key takes the name of an environment variable in capitals, such as OPENAI_API_KEY, not the key itself.',
  )
}
