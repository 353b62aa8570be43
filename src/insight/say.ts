import type { Copy, Locale } from './types.js'

/** Renders one text of the catalog in the language of the insight. */
export type Say = (id: string, values?: Readonly<Record<string, string | number>>) => string

const noValues = {}

/** The catalog's texts in one language. Throws a RangeError for a text that the catalog lacks. */
export function sayIn(copy: Pick<Copy, 'messages'>, locale: Locale): Say {
  const messages = copy.messages[locale]
  return (id, values = noValues) => {
    const message = messages[id]
    if (message === undefined) throw new RangeError(`the catalog has no text ${id} in ${locale}`)
    return message(values)
  }
}
