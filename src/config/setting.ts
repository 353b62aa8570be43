/** The flags of the settings, as commander names them. */
export type SettingFlag =
  | 'host'
  | 'port'
  | 'dataDir'
  | 'database'
  | 'objects'
  | 'provider'
  | 'config'
  | 'role'
  | 'metricsPort'

/** A setting, read from a flag or an environment variable. */
export interface Setting<T> {
  readonly flag?: SettingFlag
  readonly variable: string
  /** A variable of other programs that is read if `variable` is not set. */
  readonly otherVariable?: string
  /** A variable with which `otherVariable` belongs to something else, and is not read. */
  readonly otherUnless?: string
  readonly fallback: string
  /** Returns undefined if `text` is invalid. */
  readonly parse: (text: string) => T | undefined
  readonly expected: string
  /** True if no message may repeat the text. */
  readonly isSecret?: true
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

export function toggle(variable: string, fallback: '0' | '1'): Setting<boolean> {
  const parse = (text: string) => (text === '1' ? true : text === '0' ? false : undefined)
  return { variable, fallback, parse, expected: '1 or 0' }
}

/** An integer setting with bounds. */
export function count(variable: string, fallback: number, least: number, most: number): Setting<number> {
  return {
    variable,
    fallback: String(fallback),
    parse: (text) =>
      /^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    expected: `an integer from ${least} to ${most}`,
  }
}
