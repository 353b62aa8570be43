import type { Locale } from '../insight/types.js'

/** Texts as ICU MessageFormat 1 patterns. */
export interface Texts {
  /** SHA-256 that the file stores with the label. */
  readonly pinnedHash: string
  /** SHA-256 of the current texts, independent of white space and of the order of files and entries. */
  readonly hash: string
  readonly patterns: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** The file of each text, under `catalog/`. */
  readonly files: Readonly<Record<string, string>>
}
