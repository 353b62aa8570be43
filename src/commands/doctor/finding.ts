import { createPaint, type Tone } from '../output/style.js'
import { count, toPrintable } from '../output/words.js'

/** What a check found. A note is worth knowing and needs nothing to be done. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly message: string
  /** What to do about a problem. */
  readonly fix?: string
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message }
}

export function note(check: string, message: string): Finding {
  return { check, state: 'note', message }
}

export function problem(check: string, message: string, fix: string): Finding {
  return { check, state: 'problem', message, fix }
}

const marks: Readonly<Record<Finding['state'], readonly [mark: string, tone: Tone]>> = {
  ok: ['✓', 'green'],
  note: ['·', 'yellow'],
  problem: ['✗', 'red'],
}

export function renderFindings(findings: readonly Finding[]): string {
  const paint = createPaint(process.stdout)
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, message, fix }) => {
    const [mark, tone] = marks[state]
    const line = `${paint(tone, mark)} ${check.padEnd(width)}  ${toPrintable(message)}`
    return fix === undefined ? [line] : [line, `  ${' '.repeat(width)}  ${toPrintable(fix)}`]
  })
  const problems = findings.filter(({ state }) => state === 'problem').length
  const sum = problems === 0 ? 'All is well.' : `${count(problems, 'problem')} to be solved.`
  return `${[...lines, '', sum].join('\n')}\n`
}

const namesShown = 5

/** The first of these names, and how many more there are. */
export function shorten(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `${names.slice(0, namesShown).join(', ')}${more}`
}

/** Why something failed, on one line. */
export function reasonIn(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
