import { readInsightTexts } from '../../src/catalog/catalog.js'
import { compileMessages } from '../../src/catalog/message-compiler.js'
import { createReview, type Review } from '../../src/copydesk/page/review.js'
import { judgeAnswers } from '../../src/copydesk/signoff/answers.js'
import { collectApprovals, createEntry, judgeTexts, signTexts } from '../../src/copydesk/signoff/signoff.js'
import type { Locale } from '../../src/insight/types.js'
import { testTexts } from './desk.js'
import { insightFixtures } from './fixtures.js'

export const reviewTexts = readInsightTexts(testTexts)
export const reviewCopy = { ruleVersion: reviewTexts.ruleVersion, messages: compileMessages(reviewTexts) }

const signature = { by: 'the <reviewers>', date: '2026-10-14', ruleVersion: 'label-of-then' }

/** Every text, signed off as it is. */
export const signedOff = signTexts({}, reviewTexts.patterns, judgeTexts(reviewTexts.patterns, {}), signature)

/** Every answer, signed off with the texts of tests. */
export const answersSignedOff = collectApprovals(
  judgeAnswers(insightFixtures, reviewCopy.messages, {}).map(({ id, locale, sourceHash, text }) => ({
    id,
    locale,
    entry: createEntry(text, sourceHash, signature),
  })),
)

/** Builds the review of the texts of tests with changes since sign-off, of the fixtures whose names match `only`. */
export function reviewChanged(
  changes: readonly (readonly [id: string, locale: Locale, from: string, to: string])[] = [],
  signoff = signedOff,
  answers = answersSignedOff,
  only = /./,
): Review {
  const patterns = structuredClone(reviewTexts.patterns) as Record<Locale, Record<string, string>>
  for (const [id, locale, from, to] of changes) {
    const pattern = patterns[locale][id] ?? ''
    if (!pattern.includes(from)) throw new Error(`${id} ${locale} does not say ${from}`)
    patterns[locale][id] = pattern.replaceAll(from, to)
  }
  const texts = { ...reviewTexts, patterns }
  const fixtures = insightFixtures.filter(({ name }) => only.test(name))
  const copy = { ...reviewCopy, messages: compileMessages(texts) }
  return createReview({ texts, copy, signoff: { texts: signoff, answers }, fixtures })
}

/** Lists every example of a review. */
export const examplesOf = ({ scenarios }: Review) => scenarios.flatMap(({ examples }) => examples)
