/** The six metrics. Source: health detail contract, 1. */
export const metrics = ['activity', 'rest', 'hr', 'hrv', 'rr', 'bark'] as const
export type Metric = (typeof metrics)[number]

/**
 * The three calendar windows; a week starts on Monday, a month is a natural month. Source: health detail contract, 1.
 */
export const viewWindows = ['day', 'week', 'month'] as const
export type ViewWindow = (typeof viewWindows)[number]

/** The languages of the texts; `defaultLocale` is the default. Source: health detail contract, 2.1. */
export const locales = ['zh-CN', 'en-US', 'es'] as const
export type Locale = (typeof locales)[number]
export const defaultLocale: Locale = 'en-US'

/** Makes a value for each language. */
export const byLocale = <Value>(make: (locale: Locale) => Value): Record<Locale, Value> => ({
  'zh-CN': make('zh-CN'),
  'en-US': make('en-US'),
  es: make('es'),
})

export type Status = 'attention' | 'normal' | 'observation' | 'insufficient_data'
export type Severity = 'low' | 'none'

/**
 * One way in which a payload breaks a rule.
 * `path` is a JSON Pointer to the invalid member ('' is the whole payload); `rule` is the ID of a `Rule`; `message` is
 * a sentence for people that says what was found and what was expected; `actual` and `expected` say the same apart,
 * short.
 */
export interface Violation {
  readonly path: string
  readonly rule: string
  readonly message: string
  readonly expected?: string
  readonly actual?: string
}

/** `errors` make a payload invalid (the server answers 422); `warnings` are odd but accepted. Both in payload order. */
export interface Validation {
  readonly errors: readonly Violation[]
  readonly warnings: readonly Violation[]
}

/** A validity rule as people read it: `svc validate --list-rules` and `--explain`. */
export interface Rule {
  /** Stable kebab-case name; also the name of its file in `fixtures/invalid/` or `fixtures/warnings/`. */
  readonly id: string
  readonly severity: 'error' | 'warning'
  /** Section of the health detail contract that says so, such as '2.1' or '4.2'. */
  readonly section: string
  /** The requirement of the rule, in one sentence. */
  readonly sentence: string
  /** A fragment of a payload that keeps the rule, and one that breaks it. */
  readonly good: unknown
  readonly bad: unknown
}

/** The text about a payload and its status, before it gets an ID and a time. Source: health detail contract, 2.5. */
export interface Insight {
  /** Key of the sentence in `catalog/insight/`. */
  readonly scenario: string
  readonly locale: Locale
  readonly status: Status
  readonly severity: Severity
  readonly summary: string
  readonly generation: {
    readonly ruleId: string
    readonly ruleVersion: string
    readonly aiPolished: false
  }
}

/** Why a payload gets its text, in words: `svc insight render --explain`. */
export interface Explanation {
  readonly scenario: string
  /** The condition of the scenario in plain words. */
  readonly condition: string
  readonly ruleId: string
  readonly status: Status
  readonly statusReason: string
  /** The facts that the decision and the text used: name, value in words, and JSON Pointer where it comes from. */
  readonly facts: readonly { readonly name: string; readonly value: string; readonly path?: string }[]
  /**
   * The parts of the text, supplements included: which texts of the catalog they used, and why they are there or not.
   */
  readonly clauses: readonly {
    readonly name: string
    readonly texts: readonly string[]
    readonly shown: boolean
    readonly reason: string
  }[]
}

/** The texts of all scenarios and clauses in every language, ready to be called. Made by `loadInsightCopy`. */
export interface Copy {
  /** Label of rules and texts together, stamped on every answer. */
  readonly ruleVersion: string
  readonly messages: Readonly<Record<Locale, Readonly<Record<string, MessageFunction>>>>
}

export type MessageFunction = (values: Readonly<Record<string, string | number>>) => string
