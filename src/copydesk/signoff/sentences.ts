import { type Copy, defaultLocale, generate, type HealthDetailPayload, type Locale } from '../../insight/index.js'
import { traceTexts } from '../../insight/trace.js'
import type { CheckInput, CopyCheck } from '../check.js'
import { createBranchReader } from '../examples/branches.js'
import { findExamples } from '../examples/examples.js'
import { once } from '../lint/keep-last.js'
import { diffWords, type WordChange } from '../word-diff.js'
import { compileApproved } from './approved-messages.js'
import type { SignedText } from './signoff.js'

/** A text to approve, as readers meet it: in whole sentences. */
export interface TextInSentences {
  readonly text: SignedText
  /** The difference of each sentence from the approved one; for a new text, the sentence alone. */
  readonly sentences: readonly (readonly WordChange[])[]
  /** For a stale translation: what the first of its sentences says in English now, compared with the approved one. */
  readonly source?: readonly WordChange[]
}

/**
 * Renders sentences of each text in its language: those that changed; for a stale translation, those whose English did;
 * for a new text, those that use it; for a signed one, the first.
 */
export function showInSentences(
  input: CheckInput,
  { messages, signed, texts }: Pick<CopyCheck, 'messages' | 'signed' | 'texts'>,
  wanted: readonly SignedText[],
): readonly TextInSentences[] {
  if (messages === undefined || wanted.length === 0) return wanted.map((text) => ({ text, sentences: [] }))
  const now: Copy = { ruleVersion: input.ruleVersion, messages }
  const before: Copy = { ...now, messages: compileApproved(texts, messages, signed) }
  const inFixtures = createReader(input.fixtures, now, before)
  /** Searched only for a text that no fixture shows: it takes a second. */
  const inDerived = once(() => {
    const readBranches = createBranchReader(texts.patterns)
    return createReader(findExamples(input.fixtures, { copy: now, readBranches }), now, before)
  })
  return wanted.map((text): TextInSentences => {
    const { entry, id, locale, state } = text
    const wants: Readonly<Record<string, (sentence: ChangedSentence) => boolean>> = {
      changed: (sentence) => sentence.after !== sentence.before,
      stale: ({ payload }) => say(payload, defaultLocale, before) !== say(payload, defaultLocale, now),
    }
    const isWanted = wants[state] ?? (() => true)
    const here = inFixtures(id, locale).filter(isWanted)
    const found = here.length > 0 ? here : inDerived()(id, locale).filter(isWanted)
    const unique = [...new Map(found.map((sentence) => [`${sentence.before}\n${sentence.after}`, sentence])).values()]
    const [first] = unique
    return {
      text,
      sentences: unique
        .slice(0, state === 'signed' ? 1 : undefined)
        .map(({ after, before: older }) => diffWords(entry === undefined ? after : older, after, locale)),
      ...(state === 'stale' && first !== undefined && { source: compare(first.payload, defaultLocale, before, now) }),
    }
  })
}

interface ChangedSentence {
  readonly payload: HealthDetailPayload
  readonly before: string
  readonly after: string
}

/** Returns a function that lists the sentences of payloads that use a text. */
function createReader(users: readonly { readonly payload: HealthDetailPayload }[], now: Copy, before: Copy) {
  const readIn = (locale: Locale) =>
    users.map(({ payload }) => {
      const { result, uses } = traceTexts(now, (copy) => generate(payload, { copy, locale }))
      const sentence: ChangedSentence = { payload, before: say(payload, locale, before), after: result.summary }
      return { sentence, ids: new Set(uses.map(({ id }) => id)) }
    })
  const read = new Map<Locale, ReturnType<typeof readIn>>()
  return (id: string, locale: Locale): readonly ChangedSentence[] => {
    const known = read.get(locale) ?? readIn(locale)
    read.set(locale, known)
    return known.filter(({ ids }) => ids.has(id)).map(({ sentence }) => sentence)
  }
}

const say = (payload: HealthDetailPayload, locale: Locale, copy: Copy) => generate(payload, { copy, locale }).summary

function compare(payload: HealthDetailPayload, locale: Locale, before: Copy, now: Copy): readonly WordChange[] {
  return diffWords(say(payload, locale, before), say(payload, locale, now), locale)
}
