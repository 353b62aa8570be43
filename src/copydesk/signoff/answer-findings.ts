import type { Finding } from '../finding.js'
import { compareWords } from '../word-diff.js'
import type { SignedAnswer } from './answers.js'
import type { Approvals } from './signoff.js'

const file = 'insight/signoff.json'
const sign = 'svc insight sign --by NAME'

/**
 * Reports answers that changed although their texts did not: each change of words once, however many answers show it.
 */
export function reportAnswers(answers: readonly SignedAnswer[]): Finding[] {
  const groups = new Map<string, SignedAnswer[]>()
  for (const answer of answers.filter(({ state }) => state !== 'signed')) {
    const name = nameChange(answer)
    groups.set(name, [...(groups.get(name) ?? []), answer])
  }
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    return [first.state === 'changed' ? describeChanged(first, others.length) : describeOpen(first)]
  })
}

/** Returns the key to group by: the language and its replaced words, or the name of a new or changed fixture. */
function nameChange({ entry, id, locale, state, text }: SignedAnswer): string {
  if (state !== 'changed' || entry === undefined) return id
  const changes = compareWords(entry.text, text, locale).filter(({ kind }) => kind !== 'same')
  return JSON.stringify([locale, ...new Set(changes.map((change) => `${change.kind} ${change.text.trim()}`))])
}

function describeChanged({ entry, id, locale, text }: SignedAnswer, others: number): Finding {
  const more = others === 0 ? '' : `, and so did ${others} more,`
  const approved = entry === undefined ? '' : ` since ${entry.by} approved it on ${entry.date} (${entry.ruleVersion})`
  return {
    ...{ code: 'answer-changed', file, locale },
    message: `${nameAnswer(id)} changed in ${locale}${more}${approved}, but no text did: the change is in words that the program adds.`,
    fix: `Restore the words in src/insight/, or have the answers reviewed, then run ${sign}.`,
    ...(entry === undefined ? {} : { before: entry.text }),
    after: text,
  }
}

function describeOpen({ id, state }: SignedAnswer): Finding {
  const fix = `Have it reviewed (svc insight review), then run ${sign}.`
  if (state === 'stale') {
    const message = `The fixture ${id} changed since its answer was approved.`
    return { code: 'answer-stale', file, id, message, fix }
  }
  return { code: 'answer-unsigned', file, id, message: `${nameAnswer(id)} was never approved.`, fix }
}

/** Reports approvals of deleted fixtures. `reported` holds the scenarios that are already reported. */
export function reportLostAnswers(
  answers: readonly SignedAnswer[],
  approvals: Approvals,
  reported: ReadonlySet<string | undefined>,
): Finding[] {
  const known = new Set(answers.map(({ id }) => id))
  const lost = Object.keys(approvals).filter((id) => !known.has(id) && !reported.has(id.split('.')[0]))
  return lost.map((id): Finding => {
    const message = `The sign-off has an answer of the fixture ${id}, which no longer exists.`
    const fix =
      'If it was deleted on purpose, run svc insight sign, which removes the answer; otherwise restore the fixture.'
    return { code: 'signoff-left-over', file, id, message, fix }
  })
}

function nameAnswer(id: string): string {
  return id.includes(' ') ? `The format of ${id}` : `The answer of the fixture ${id}`
}
