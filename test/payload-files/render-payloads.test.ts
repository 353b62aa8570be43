import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { renderScenarios } from '../../src/commands/insight.js'
import { listScenarios } from '../../src/copydesk/scenarios.js'
import type { Locale, ValidReading } from '../../src/insight/index.js'
import { type Core, renderPayloads } from '../../src/payload-files/render-payloads.js'
import { type RenderFormatName, renderFormats } from '../../src/reports/insight/index.js'
import { plain } from '../../src/runtime/style.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const render = suite('insight render')
const { folder, write, close } = openTemporaryFolder()
render.after(close)

/** Greets the name of the payload in the requested language; rejects a payload without a name. */
const core: Core = {
  interpret: (payload) => {
    const hasName = typeof payload === 'object' && payload !== null && 'name' in payload
    return hasName
      ? { errors: [], reading: payload as unknown as ValidReading }
      : { errors: [{ path: '/name', rule: 'name', message: 'name is <missing>.' }], reading: undefined }
  },
  renderInsight: (payload, { locale }) => ({
    scenario: 'HELLO',
    locale: locale ?? 'en-US',
    status: 'attention',
    severity: 'low',
    summary: `${greetings[locale ?? 'en-US']}${Object(payload).name}`,
    generation: { ruleId: 'HR_HELLO', ruleVersion: '1', aiPolished: false },
  }),
  explainReading: (payload) => ({
    scenario: 'HELLO',
    condition: 'there is a name',
    ruleId: 'HR_HELLO',
    status: 'attention',
    statusReason: 'this sentence always has it',
    facts: [{ name: 'name', value: Object(payload).name, path: '/name' }],
    clauses: [
      { name: 'greeting', texts: ['HELLO'], shown: true, reason: 'always' },
      { name: 'title', texts: [], shown: false, reason: 'none was sent' },
    ],
  }),
}
const greetings: Readonly<Record<Locale, string>> = { 'zh-CN': '你好，', 'en-US': 'Hello, ', es: 'Hola, ' }

interface Options {
  readonly format?: RenderFormatName
  readonly locale?: Locale | 'all'
  readonly explain?: boolean
  readonly columns?: number
}

async function run(path: string, { format = 'text', locale, explain = false, columns }: Options = {}) {
  let text = ''
  const problems: string[] = []
  const onProblem = ({ source, message }: { readonly source?: string; readonly message: string }) =>
    problems.push(`${source} ${message}`)
  const output = {
    write: (piece: string) => {
      text += piece
    },
    flush: async () => true,
    close: async () => undefined,
  }
  const renderer = renderFormats[format](output.write, { paint: plain, columns })
  const copy = { ruleVersion: '1', messages: { 'zh-CN': {}, 'en-US': {}, es: {} } }
  const status = await renderPayloads([path], { renderer, output, onProblem }, { locale, explain, copy, core })
  return { text: text.replaceAll(`${folder}/`, ''), status, problems }
}

const tricky = '<b>*Ma|x*</b> & "Co"'
const payload = JSON.stringify({ name: tricky })
const file = write('one.json', payload)
write('reviewed/none.json', payload)
write('reviewed/own.json', JSON.stringify({ name: 'Luna', locale: 'es' }))
write('reviewed/wrong.ndjson', `{"name":"Rex","locale":null}\n{"nam":"x"}\n`)

const localesOf = async (path: string, options?: Options) =>
  JSON.parse((await run(path, { ...options, format: 'json' })).text).results.map(
    ({ source, index, locale }: Record<string, unknown>) => `${source} #${index} ${locale}`,
  )

render('uses the locale of the payload, or all three for a payload of a folder that names no locale', async () => {
  assert.equal(await localesOf(`${folder}/reviewed`), [
    'reviewed/none.json #0 zh-CN',
    'reviewed/none.json #0 en-US',
    'reviewed/none.json #0 es',
    'reviewed/own.json #0 es',
    'reviewed/wrong.ndjson #0 zh-CN',
    'reviewed/wrong.ndjson #0 en-US',
    'reviewed/wrong.ndjson #0 es',
  ])
})

render('uses the default locale for a single file that names no locale', async () => {
  assert.equal(await localesOf(file), ['one.json #0 en-US'])
})

render('uses the requested locale', async () => {
  assert.equal(await localesOf(file, { locale: 'zh-CN' }), ['one.json #0 zh-CN'])
  assert.is((await localesOf(`${folder}/reviewed/own.json`, { locale: 'all' })).length, 3)
})

render('renders the others if one is not valid, and returns 1', async () => {
  const { text, status } = await run(`${folder}/reviewed/wrong.ndjson`)
  assert.is(status, 1)
  assert.is(
    text,
    [
      'reviewed/wrong.ndjson',
      'HELLO  attention  HR_HELLO',
      '',
      '  zh-CN  你好，Rex',
      '  en-US  Hello, Rex',
      '  es     Hola, Rex',
      '',
      'reviewed/wrong.ndjson #1',
      'not a valid payload, so it has no text',
      '',
      'reviewed/wrong.ndjson:2:1: error: name is <missing>.',
      '    name  /name',
      '',
      '',
    ]
      .join('\n')
      .replace('  zh-CN  你好，Rex\n', '')
      .replace('  es     Hola, Rex\n', ''),
  )
})

render('returns 2 and reports a file that does not exist', async () => {
  const { status, problems } = await run(`${folder}/gone.json`)
  assert.is(status, 2)
  assert.is(problems.length, 1)
  assert.match(problems[0] ?? '', 'gone.json')
})

render('text explains in plain words', async () => {
  const { text } = await run(file, { explain: true })
  assert.match(text, 'Why this sentence\n    HELLO is said for: there is a name.')
  assert.match(text, `name  ${tricky}  /name`)
  assert.match(text, '+ greeting  always [HELLO]\n    - title     left out: none was sent')
})

render('text escapes control characters of a payload', async () => {
  const path = write('control.json', JSON.stringify({ name: 'a\u001b[2Jb\r' }))
  assert.match((await run(path)).text, '  en-US  Hello, a\\u001b[2Jb\\u000d\n')
})

for (const format of ['text', 'markdown', 'html'] as const) {
  render(`${format} escapes control and direction characters of payloads and file names`, async () => {
    const hostile = '\u001b[2J\u009b\u202e\u2028'
    const path = write(`${hostile}.ndjson`, `${JSON.stringify({ name: hostile })}\n{"nam":"x"}\n`)
    const { text } = await run(path, { format, explain: true })
    assert.match(text, 'Hello, ')
    assert.not.match(text.replaceAll('\n', ''), /[\p{Cc}\u202e\u2028]/u)
  })
}

render('text wraps by the width of the characters, and only for a terminal', async () => {
  const path = write('long.json', JSON.stringify({ name: '很长的名字'.repeat(20) }))
  const wrapped = (await run(path, { locale: 'zh-CN', columns: 60 })).text.split('\n')
  const lines = wrapped.filter((line) => /很/.test(line))
  assert.ok(lines.length >= 4)
  // 51 columns are left next to the language, and each of these characters takes two.
  for (const line of lines) assert.ok([...line.slice(9)].length * 2 <= 51, line)
  const plainLines = (await run(path, { locale: 'zh-CN' })).text.split('\n').filter((line) => /很/.test(line))
  assert.is(plainLines.length, 1)
})

render('json contains the invalid payloads, and the explanation on request', async () => {
  const explained = JSON.parse((await run(file, { format: 'json', explain: true })).text)
  assert.is(explained.results[0].explanation.condition, 'there is a name')
  assert.is(explained.results[0].summary, `Hello, ${tricky}`)
  const { invalid } = JSON.parse((await run(`${folder}/reviewed`, { format: 'json' })).text)
  assert.equal([invalid[0].index, invalid[0].errors[0].line], [1, 2])
})

render('markdown escapes markup', async () => {
  const { text } = await run(file, { format: 'markdown', explain: true })
  assert.match(text, '**en-US** — Hello, \\<b\\>\\*Ma\\|x\\*\\</b\\> \\& "Co"')
  assert.match(text, '| name | \\<b\\>\\*Ma\\|x\\*\\</b\\> \\& "Co" | `/name` |')
})

render('html escapes markup and names each language', async () => {
  const { text, status } = await run(`${folder}/reviewed`, { format: 'html', explain: true })
  assert.is(status, 1)
  assert.match(text, '<p lang="zh-CN" dir="auto">你好，&lt;b&gt;*Ma|x*&lt;/b&gt; &amp; &quot;Co&quot;</p>')
  assert.match(text, 'name is &lt;missing&gt;.')
  assert.match(text, /^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/)
  assert.not.match(text, /https?:|<script/)
})

render('lists every scenario, and marks those without a fixture', () => {
  const rows = listScenarios(
    new Map([['REST_NIGHT_POOR', { fixtures: ['a.json', 'b.json', 'c.json'], example: 'Rex slept.' }]]),
  )
  assert.is(rows.length, 37)
  const text = renderScenarios(rows, plain)
  assert.match(
    text,
    /REST_NIGHT_POOR\n {2}says {5}Rex slept\.\n {2}when .*\n {2}status {3}attention \(severity low\) or observation \(severity none\)\n {2}rule {5}REST_SUPPLIED_JUDGMENT\n {2}fixture {2}a\.json and 2 more\n/,
  )
  assert.match(text, 'no shipped fixture reaches it')
  assert.match(text, '37 scenarios, 36 without a fixture.')
})

render.run()
