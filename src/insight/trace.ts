import { byLocale, type Copy, type Locale } from './types.js'

/** One use of a text of the catalog. */
export interface TextUse {
  readonly id: string
  readonly values: Readonly<Record<string, string | number>>
  /** The resulting text. */
  readonly text: string
}

/**
 * Runs `render` with texts that are noted as they are used: the innermost first. A text that the catalog lacks says
 * nothing.
 */
export function traceTexts<Result>(
  copy: Copy,
  render: (copy: Copy) => Result,
): { readonly result: Result; readonly uses: readonly TextUse[] } {
  const uses: TextUse[] = []
  const trace = (locale: Locale) =>
    new Proxy(copy.messages[locale], {
      get: (messages, id: string) => (values: TextUse['values']) => {
        const text = Object.hasOwn(messages, id) ? (messages[id]?.(values) ?? '') : ''
        uses.push({ id, values, text })
        return text
      },
    })
  const messages = byLocale(trace)
  return { result: render({ ...copy, messages }), uses }
}
