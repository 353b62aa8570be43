import { parse, type Token } from '@messageformat/parser'
import type { InsightTexts } from '../catalog/catalog.js'
import { compileMessages } from '../catalog/message-compiler.js'
import type { Copy } from '../insight/types.js'

/** The pseudo-locale: English, accented and longer. Words that do not come from the catalog stay plain. */
export const pseudoLocale = 'en-XA'

/** Growth of a text. English is shorter than most languages by about this share. */
const growth = 0.4

/** Replaces English by the pseudo-locale. Throws as `compileMessages` does. */
export function createPseudoCopy({ files, patterns, ruleVersion }: InsightTexts): Copy {
  const english = Object.entries(patterns['en-US']).map(([id, pattern]) => [id, pseudoPattern(pattern)] as const)
  const messages = compileMessages({ files, patterns: { ...patterns, 'en-US': Object.fromEntries(english) } })
  return { ruleVersion, messages }
}

/** Encloses a text in brackets: a missing bracket shows that the text was cut off. */
export function bracketPseudo(text: string): string {
  return `[${text}]`
}

/** Accents and lengthens the words of a pattern; keeps arguments, choices and `#`. */
export function pseudoPattern(pattern: string): string {
  // From the end, so that the offsets of what is left stay.
  return listWritten(parse(pattern)).reduceRight((text, { length, offset }) => {
    const end = offset + length
    return text.slice(0, offset) + pseudoWords(text.slice(offset, end)) + text.slice(end)
  }, pattern)
}

function listWritten(tokens: readonly Token[]): { readonly offset: number; readonly length: number }[] {
  return tokens.flatMap((token) => {
    if (token.type === 'content') return [{ offset: token.ctx.offset, length: token.ctx.text.length }]
    return 'cases' in token ? token.cases.flatMap(({ tokens: inner }) => listWritten(inner)) : []
  })
}

const plain = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz'
const accented = 'ÅåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀṁÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž'

function pseudoWords(text: string): string {
  const letters = text.match(/[a-z]/gi)?.length ?? 0
  let missing = Math.ceil(letters * growth)
  let vowels = text.match(/[aeiou]/gi)?.length ?? 0
  return text.replace(/[a-z]/gi, (letter) => {
    const index = plain.indexOf(letter)
    const sign = accented.charAt(index)
    if (!/[aeiou]/i.test(letter)) return sign
    // Spread the missing letters over the vowels that are left.
    const more = Math.ceil(missing / vowels)
    missing -= more
    vowels--
    return sign + (accented.charAt(index | 1) || sign).repeat(more)
  })
}
