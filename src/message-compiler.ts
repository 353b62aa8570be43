import messageFormat from '@messageformat/core'
import compileModule from '@messageformat/core/lib/compile-module.js'
import type { InsightTexts } from './catalog.js'
import { SvcError } from './errors.js'
import { type Copy, type Locale, locales, type MessageFunction } from './insight/types.js'

// The package is CommonJS and exports its class as the module itself; its types say `default`.
const MessageFormat = messageFormat as unknown as typeof messageFormat.default
const writeModule = compileModule as unknown as typeof compileModule.default
type Compiler = InstanceType<typeof MessageFormat>

/** Compiles ICU patterns to functions. Throws an SvcError that names the text and language of a broken pattern. */
export function compileMessages(patterns: InsightTexts['patterns']): Copy['messages'] {
  const messages: Record<Locale, Record<string, MessageFunction>> = { 'zh-CN': {}, 'en-US': {}, es: {} }
  for (const locale of locales) {
    const compiler = new MessageFormat(locale)
    for (const [id, pattern] of Object.entries(patterns[locale])) {
      messages[locale][id] = compilePattern(compiler, pattern, `${id} in ${locale}`)
    }
  }
  return messages
}

/** The same as the source of an ES module whose default export is what `compileMessages` returns. */
export function compileMessageModule(patterns: InsightTexts['patterns']): string {
  compileMessages(patterns)
  return writeModule(new MessageFormat([...locales]), structuredClone(patterns))
}

function compilePattern(compiler: Compiler, pattern: string, where: string): MessageFunction {
  try {
    return compiler.compile(pattern) as MessageFunction
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SvcError('internal_error', `The text ${where} is not a valid ICU message: ${reason}`, { cause })
  }
}
