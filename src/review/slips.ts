import type { Locale } from '../insight/types.js'
import type { FindingCode } from './finding.js'
import { filledIn } from './pattern-cases.js'

/** A slip of the pen that shows in the letters alone. */
export interface Slip {
  readonly code: FindingCode
  readonly locales: readonly Locale[]
  /** Finds it; what it matches is shown. */
  readonly pattern: RegExp
  /** Follows "The text X has". */
  readonly what: string
  readonly fix: string
}

const all = ['zh-CN', 'en-US', 'es'] as const
const western = ['en-US', 'es'] as const
const blank = '[\\s\\u00A0\\u3000]'

/** Slips that may also come about where texts are joined. */
export const slips: readonly Slip[] = [
  {
    code: 'space-double',
    locales: western,
    pattern: new RegExp(`${blank}{2,}`, 'u'),
    what: 'two spaces in a row',
    fix: 'Keep one of them. A clause that may be left out brings its own space.',
  },
  {
    code: 'space-before-mark',
    locales: western,
    pattern: new RegExp(`${blank}[.,;:!?)]|[(¿¡]${blank}`, 'u'),
    what: 'a space beside a punctuation mark where none belongs',
    fix: 'Delete the space.',
  },
  {
    code: 'punctuation-doubled',
    locales: all,
    pattern: /[.,;:，。；：、]{2,}/u,
    what: 'two punctuation marks in a row',
    fix: 'Keep one of them. A clause that may be left out brings its own comma.',
  },
  {
    code: 'word-doubled',
    locales: western,
    pattern: /(?<!\p{L})(\p{L}+)\s+\1(?!\p{L})/iu,
    what: 'the same word twice in a row',
    fix: 'Delete one of the two.',
  },
  {
    code: 'word-doubled',
    locales: ['zh-CN'],
    pattern: /(\p{Script=Han}{2,})\1|([的了在是和有为比从到约已其共与让把被])\2/u,
    what: 'the same word twice in a row',
    fix: 'Delete one of the two.',
  },
]

/** Slips inside of one text; what is filled in stands as U+FFFC. */
export const textSlips: readonly Slip[] = [
  ...slips,
  {
    code: 'space-before-mark',
    locales: western,
    pattern: /^\s+(?=.*[.!?]$)|(?<=[.!?])\s+$/su,
    what: 'a space at one of its ends',
    fix: 'Delete the space: the program puts one between two sentences.',
  },
  {
    code: 'space-chinese',
    locales: ['zh-CN'],
    pattern: /\s|[\u00A0\u3000]/u,
    what: 'a space',
    fix: 'Delete it: Chinese is written without.',
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
    locales: all,
    pattern: /"/u,
    what: 'a straight quotation mark',
    fix: 'Use the quotation marks of the language: “…” in Chinese and English, «…» in Spanish.',
  },
  {
    code: 'quote-straight',
    locales: ['zh-CN', 'es'],
    pattern: /'/u,
    what: 'a straight apostrophe',
    fix: 'Leave it out: the language has no apostrophe.',
  },
  // @NOTE contract: 2.6.7 writes <name>'s with a straight apostrophe; that one stays.
  {
    code: 'quote-straight',
    locales: ['en-US'],
    pattern: new RegExp(`(?<![\\p{L}${filledIn}])'|'(?!\\p{L})`, 'u'),
    what: 'a straight quotation mark',
    fix: 'Use ‘…’ or “…”; the straight apostrophe only stands inside a word.',
  },
  {
    code: 'character-hidden',
    locales: all,
    pattern: /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00A0\u2000-\u200A\u202F\uFFFD]/u,
    what: 'a character that cannot be seen, or a line break',
    fix: 'Delete what stands there and type the letters beside it again.',
  },
  {
    code: 'letter-foreign',
    locales: western,
    pattern: /(?!\p{Script=Latin})\p{L}/u,
    what: 'a letter of another script',
    fix: 'Type the word again with the letters of the language.',
  },
  {
    code: 'letter-foreign',
    locales: ['zh-CN'],
    pattern: /(?!\p{Script=Han})\p{L}/u,
    what: 'a letter of another script',
    fix: 'Say it in Chinese; units, too, such as 分钟.',
  },
]
