import type { Explanation, Insight } from '../../../insight/types.js'
import type { Paint } from '../../output/style.js'
import type { PayloadResult } from '../../validate/result.js'
import { createHtmlRenderer } from './html.js'
import { createJsonRenderer } from './json.js'
import { createMarkdownRenderer } from './markdown.js'
import { createTextRenderer } from './text.js'

/** An insight as it is shown: also in the language that nobody speaks. */
export interface ShownInsight extends Omit<Insight, 'locale'> {
  readonly locale: string
}

/** A payload with its texts: one insight a language, all of the same scenario. */
export interface RenderedPayload {
  readonly source: string
  readonly index: number
  /** What was changed in the payload, where something was. */
  readonly variant?: string
  readonly insights: readonly [ShownInsight, ...ShownInsight[]]
  /** Why it gets this text, an explanation for each insight, when asked for. */
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
  /** Columns of the terminal to wrap at; undefined: texts are not wrapped. */
  readonly columns?: number | undefined
}

export type CreateRenderer = (write: (text: string) => void, options: RenderFormatOptions) => Renderer

/** Every format of `svc insight render`. */
export const renderFormats = {
  text: createTextRenderer,
  json: createJsonRenderer,
  markdown: createMarkdownRenderer,
  html: createHtmlRenderer,
} satisfies Record<string, CreateRenderer>

export type RenderFormatName = keyof typeof renderFormats

/** What a payload is called in a heading: its file, its position from the second on, and what was changed. */
export function titleOf({ index, source, variant }: Pick<RenderedPayload, 'source' | 'index' | 'variant'>): string {
  const name = index === 0 ? source : `${source} #${index}`
  return variant === undefined ? name : `${name}, ${variant}`
}

/** Why a part of a text is there or not, and which texts of the catalog it is made of. */
export function describePart({ reason, shown, texts }: Explanation['clauses'][number]): string {
  const source = texts.length === 0 ? '' : ` [${texts.join(', ')}]`
  return `${shown ? '' : 'left out: '}${reason}${source}`
}
