import { answerApproved, type CheckInput, type CopyCheck } from '../check.js'
import { hashWording } from '../lint/wording.js'
import { type SignedAnswer, signAnswers } from './answers.js'
import { judgeTexts, type Signature, type SignedText, type Signoff, signTexts } from './signoff.js'

/** The texts, answers and rules to approve as they are now. */
export interface Wanted {
  readonly texts: readonly SignedText[]
  readonly answers: readonly SignedAnswer[]
  /** The rules about words. */
  readonly wording: boolean
}

/**
 * Approves the wanted items; answers follow the approved texts that they use. When nothing is left open, the label is
 * bound to the texts for good.
 */
export function approve(input: CheckInput, check: CopyCheck, wanted: Wanted, signature: Signature): Signoff {
  const { signoff, wording } = input
  const { patterns } = check.texts
  const texts = signTexts(signoff.texts, patterns, wanted.texts, signature)
  const after = answerApproved(input, check, texts)
  const answers = after.length === 0 ? signoff.answers : signAnswers(check.answers, after, wanted.answers, signature)
  const signed: Signoff = {
    ...signoff,
    wording: wanted.wording ? hashWording(wording) : signoff.wording,
    texts,
    answers,
  }
  const states = [...judgeTexts(patterns, texts), ...answerApproved({ ...input, signoff: signed }, check, texts)]
  const isWhole = states.every(({ state }) => state === 'signed') && signed.wording === hashWording(wording)
  if (!isWhole || after.length === 0) return signed
  const { ruleVersion } = signature
  return { ...signed, labels: { ...signoff.labels, [ruleVersion]: signoff.labels[ruleVersion] ?? input.pinnedHash } }
}

/** Returns the wanted answers in the words that they have after the wanted texts are approved. */
export function phraseAnswers(input: CheckInput, check: CopyCheck, { answers, texts }: Wanted): SignedAnswer[] {
  const { signoff } = input
  const nobody = { by: '', date: '', ruleVersion: '' }
  const after = answerApproved(input, check, signTexts(signoff.texts, check.texts.patterns, texts, nobody))
  const phrased = new Map(after.map((answer) => [`${answer.id} ${answer.locale}`, answer.text]))
  return answers.map((answer) => ({ ...answer, text: phrased.get(`${answer.id} ${answer.locale}`) ?? answer.text }))
}
