import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateXML } from 'xmllint-wasm'
import type { Rule } from '../../src/insight/types.js'
import type { PayloadResult, Summary } from '../../src/payload-files/result.js'
import { type FormatName, formats } from '../../src/reports/validation/index.js'
import { escapeXml } from '../../src/reports/validation/junit.js'
import { toUri } from '../../src/reports/validation/sarif.js'
import { plain } from '../../src/runtime/style.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const reports = suite('validation reports')
const readSchema = (name: string) => readFileSync(new URL(`../schemas/${name}`, import.meta.url), 'utf8')

const rule: Rule = {
  id: 'average-agrees',
  severity: 'error',
  section: '4.5',
  sentence: 'An average agrees with its days.',
  good: { a: 1 },
  bad: { a: 2 },
}
const error = {
  path: '/metrics/average',
  rule: rule.id,
  message: 'average is 412,\nbut <100%> of "days" say: 398',
  line: 12,
  column: 7,
  expected: '398',
  actual: '412',
}
const warning = { path: '', rule: 'odd', message: 'odd \u0001 \uD800', line: 1, column: 100 }
const invalid: PayloadResult = {
  source: 'a b/ü,1:2.json',
  index: 2,
  valid: false,
  errors: [error],
  warnings: [warning],
}
const summary: Summary = {
  sources: 2,
  payloads: 1004,
  valid: 1003,
  invalid: 1,
  errors: 1,
  warnings: 1,
  problems: 1,
  notShown: 0,
}

/** Reports two valid payloads, an invalid one, a source that cannot be read, and 1,001 valid payloads. */
function report(
  format: FormatName,
  options: Parameters<typeof open>[1] & { notShown?: number; source?: string; times?: number } = {},
): string {
  const { reporter, readText } = open(format, options)
  reporter.valid(invalid.source, 0, 2)
  for (let time = 0; time < (options.times ?? 1); time++) {
    reporter.result({ ...invalid, source: options.source ?? invalid.source })
  }
  reporter.problem({ source: options.source ?? 'gone.json', message: 'it cannot be read.' })
  reporter.valid('many.ndjson', 0, 1001)
  reporter.end({ ...summary, notShown: options.notShown ?? 0 })
  return readText()
}

function open(format: FormatName, options: { quiet?: boolean; strict?: boolean; stepSummary?: string } = {}) {
  let text = ''
  const write = (piece: string) => {
    text += piece
  }
  const reporter = formats[format](write, {
    ...{ paint: plain, quiet: false, strict: false, cwd: '/home/project', rules: [rule], toolVersion: '1.2.3' },
    ...{ now: new Date('2026-10-14T08:00:00.123Z'), ...options },
  })
  return { reporter, readText: () => text }
}

reports('text shows location, message, rule and pointer, and ends with a summary line', () => {
  assert.is(
    report('text'),
    [
      'a b/ü,1:2.json:12:7: error: average is 412,\\u000abut <100%> of "days" say: 398',
      '    average-agrees  /metrics/average',
      'a b/ü,1:2.json:1:100: warning: odd \\u0001 \uD800',
      '    odd',
      '',
      '1,004 payloads in 2 sources: 1,003 valid, 1 invalid (1 error, 1 warning, 1 problem reading).',
      '',
    ].join('\n'),
  )
})

reports('text hides warnings and the summary with --quiet, and counts the violations not shown', () => {
  assert.not.match(report('text', { quiet: true }), /warning|1,004/)
  assert.match(report('text', { notShown: 37 }), '… and 37 more violations not shown (--max-errors).')
})

reports('every format shows warnings that make payloads invalid, also with --quiet', () => {
  const strict = { quiet: true, strict: true }
  assert.match(report('text', strict), /1:100: warning: odd/)
  assert.match(
    report('github', strict),
    '::error file=a b/ü%2C1%3A2.json,line=1,col=100,title=svc validate%3A odd::odd',
  )
  assert.is(JSON.parse(report('json', strict)).results[2].warnings.length, 1)
  const [run] = JSON.parse(report('sarif', strict)).runs
  const levels = run.results.map(({ level }: { readonly level: string }) => level)
  assert.equal(levels, ['error', 'error'])
  const [quiet] = JSON.parse(report('sarif', { quiet: true })).runs
  assert.is(quiet.results.length, 1)
})

reports('json has a result for every payload, in order', () => {
  const document = JSON.parse(report('json'))
  assert.is(document.results.length, 1004)
  assert.equal(document.results[1], { source: invalid.source, index: 1, valid: true, errors: [], warnings: [] })
  assert.equal(document.results[2].errors, [error])
  assert.equal(document.results[2].warnings, [{ ...warning, expected: null, actual: null }])
  assert.equal([document.results[3].index, document.results[1003].index], [0, 1000])
  assert.equal(document.problems, [{ source: 'gone.json', message: 'it cannot be read.' }])
  assert.equal(document.summary, summary)
})

reports('github escapes the reserved characters of workflow commands', () => {
  assert.equal(report('github').split('\n'), [
    '::error file=a b/ü%2C1%3A2.json,line=12,col=7,title=svc validate%3A average-agrees::' +
      'average is 412,%0Abut <100%25> of "days" say: 398 (/metrics/average)',
    '::error file=gone.json,title=svc validate::it cannot be read.',
    '::warning file=a b/ü%2C1%3A2.json,line=1,col=100,title=svc validate%3A odd::odd \\u0001 \uD800',
    '1,004 payloads in 2 sources: 1,003 valid, 1 invalid (1 error, 1 warning, 1 problem reading).',
    '',
  ])
})

reports('github annotates ten errors, then ten warnings, as many as are shown, and counts the rest', () => {
  const lines = report('github', { times: 12, notShown: 3 }).split('\n')
  const kinds = lines.map((line) => line.replace(/^::(\w+) .*/, '$1'))
  assert.equal(kinds.slice(0, 20), [...Array(10).fill('error'), ...Array(10).fill('warning')])
  assert.match(lines[20] ?? '', /not shown \(--max-errors\)\. Not annotated: 3 errors, 2 warnings\.$/)
  assert.is(lines.length, 22)
})

const { folder, close } = openTemporaryFolder()
reports.after(close)

reports('github appends a table to the summary of the step, errors first, without markup of the payload', () => {
  const stepSummary = join(folder, 'summary.md')
  writeFileSync(stepSummary, 'before\n')
  report('github', { stepSummary })
  assert.equal(readFileSync(stepSummary, 'utf8').split('\n'), [
    'before',
    '### svc validate',
    '',
    '1,004 payloads in 2 sources: 1,003 valid, 1 invalid (1 error, 1 warning, 1 problem reading).',
    '',
    '| Level | Place | Message | Rule |',
    '| --- | --- | --- | --- |',
    '| error | a b/ü,1\\:2.json\\:12\\:7 | average is 412,<br>but \\<100%\\> of "days" say\\: 398 (/metrics/average) | average-agrees |',
    '| error | gone.json | it cannot be read. |  |',
    '| warning | a b/ü,1\\:2.json\\:1\\:100 | odd \\\\u0001 \uFFFD | odd |',
    '',
    '',
  ])
})

reports('github fills the summary of the step up to 1 MiB', () => {
  const stepSummary = join(folder, 'long.md')
  report('github', { stepSummary, times: 20_000 })
  const text = readFileSync(stepSummary, 'utf8')
  const missing = (1 << 20) - Buffer.byteLength(text)
  assert.ok(missing >= 0 && missing < 500, `${missing} bytes are left`)
  assert.match(text, /average-agrees \|\n\nThe other rows are left out, as GitHub shows at most 1 MiB\.\n\n$/)
  report('github', { stepSummary })
  assert.is(readFileSync(stepSummary, 'utf8'), text)
})

for (const schema of ['junit-ant.xsd', 'junit-jenkins.xsd']) {
  reports(`junit conforms to ${schema}`, async () => {
    const { valid, errors } = await validateXML({
      xml: { fileName: 'report.xml', contents: report('junit') },
      schema: { fileName: schema, contents: readSchema(schema) },
    })
    assert.ok(valid, errors.map(({ message }) => message).join('\n'))
  })
}

reports('junit counts a case for each payload and an error for each source that cannot be read', () => {
  const text = report('junit')
  assert.is(text.match(/<testcase /g)?.length, 1005)
  const made = 'timestamp="2026-10-14T08:00:00" hostname="localhost"'
  assert.match(text, `name="a b/ü,1:2.json" ${made} tests="3" failures="1"`)
  assert.match(text, `name="gone.json" ${made} tests="1" failures="0" errors="1"`)
  assert.match(text, 'message="average is 412,&#10;but &lt;100%&gt; of &quot;days&quot; say: 398"')
})

reports('junit escapes or replaces characters that XML cannot hold', () => {
  assert.is(escapeXml('a\u0001b\uD800c\uFFFEd😀\t'), 'a\\u0001b\uFFFDc\uFFFDd😀\\u0009')
})

reports('sarif conforms to the official schema', () => {
  // Of draft 4, but it uses nothing that draft 7 reads differently.
  const { $schema, id, ...schema } = JSON.parse(readSchema('sarif-2.1.0.json'))
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false })
  const check = ajv.compile(schema)
  assert.ok(check(JSON.parse(report('sarif'))), JSON.stringify(check.errors, undefined, 1))
})

reports('sarif describes the tool and each rule as services for code scanning require', () => {
  const [run] = JSON.parse(report('sarif')).runs
  const { driver } = run.tool
  assert.is(driver.fullName, `svc ${driver.semanticVersion}`)
  assert.is(driver.informationUri, 'https://svc.example/docs')
  assert.equal(run.automationDetails, { id: 'svc-validate/' })
  assert.equal(driver.rules, [
    {
      id: 'average-agrees',
      name: 'AverageAgrees',
      shortDescription: { text: 'An average agrees with its days.' },
      fullDescription: { text: 'An average agrees with its days. Health detail contract, 4.5.' },
      help: {
        text: 'An average agrees with its days.\n\nHealth detail contract, 4.5.\n\nGood: {"a":1}\n\nBad: {"a":2}',
      },
      defaultConfiguration: { level: 'error' },
      properties: { section: '4.5', tags: ['health-detail', 'contract-4.5'] },
    },
  ])
})

reports('sarif names rule, location and pointer of each result', () => {
  const [run] = JSON.parse(report('sarif')).runs
  assert.is(run.columnKind, 'utf16CodeUnits')
  const [first, second] = run.results
  assert.equal([first.ruleIndex, first.level, second.level, second.ruleIndex], [0, 'error', 'warning', undefined])
  assert.equal(first.locations[0], {
    physicalLocation: {
      artifactLocation: { uri: 'a%20b/%C3%BC%2C1%3A2.json' },
      region: { startLine: 12, startColumn: 7 },
    },
    logicalLocations: [{ fullyQualifiedName: '2/metrics/average', kind: 'member' }],
  })
  assert.is(run.invocations[0].executionSuccessful, false)
})

const uris: readonly (readonly [source: string, uri: string])[] = [
  ['a.json', 'a.json'],
  ['./sub/a.json', 'sub/a.json'],
  ['/home/project/sub/a#b.json', 'sub/a%23b.json'],
  ['../other/a b.json', 'file:///home/other/a%20b.json'],
  ['/elsewhere/a.json', 'file:///elsewhere/a.json'],
  ['stdin', 'stdin'],
]
for (const [source, uri] of uris) {
  reports(`sarif writes ${source} as ${uri}`, () => assert.is(toUri(source, '/home/project'), uri))
}

reports('every format reports an empty run', () => {
  for (const name of Object.keys(formats) as FormatName[]) {
    const { reporter, readText } = open(name)
    reporter.end({ ...summary, payloads: 0 })
    const text = readText()
    if (name === 'json' || name === 'sarif') JSON.parse(text)
    else assert.is(text.includes('undefined'), false)
  }
})

for (const format of ['text', 'json', 'github', 'junit', 'sarif'] as const) {
  reports(`${format} escapes the control characters of file names`, () => {
    const text = report(format, { source: 'a\u001b[2J\u009b\u202e\n.json' })
    assert.not.match(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
    assert.match(text, /\\u001b|%1B/)
  })
}

reports.run()
