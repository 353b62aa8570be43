import type { Locale } from '../../insight/types.js'
import type { ReviewComment } from '../comment-file.js'
import type { Draft } from '../edit/draft.js'

/** The data that the script of the page needs in addition to the page itself. */
export interface PageData {
  readonly patterns: Readonly<Record<Locale, Readonly<Record<string, string>>>>
  /** By number of the example: its ID, its facts, then for each language the list of its parts. */
  readonly examples: Readonly<Record<string, ExampleData>>
  /** Set if a program serves the page and keeps what is typed into it. */
  readonly served?: ServedData
}

/** The state that the program of the page keeps. */
export interface ServedData {
  /** The command that serves the page again. */
  readonly command: string
  /** The file of the comments. */
  readonly commentFile: string
  readonly comments: readonly ReviewComment[]
  /** Names, marks and unfinished comments, by their keys. */
  readonly notes: Readonly<Record<string, string>>
  /** The texts that are edited and not saved, by their IDs. */
  readonly drafts: Readonly<Record<string, Draft['texts']>>
}

/** Names and values; the last one is the rule. Dates are ISO dates. */
export type PageFacts = readonly (readonly [name: string, value: string])[]

type ExampleData = readonly [
  id: string,
  facts: PageFacts,
  ...parts: (readonly (readonly [id: string, text: string])[])[],
]
