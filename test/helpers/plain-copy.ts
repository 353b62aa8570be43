import { loadInsightCopy } from '../../src/catalog/catalog.js'
import type { Copy, MessageFunction } from '../../src/insight/types.js'

/** Loads the shipped texts with ordinary spaces in place of no-break spaces, so that tests can write their words. */
export async function loadPlainCopy(): Promise<Copy> {
  const copy = await loadInsightCopy()
  const { 'zh-CN': chinese, 'en-US': english, es: spanish } = copy.messages
  return { ...copy, messages: { 'zh-CN': plain(chinese), 'en-US': plain(english), es: plain(spanish) } }
}

function plain(messages: Readonly<Record<string, MessageFunction>>): Record<string, MessageFunction> {
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => [id, (values) => message(values).replaceAll('\u00A0', ' ')]),
  )
}
