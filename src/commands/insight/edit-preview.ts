import { loadInsightCopy, readInsightTexts } from '../../catalog.js'
import { isSvcError } from '../../errors.js'
import { type Copy, generate, type Locale, locales } from '../../insight/index.js'
import { compileMessages } from '../../message-compiler.js'
import { traceTexts } from '../../review/branches.js'
import type { Draft } from '../../review/draft.js'
import type { NamedPayload } from '../../review/examples.js'
import { diffWords } from '../../review/word-diff.js'
import type { Paint } from '../output/style.js'
import { count, toPrintable } from '../output/words.js'
import { readFixtures } from './review.js'

/** What a text of the catalog says in the fixtures that use it, before and after an edit. */
export interface Preview {
  /** The texts of the first fixtures. */
  readonly show: () => string
  /** A sentence that says why these texts cannot be used. */
  readonly findFault: (texts: Draft['texts']) => string | undefined
  /** What the fixtures say with these texts, where that is something else, word by word. */
  readonly compare: (texts: Draft['texts']) => string
}

const shownFixtures = 3

export async function createPreview(id: string, paint: Paint): Promise<Preview> {
  const texts = readInsightTexts()
  const copy = await loadInsightCopy()
  const users = (await readFixtures()).filter(({ payload }) =>
    locales.some((locale) =>
      traceTexts(copy, locale, (traced) => generate(payload, { copy: traced, locale })).uses.some(
        (use) => use.id === id,
      ),
    ),
  )
  const compile = (edited: Draft['texts']): Copy => {
    const patterns = {
      'zh-CN': { ...texts.patterns['zh-CN'], [id]: edited['zh-CN'] },
      'en-US': { ...texts.patterns['en-US'], [id]: edited['en-US'] },
      es: { ...texts.patterns.es, [id]: edited.es },
    }
    return { ...copy, messages: compileMessages({ files: texts.files, patterns }) }
  }
  const block = ({ name }: NamedPayload, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${paint('bold', name)}\n${lines.join('')}\n`
  const line = (locale: Locale, text: string) => `  ${paint('dim', locale.padEnd(5))}  ${text}\n`
  const say = (user: NamedPayload, locale: Locale, words: Copy) =>
    generate(user.payload, { copy: words, locale }).summary
  return {
    show: () =>
      users
        .slice(0, shownFixtures)
        .map((user) =>
          block(
            user,
            locales.map((locale) => line(locale, toPrintable(say(user, locale, copy)))),
          ),
        )
        .join('') + tellMore(users.length - shownFixtures),
    findFault: (edited) => {
      try {
        compile(edited)
        return undefined
      } catch (error) {
        if (!isSvcError(error)) throw error
        return error.message
      }
    },
    compare: (edited) => {
      const after = compile(edited)
      const blocks = users.flatMap((user) => {
        const lines = locales.flatMap((locale) => {
          const [older, newer] = [say(user, locale, copy), say(user, locale, after)]
          return older === newer ? [] : [line(locale, markChanges(older, newer, locale, paint))]
        })
        return lines.length === 0 ? [] : [block(user, lines)]
      })
      if (blocks.length === 0) return 'No fixture says anything else: this change is in a case that none shows.\n'
      return `\n${blocks.slice(0, shownFixtures).join('')}${tellMore(blocks.length - shownFixtures)}`
    },
  }
}

function tellMore(more: number): string {
  return more > 0 ? `and ${count(more, 'fixture')} more: svc insight render, svc insight review\n\n` : ''
}

function markChanges(older: string, newer: string, locale: Locale, paint: Paint): string {
  return diffWords(older, newer, locale)
    .map(({ kind, text }) => {
      if (kind === 'same') return toPrintable(text)
      return kind === 'added' ? paint('green', `{+${toPrintable(text)}+}`) : paint('red', `[-${toPrintable(text)}-]`)
    })
    .join('')
}
