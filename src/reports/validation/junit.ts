import type { PayloadResult, Problem } from '../../payload-files/result.js'
import { toPrintableLines } from '../../text/words.js'
import type { CreateReporter } from './reporter.js'

interface Suite {
  readonly name: string
  readonly failed: PayloadResult[]
  readonly problems: Problem[]
  tests: number
}

/**
 * Writes a JUnit report: a suite per source, a case per payload. While a source is read, only its failed payloads are kept;
 * the cases of valid ones are numbers. Conforms to the schemas of Apache Ant and of Jenkins.
 */
export const createJunitReporter: CreateReporter = (write, { now, toolVersion }) => {
  const timestamp = now.toISOString().slice(0, 19)
  let id = 0
  let suite: Suite | undefined
  const enter = (name: string) => {
    if (suite?.name === name) return suite
    leave()
    suite = { name, failed: [], problems: [], tests: 0 }
    return suite
  }
  const leave = () => {
    if (suite !== undefined) writeSuite(write, suite, { id: id++, timestamp, toolVersion })
    suite = undefined
  }
  write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n')
  return {
    valid: (source, _index, count) => {
      enter(source).tests += count
    },
    result: (result) => {
      const current = enter(result.source)
      current.tests++
      if (!result.valid) current.failed.push(result)
    },
    problem: (problem) => {
      enter(problem.source ?? 'input').problems.push(problem)
    },
    end: () => {
      leave()
      write('</testsuites>\n')
    },
  }
}

interface SuiteAttributes {
  readonly id: number
  readonly timestamp: string
  readonly toolVersion: string
}

function writeSuite(
  write: (text: string) => void,
  suite: Suite,
  { id, timestamp, toolVersion }: SuiteAttributes,
): void {
  const name = escapeXml(suite.name)
  const tests = suite.tests + suite.problems.length
  write(
    `  <testsuite id="${id}" package="svc" name="${name}" timestamp="${timestamp}" hostname="localhost" tests="${tests}"` +
      ` failures="${suite.failed.length}" errors="${suite.problems.length}" time="0">\n` +
      `    <properties><property name="svc" value="${escapeXml(toolVersion)}"/></properties>\n`,
  )
  let next = 0
  const writePassed = (end: number) => {
    for (; next < end; next++) write(`    ${openCase(name, `payload ${next}`)}/>\n`)
  }
  for (const result of suite.failed) {
    writePassed(result.index)
    write(`    ${openCase(name, `payload ${result.index}`)}>${renderFailure(result)}</testcase>\n`)
    next = result.index + 1
  }
  writePassed(suite.tests)
  for (const { message } of suite.problems) {
    write(`    ${openCase(name, 'reading')}><error type="unreadable" message="${escapeXml(message)}"/></testcase>\n`)
  }
  write('    <system-out/>\n    <system-err/>\n  </testsuite>\n')
}

function openCase(classname: string, name: string): string {
  return `<testcase classname="${classname}" name="${name}" time="0"`
}

function renderFailure({ source, errors, warnings }: PayloadResult): string {
  const violations = errors.length > 0 ? errors : warnings
  const [first] = violations
  const lines = violations.map(
    ({ line, column, message, rule, path }) => `${source}:${line}:${column} ${message} [${rule}]${path && ` ${path}`}`,
  )
  const attributes = `type="${escapeXml(first?.rule ?? 'invalid')}" message="${escapeXml(first?.message ?? 'not shown')}"`
  return `<failure ${attributes}>${escapeXml(lines.join('\n'))}</failure>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/**
 * Escapes text for an attribute or an element. Control characters become JSON escapes, as XML 1.0 cannot hold most of them;
 * half a surrogate pair becomes the replacement character.
 */
export function escapeXml(text: string): string {
  return toPrintableLines(text).replace(
    /[&<>"\n]|[^\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    (char) => entities[char] ?? '\uFFFD',
  )
}
