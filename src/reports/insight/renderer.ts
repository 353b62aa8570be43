import type { Explanation } from '../../insight/types.js'
import type { RenderedPayload, Renderer } from '../../payload-files/render-payloads.js'
import type { Paint } from '../../runtime/style.js'

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
