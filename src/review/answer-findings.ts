import type { SignedAnswer } from './answers.js'
import type { Finding } from './finding.js'
import type { Approvals } from './signoff.js'
import { compareWords } from './word-diff.js'

const file = 'insight/signoff.json'
const sign = 'svc insight sign --by NAME'

/** What changed in the answers though their texts did not: each change of words once, however many answers it shows in. */
export function describeAnswers(answers: readonly SignedAnswer[]): Finding[] {
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

/** The same for the same words put in another's place in a language; for a fixture that is new or changed, its name. */
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
    message: `${nameAnswer(id)} changed in ${locale}${more}${approved}, and no text did: words that the program itself puts in.`,
    fix: `Put the words in src/insight/ back, or have the answers reviewed, then: ${sign}.`,
    ...(entry === undefined ? {} : { before: entry.text }),
    after: text,
  }
}

function describeOpen({ id, state }: SignedAnswer): Finding {
  const fix = `Have it read (svc insight review), then: ${sign}.`
  if (state === 'stale') {
    const message = `The fixture ${id} changed since what it says was approved.`
    return { code: 'answer-stale', file, id, message, fix }
  }
  return { code: 'answer-unsigned', file, id, message: `${nameAnswer(id)} was never approved.`, fix }
}

/** Approvals of fixtures that are gone; `told` are the scenarios of which nothing is shown any more. */
export function describeLostAnswers(
  answers: readonly SignedAnswer[],
  approvals: Approvals,
  told: ReadonlySet<string | undefined>,
): Finding[] {
  const known = new Set(answers.map(({ id }) => id))
  const lost = Object.keys(approvals).filter((id) => !known.has(id) && !told.has(id.split('.')[0]))
  return lost.map((id): Finding => {
    const message = `The sign-off has what the fixture ${id} says, and the fixture is gone.`
    const fix = 'If it was deleted on purpose, svc insight sign takes it out; else put the fixture back.'
    return { code: 'signoff-left-over', file, id, message, fix }
  })
}

function nameAnswer(id: string): string {
  return id.includes(' ') ? `How ${id} are written` : `What the fixture ${id} says`
}
