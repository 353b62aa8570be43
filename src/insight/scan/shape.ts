import type { MetricWindow } from '../metric-window.js'

/**
 * The shape of a value in a payload, generated at build time from the schemas. Numbers refer to other shapes
 * of the same table. `orNull` says whether null is accepted as well.
 */
export type PayloadShape =
  | { readonly kind: 'any' | 'boolean'; readonly orNull: boolean }
  | { readonly kind: 'choice'; readonly orNull: boolean; readonly values: readonly string[] }
  | {
      readonly kind: 'text'
      readonly orNull: boolean
      readonly minLength: number
      readonly maxLength: number | null
      readonly pattern: string | null
    }
  | {
      readonly kind: 'number'
      readonly orNull: boolean
      readonly minimum: number | null
      readonly maximum: number | null
      readonly isWhole: boolean
    }
  | { readonly kind: 'array'; readonly orNull: boolean; readonly items: number }
  | {
      readonly kind: 'object'
      readonly orNull: boolean
      readonly members: Readonly<Record<string, number>>
      readonly required: readonly string[]
    }

export type ShapeOf<Kind extends PayloadShape['kind']> = Extract<PayloadShape, { readonly kind: Kind }>

/** The shapes of all payloads. */
export interface ShapeTable {
  /** The members that are the same in all payloads; those of a page begin with them. It requires others as well. */
  readonly envelope: number
  /** Whole payloads. */
  readonly pages: Readonly<Record<MetricWindow, number>>
  readonly shapes: readonly PayloadShape[]
}
