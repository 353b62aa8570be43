// run: takes 14 s
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { count } from '../../src/text/words.js'
import { buildPayload } from '../helpers/payloads.js'
import { reportSkip } from '../helpers/skip.js'
import { program, runNode, runSvc } from '../helpers/svc.js'
import { openSession } from '../helpers/svc-session.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const validate = suite('svc validate')
const { folder, write, close } = openTemporaryFolder()
validate.after(close)

const good = buildPayload({ metric: 'hr', viewWindow: 'day' })
const bad = { ...good, metric: 'pulse' }
const text = JSON.stringify(good)
write('good.json', JSON.stringify(good, undefined, 2))
write('odd.json', text.replace('"locale"', '"local"'))
write('unknown.json', JSON.stringify({ ...good, avgMinutes: 12 }))
write('bad.json', JSON.stringify(bad, undefined, 2))
write('broken.json', '{"metric": "hr",}')
write('empty.json', '')
write('junk.json', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0))
write('many.ndjson', `${text}\n${JSON.stringify(bad)}\n\n${text}\n`)
write('array.json', `[\n  ${text},\n  ${JSON.stringify(bad)}\n]`)
write('valid/a.json', text)
write('valid/deep/b.ndjson', `${text}\n${text}\n`)
mkdirSync(join(folder, 'nothing'))

const session = openSession()
validate.after(session.close)
const run = (args: readonly string[]) => session.run(['validate', ...args], { cwd: folder })

const cases: readonly (readonly [args: readonly string[], status: number, out: RegExp, err?: RegExp])[] = [
  [['good.json'], 0, /^1 payload in 1 source: 1 valid, 0 invalid\.$/m],
  [['odd.json'], 0, /warning: .*local[\s\S]*1 valid, 0 invalid \(1 warning\)/],
  [['--strict', 'odd.json'], 1, /0 valid, 1 invalid \(1 warning\)/],
  [
    ['unknown.json', 'good.json', 'odd.json'],
    0,
    /3 valid, 0 invalid \(1 warning\)\.$/m,
    /^svc: 1 payload with unknown members, which are ignored; --unknown warn lists these members\.$/,
  ],
  [['-q', 'unknown.json'], 0, /^$/],
  [['--unknown', 'ignore', 'unknown.json'], 0, /1 valid, 0 invalid\.$/m],
  [['--unknown', 'warn', 'unknown.json'], 0, /avgMinutes is unknown[\s\S]*\(1 warning\)/],
  [['--unknown', 'error', 'unknown.json'], 1, /avgMinutes is unknown[\s\S]*\(1 error\)/],
  [['--strict', '--unknown', 'ignore', 'odd.json'], 0, /1 valid, 0 invalid\.$/m],
  [['--unknown', 'loud', 'odd.json'], 2, /^$/, /warn, error, ignore/],
  [['bad.json'], 1, /^bad\.json:5:13: error: metric is "pulse".*\n {4}envelope-metric {2}\/metric\n/],
  [
    ['broken.json'],
    1,
    /^broken\.json:1:17: error: .*an unexpected "}" \(the comma before it is one too many\) at line 1, column 17/,
  ],
  [['many.ndjson'], 1, /^many\.ndjson:2:\d+: error:[\s\S]*3 payloads in 1 source: 2 valid, 1 invalid/],
  [['array.json'], 1, /^array\.json:3:\d+: error:[\s\S]*2 payloads in 1 source/],
  [['valid'], 0, /3 payloads in 2 sources: 3 valid/],
  [['{good,odd}.json'], 0, /2 payloads in 2 sources/],
  [['good.json', 'bad.json', 'valid'], 1, /5 payloads in 4 sources: 4 valid, 1 invalid/],
  [['gone.json', 'bad.json'], 2, /1 invalid/, /^svc: gone\.json: no such file or folder\.$/],
  [['empty.json'], 2, /1 problem reading/, /svc: empty\.json: it is empty/],
  [['junk.json', 'good.json'], 2, /1 valid/, /svc: junk\.json: it is not UTF-8 text/],
  [['nothing'], 2, /1 problem/, /svc: nothing: the folder holds no/],
  [['*.yaml'], 2, /1 problem/, /svc: \*\.yaml: no file matches/],
  [[], 2, /^$/, /name a file, a folder, a pattern, or - [\s\S]*Usage: svc validate/],
  [['--formt', 'json', 'good.json'], 2, /^$/, /Did you mean --format\?/],
  [['-f', 'jsn', 'good.json'], 2, /^$/, /unknown format 'jsn'.*\n\(Did you mean json\?\)/],
  [['-f', 'json', '-f', 'text', 'good.json'], 2, /^$/, /only one format can go to standard output/],
  [['-f', 'junit=', 'good.json'], 2, /^$/, /a file name must follow/],
  [['-f', 'json=no/x.json', 'good.json'], 2, /^$/, /no\/x\.json cannot be written/],
  [['--max-errors', '0', 'good.json'], 2, /^$/, /--max-errors must be an integer from 1/],
  [['--max-errors', '1', '-q', 'bad.json', 'many.ndjson'], 1, /^bad[\s\S]*and 1 more violation not shown/],
  [['--strict', '--quiet', 'odd.json'], 1, /^odd[\s\S]*warning/],
  [['--quiet', 'odd.json'], 0, /^$/],
  [['--explain', 'payload-jsno'], 2, /^$/, /Did you mean payload-json\?/],
  [['--explain', 'nights'], 2, /^$/, /no rule nights\. Did you mean .*period-nights-required.*\?/],
  [['--explain', 'payload-json'], 0, /^payload-json \(error; health detail contract, [\s\S]*Good[\s\S]*Bad/],
  [['--list-rules'], 0, /^payload-json +error /m],
]
for (const [args, status, out, err = /^$/] of cases) {
  validate(`answers ${status} to ${args.join(' ') || 'no argument'}`, async () => {
    const result = await run(args)
    assert.match(result.stdout, out)
    assert.match(result.stderr.trim(), err)
    assert.is(result.status, status)
  })
}

validate('reads standard input', () => {
  const { status, stdout } = runSvc(['validate', '--json', '-'], { input: `${text}\n{"metric":\n` })
  assert.is(status, 1)
  const { results, summary } = JSON.parse(stdout)
  assert.equal(results[0], { source: 'stdin', index: 0, valid: true, errors: [], warnings: [] })
  assert.equal(results[1].errors, [
    {
      path: '',
      rule: 'payload-json',
      message: 'This is not valid JSON: the text ends too early at line 2, column 11.',
      line: 2,
      column: 11,
      expected: null,
      actual: null,
    },
  ])
  assert.equal([summary.payloads, summary.valid, summary.invalid], [2, 1, 1])
})

validate('prints one JSON document and nothing else with --json, also after an error', async () => {
  const { status, stdout, stderr } = await run(['--json', 'bad.json', 'gone.json', 'array.json'])
  assert.is(status, 2)
  const { results, problems } = JSON.parse(stdout)
  assert.equal(
    results.map(({ source, index, valid }: Record<string, unknown>) => [source, index, valid]),
    [
      ['bad.json', 0, false],
      ['array.json', 0, true],
      ['array.json', 1, false],
    ],
  )
  assert.equal([results[0].errors[0].path, results[0].errors[0].line], ['/metric', 5])
  assert.equal(Object.keys(problems[0]), ['source', 'message'])
  assert.is(problems[0].source, 'gone.json')
  assert.match(stderr, 'gone.json')
})

validate('writes one run in several formats', async () => {
  const { status, stdout } = await run(['-f', 'github', '-f', 'sarif=out.sarif', '-f', 'junit=out.xml', 'bad.json'])
  assert.is(status, 1)
  assert.match(stdout, /^::error file=bad\.json,line=5,col=13,title=svc validate%3A .*::metric is "pulse"/)
  const sarif = JSON.parse(readFileSync(join(folder, 'out.sarif'), 'utf8'))
  const [result] = sarif.runs[0].results
  assert.is(sarif.runs[0].tool.driver.rules[result.ruleIndex].id, result.ruleId)
  assert.match(readFileSync(join(folder, 'out.xml'), 'utf8'), '<failure ')
})

validate('prints rules and schema as JSON', async () => {
  const { rules } = JSON.parse((await run(['--list-rules', '--json'])).stdout)
  assert.ok(rules.length > 50)
  assert.is(JSON.parse((await run(['--explain', 'payload-json', '--json'])).stdout).id, 'payload-json')
  const schema = JSON.parse((await run(['--print-schema'])).stdout)
  assert.is(schema.$schema, 'https://json-schema.org/draft/2020-12/schema')
})

validate('uses colors in a pipe if FORCE_COLOR asks for them', async () => {
  const env = { NO_COLOR: '', FORCE_COLOR: '1' }
  assert.match((await session.run(['validate', 'bad.json'], { cwd: folder, env })).stdout, '\u001b')
})

validate('ends quietly when its reader goes away', async () => {
  write('long.ndjson', `${text}\n`.repeat(4000))
  const child = spawn(process.execPath, [program, 'validate', '--json', 'long.ndjson'], { cwd: folder })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [status] = await once(child, 'close')
  assert.equal([status, stderr], [0, ''])
})

validate('says that its report could not be written', () => {
  if (!existsSync('/dev/full')) return reportSkip('there is no /dev/full')
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [program, 'validate', 'good.json'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  assert.equal([status, stderr], [2, 'svc: Standard output cannot be written: the disk is full.\n'])
})

validate('writes all of a long report to a reader that it may not wait for', async () => {
  write('many-bad.ndjson', `${JSON.stringify(bad)}\n`.repeat(3500))
  const path = join(folder, 'many-bad.ndjson')
  const { stdout } = await run(['--json', path])
  const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))
  const script = `process.stdout._handle.setBlocking(false)
    require(${JSON.stringify(cli)}).main(['node', 'svc', 'validate', '--json', ${JSON.stringify(path)}])`
  const alone = runNode(['-e', script])
  assert.equal([alone.status, alone.stderr, alone.stdout.length], [1, '', stdout.length])
  assert.ok(alone.stdout === stdout && stdout.length > 1_000_000)
})

/** Peak memory in MiB of a run over so many lines. */
function measurePeak(line: string, lines: number, threads: number): number {
  const path = write('lines.ndjson', `${line}\n`.repeat(lines))
  const cli = JSON.stringify(fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url)))
  const args = JSON.stringify(['node', 'svc', 'validate', '--max-errors', '5', '--threads', String(threads), path])
  const script = `process.on('exit', () => console.error(process.resourceUsage().maxRSS / 1024)); require(${cli}).main(${args})`
  const { stdout, stderr } = runNode(['-e', script])
  assert.match(stdout, `${count(lines, 'payload')} in 1 source`)
  return Number(stderr)
}

validate('needs no more memory for a longer file, in one thread and in two', () => {
  const short = measurePeak(text, 5000, 1)
  for (const threads of [1, 2]) {
    const long = measurePeak(text, 45_000, threads)
    // The longer file is 75 MiB larger; the heaps' own breathing stays below two thirds of that.
    assert.ok(long < short + 50, `${short.toFixed()} MiB for 5,000 lines, ${long.toFixed()} MiB for 45,000`)
  }
})

validate('needs no more memory for short lines that are all wrong', () => {
  const few = measurePeak('{}', 1000, 2)
  // All come in one chunk of the file, with nine violations each.
  const many = measurePeak('{}', 30_000, 2)
  // In one segment they would take 200 MiB more.
  assert.ok(many < few + 150, `${few.toFixed()} MiB for 1,000 lines, ${many.toFixed()} MiB for 30,000`)
})

for (const [where, flags, limit] of [
  ['where Node may make no code', ['--jitless'], 'unlimited'],
  ['where there are few addresses', [], String(8 << 20)],
] as const) {
  validate(`says the same of a long file ${where}`, async () => {
    const file = write('long.ndjson', `${`${text}\n`.repeat(3000)}${JSON.stringify(bad)}\n`)
    const script = 'ulimit -v "$1" && shift && exec "$@"'
    const svc = [process.execPath, ...flags, program, 'validate', file]
    const { status, stdout } = spawnSync('sh', ['-c', script, 'sh', limit, ...svc], { encoding: 'utf8' })
    assert.is(status, 1)
    assert.is(stdout, (await run([file])).stdout)
    assert.match(stdout, /3,001 payloads in 1 source: 3,000 valid, 1 invalid/)
  })
}

validate('names a word of 16 MiB where V8 no longer optimizes patterns, as in a process with many', () => {
  const file = write('word.json', `{"a":${'x'.repeat((16 << 20) - 20)}\u0001}`)
  const { status, stdout } = runNode(['--no-regexp-optimization', program, 'validate', file])
  assert.match(stdout, /an unexpected "x{40}"/)
  assert.is(status, 1)
})

validate.run()
