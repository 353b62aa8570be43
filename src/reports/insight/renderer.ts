import type { Explanation, Insight } from '../../insight/types.js'
import type { PayloadResult } from '../../payload-files/result.js'
import type { Paint } from '../../runtime/style.js'

/** An insight as it is shown; its locale may be the pseudo-locale. */
export interface ShownInsight extends Omit<Insight, 'locale'> {
  readonly locale: string
}

/** A payload with its texts: one insight per language, all of the same scenario. */
export interface RenderedPayload {
  readonly source: string
  readonly index: number
  /** The change that was made to the payload, if any. */
  readonly variant?: string
  readonly insights: readonly [ShownInsight, ...ShownInsight[]]
  /** One explanation per insight, when requested. */
  readonly explanations?: readonly Explanation[]
}

/** Writes a document while payloads are rendered, in their order. */
export interface Renderer {
  readonly payload: (rendered: RenderedPayload) => void
  readonly invalid: (result: PayloadResult) => void
  readonly end: () => void
}

export interface RenderFormatOptions {
  readonly paint: Paint
  /** Columns of the terminal to wrap at; undefined: do not wrap. */
  readonly columns?: number | undefined
}

export type CreateRenderer = (write: (text: string) => void, options: RenderFormatOptions) => Renderer

/** Returns the heading of a payload: its file, its position unless it is the first, and its change. */
export function titleOf({ index, source, variant }: Pick<RenderedPayload, 'source' | 'index' | 'variant'>): string {
  const name = index === 0 ? source : `${source} #${index}`
  return variant === undefined ? name : `${name}, ${variant}`
}

/** Returns why a clause is shown or left out, and the catalog texts that it uses. */
export function describeClause({ reason, shown, texts }: Explanation['clauses'][number]): string {
  const source = texts.length === 0 ? '' : ` [${texts.join(', ')}]`
  return `${shown ? '' : 'left out: '}${reason}${source}`
}
