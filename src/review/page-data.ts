import type { Locale } from '../insight/types.js'

/** What the page's script needs to know beyond what is on the page. */
export interface PageData {
  readonly ruleVersion: string
  readonly patterns: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** By the number of the example: its ID, and the parts of its texts, a list for each language in their order. */
  readonly examples: Readonly<Record<string, ExampleData>>
}

type ExampleData = readonly [id: string, ...parts: (readonly (readonly [id: string, text: string])[])[]]
