import type { CheckResult } from '../../app/doctor/check-result.js'
import { createPaint, type TextStyle } from '../../runtime/style.js'
import { count, toPrintable } from '../../text/words.js'

const marks: Readonly<Record<CheckResult['state'], readonly [mark: string, tone: TextStyle]>> = {
  ok: ['✓', 'green'],
  note: ['·', 'yellow'],
  problem: ['✗', 'red'],
}

export function renderResults(results: readonly CheckResult[]): string {
  const paint = createPaint(process.stdout)
  const width = Math.max(...results.map(({ check }) => check.length))
  const lines = results.flatMap(({ check, state, message, fix }) => {
    const [mark, tone] = marks[state]
    const line = `${paint(tone, mark)} ${check.padEnd(width)}  ${toPrintable(message)}`
    return fix === undefined ? [line] : [line, `  ${' '.repeat(width)}  ${toPrintable(fix)}`]
  })
  const problems = results.filter(({ state }) => state === 'problem').length
  const sum = problems === 0 ? 'All is well.' : `${count(problems, 'problem')} to be solved.`
  return `${[...lines, '', sum].join('\n')}\n`
}
