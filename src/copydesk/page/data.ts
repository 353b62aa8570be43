import type { Locale } from '../../insight/types.js'

/** The data that the script of the page needs in addition to the page itself. */
export interface PageData {
  readonly ruleVersion: string
  readonly patterns: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** By number of the example: its ID, then for each language the list of its parts. */
  readonly examples: Readonly<Record<string, ExampleData>>
}

type ExampleData = readonly [id: string, ...parts: (readonly (readonly [id: string, text: string])[])[]]
