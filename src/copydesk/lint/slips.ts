import { type Locale, locales } from '../../insight/types.js'
import type { FindingCode } from '../finding.js'
import { filledIn } from './pattern-cases.js'

/** A typing error that the characters alone show. */
export interface Slip {
  readonly code: FindingCode
  readonly locales: readonly Locale[]
  /** Matches the slip; the message quotes the match. */
  readonly pattern: RegExp
  /** Completes "The text X has …". */
  readonly what: string
  readonly fix: string
}

const western = ['en-US', 'es'] as const
const blank = '[\\s\\u00A0\\u3000]'

/** Slips that can also arise where texts are joined. */
export const slips: readonly Slip[] = [
  {
    code: 'space-double',
    locales: western,
    pattern: new RegExp(`${blank}{2,}`, 'u'),
    what: 'two spaces in a row',
    fix: 'Keep one of them. An optional clause contains its own space.',
  },
  {
    code: 'space-before-mark',
    locales: western,
    pattern: new RegExp(`${blank}[.,;:!?)]|[(¿¡]${blank}`, 'u'),
    what: 'a space next to a punctuation mark that takes no space',
    fix: 'Delete the space.',
  },
  {
    code: 'punctuation-doubled',
    locales,
    pattern: /[.,;:，。；：、]{2,}/u,
    what: 'two punctuation marks in a row',
    fix: 'Keep one of them. An optional clause contains its own comma.',
  },
  {
    code: 'word-doubled',
    locales: western,
    pattern: /(?<!\p{L})(\p{L}+)\s+\1(?!\p{L})/iu,
    what: 'a repeated word',
    fix: 'Delete one of the two.',
  },
  {
    code: 'word-doubled',
    locales: ['zh-CN'],
    pattern: /(\p{Script=Han}{2,})\1|([的了在是和有为比从到约已其共与让把被])\2/u,
    what: 'a repeated word',
    fix: 'Delete one of the two.',
  },
  {
    code: 'claim-empty',
    locales: ['en-US'],
    pattern: /^With \w+ norms as a guide(?=.*\.$)(?!.*(?:expected|slept))/u,
    what: 'a basis that no comparison follows',
    fix: 'Make the basis a statement of its own: “This page uses breed norms; …”.',
  },
  {
    code: 'claim-empty',
    locales,
    pattern: /(?<=\d[^.。]*)(?:100\s?% (?:less|lower|menos)|[少低]100%)/u,
    what: 'a change of 100 % less next to a value',
    fix: 'Leave the change out: a value that is left is not 100 % less.',
  },
]

/** Slips inside one text, whose arguments are U+FFFC. */
export const textSlips: readonly Slip[] = [
  ...slips,
  {
    code: 'space-before-mark',
    locales: western,
    pattern: /^\s+(?=.*[.!?]$)|(?<=[.!?])\s+$/su,
    what: 'a space at one of its ends',
    fix: 'Delete the space: the program adds one between two sentences.',
  },
  {
    code: 'space-chinese',
    locales: ['zh-CN'],
    pattern: /\s|[\u00A0\u3000]/u,
    what: 'a space',
    fix: 'Delete it: Chinese is written without spaces.',
  },
  {
    code: 'punctuation-half-width',
    locales: ['zh-CN'],
    pattern: /[,;:()!?]|\.(?!\d)/u,
    what: 'a Western punctuation mark',
    fix: 'Write the full-width mark: ，。；：（）！？',
  },
  {
    code: 'punctuation-full-width',
    locales: western,
    pattern: /[\u3001\u3002\u3008-\u3011\uFF01-\uFF60]/u,
    what: 'a Chinese punctuation mark or full-width letter',
    fix: 'Write the mark of this language: , . ; : ( ) ! ?',
  },
  {
    code: 'quote-straight',
    locales: ['zh-CN', 'es'],
    pattern: /["']/u,
    what: 'a straight quotation mark or apostrophe',
    fix: 'Use “…” in Chinese and «…» in Spanish; neither has an apostrophe.',
  },
  // @NOTE contract: 2.6.7 writes <name>'s with a straight apostrophe; that one is allowed.
  {
    code: 'quote-straight',
    locales: ['en-US'],
    pattern: new RegExp(`"|(?<![\\p{L}${filledIn}])'|'(?!\\p{L})`, 'u'),
    what: 'a straight quotation mark',
    fix: 'Use ‘…’ or “…”; a straight apostrophe is allowed only inside a word.',
  },
  {
    code: 'character-hidden',
    locales,
    pattern: /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00A0\u2000-\u200A\u202F\uFFFD]/u,
    what: 'an invisible character or a line break',
    fix: 'Delete it, and type the letters next to it again.',
  },
  {
    code: 'letter-foreign',
    locales: western,
    pattern: /(?!\p{Script=Latin})\p{L}/u,
    what: 'a letter of another script',
    fix: 'Type the word again with the letters of this language.',
  },
  {
    code: 'letter-foreign',
    locales: ['zh-CN'],
    pattern: /(?!\p{Script=Han})\p{L}/u,
    what: 'a letter of another script',
    fix: 'Write it in Chinese; units too, such as 分钟.',
  },
]
