import type { Checked } from './check.js'

/** What became of a segment. */
export type Answer = Checked | { readonly problem: string }

/** Answers in the order of their segments, of which threads still work some out. */
export interface Queue {
  readonly add: (answer: Answer) => void
  readonly expect: (promise: Promise<Checked>) => void
  readonly isEmpty: () => boolean
  /** Whether so much waits for the first answer that nothing should be added before it is there. */
  readonly isFull: () => boolean
  /** Takes the answers that are there, up to the first that is not. */
  readonly takeReady: () => Generator<Answer>
  /** Takes the first answer, once it is there. Throws what kept it from coming. */
  readonly takeFirst: () => Promise<Answer>
}

/** The first answer of a thread takes as long as many later ones, which wait for it. */
const maxTurns = 512
/** Findings that are kept with them. */
const maxFindings = 8192

interface Turn {
  answer?: Answer
  readonly promise?: Promise<Checked>
}

export function createQueue(): Queue {
  const turns: Turn[] = []
  let findings = 0
  const countOf = (answer: Answer) => ('problem' in answer ? 0 : answer.findings.length)
  const leave = (answer: Answer) => {
    turns.shift()
    findings -= countOf(answer)
    return answer
  }
  return {
    add: (answer) => {
      turns.push({ answer })
      findings += countOf(answer)
    },
    expect: (promise) => {
      const turn: Turn = { promise }
      turns.push(turn)
      const settle = (checked: Checked) => {
        turn.answer = checked
        findings += countOf(checked)
      }
      // A failure is met when its turn comes; without this, one whose turn never comes would end the program.
      promise.then(settle).catch(() => undefined)
    },
    isEmpty: () => turns.length === 0,
    isFull: () => turns.length > maxTurns || findings > maxFindings,
    takeReady: function* () {
      for (let answer = turns[0]?.answer; answer !== undefined; answer = turns[0]?.answer) yield leave(answer)
    },
    takeFirst: async () => {
      const answer = turns[0]?.answer ?? (await turns[0]?.promise)
      if (answer === undefined) throw new RangeError('No answer is expected.')
      return leave(answer)
    },
  }
}
