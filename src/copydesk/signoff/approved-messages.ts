import { compileMessages } from '../../catalog/message-compiler.js'
import { isSvcError } from '../../errors.js'
import { byLocale, type Copy } from '../../insight/index.js'
import type { ReviewTexts } from '../entries.js'
import type { SignedText } from './signoff.js'

/** Compiles the texts as they were signed off. A text that no longer fits its scenario keeps its current form. */
export function compileApproved(
  { files, patterns }: ReviewTexts,
  current: Copy['messages'],
  judged: readonly SignedText[],
): Copy['messages'] {
  let messages = current
  for (const { entry, id, locale, state } of judged) {
    if (entry === undefined || state !== 'changed') continue
    const approved = { ...patterns, [locale]: { ...patterns[locale], [id]: entry.text } }
    try {
      const text = byLocale((one) => ({ [id]: approved[one][id] ?? '' }))
      const compiled = compileMessages({ files: { [id]: files[id] ?? '' }, patterns: text })
      messages = { ...messages, [locale]: { ...messages[locale], ...compiled[locale] } }
    } catch (error) {
      if (!isSvcError(error)) throw error
    }
  }
  return messages
}
