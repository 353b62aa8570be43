import { createHtmlRenderer } from './html.js'
import { createJsonRenderer } from './json.js'
import { createMarkdownRenderer } from './markdown.js'
import type { CreateRenderer } from './renderer.js'
import { createTextRenderer } from './text.js'

/** Every format of `svc insight render`. */
export const renderFormats = {
  text: createTextRenderer,
  json: createJsonRenderer,
  markdown: createMarkdownRenderer,
  html: createHtmlRenderer,
} satisfies Record<string, CreateRenderer>

export type RenderFormatName = keyof typeof renderFormats
