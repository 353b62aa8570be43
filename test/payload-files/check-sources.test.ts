import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limitViolations } from '../../src/commands/validate.js'
import type { Violation } from '../../src/insight/types.js'
import { type CheckEvent, type CheckOptions, checkSources } from '../../src/payload-files/check-sources.js'
import { findSources } from '../../src/payload-files/sources.js'
import { findNearest } from '../../src/text/spelling.js'
import { buildPayload, combinations } from '../helpers/payloads.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const check = suite('check sources')
const { write, close } = openTemporaryFolder()
check.after(close)

async function run(path: string, options: Partial<CheckOptions> = {}): Promise<CheckEvent[]> {
  const events: CheckEvent[] = []
  for await (const event of checkSources(await findSources([path]), { strict: false, threads: 1, ...options })) {
    events.push(event)
  }
  return events
}

/** Rejects `{"bad":…}` and warns of `{"odd":…}`. */
const checkNames = (payload: unknown) => {
  const violation = (name: string): Violation[] =>
    typeof payload === 'object' && payload !== null && name in payload
      ? [{ path: `/${name}`, rule: name, message: `${name}.` }]
      : []
  return { errors: violation('bad'), warnings: violation('odd') }
}

check('reports valid payloads in runs and the others one by one, with their locations', async () => {
  const path = write('runs.ndjson', '{"a":1}\n\n{"a":2}\n{"a":3, "bad":0}\n{"odd":1}\n{"a":4}\n')
  const events = await run(path, { check: checkNames })
  assert.equal(events, [
    { kind: 'valid', source: path, index: 0, count: 2 },
    {
      kind: 'result',
      result: {
        source: path,
        index: 2,
        valid: false,
        errors: [{ path: '/bad', rule: 'bad', message: 'bad.', line: 4, column: 15 }],
        warnings: [],
      },
    },
    {
      kind: 'result',
      result: {
        source: path,
        index: 3,
        valid: true,
        errors: [],
        warnings: [{ path: '/odd', rule: 'odd', message: 'odd.', line: 5, column: 8 }],
      },
    },
    { kind: 'valid', source: path, index: 4, count: 1 },
  ])
})

check('makes a payload with a warning invalid with --strict', async () => {
  const [event] = await run(write('strict.json', '{"odd":1}'), { check: checkNames, strict: true })
  assert.is(event?.kind === 'result' && event.result.valid, false)
})

check('reports a broken array once, not also that it does not end', async () => {
  const events = await run(write('open.json', '[{"a":1},{"a":]'), { check: checkNames })
  assert.is(events.map(({ kind }) => kind).join(), 'valid,result')
})

check('gives the same results with two threads as with one', async () => {
  const lines = combinations.map((kind) => JSON.stringify(buildPayload(kind)))
  const mistakes = [
    '{"a":',
    '{}',
    JSON.stringify({ ...buildPayload({ metric: 'hr', viewWindow: 'day' }), metric: 'x' }),
    '',
  ]
  // Large enough for several batches to be in progress at once.
  const all = Array.from({ length: 2_400 }, (_, index) =>
    index % 200 === 7 ? mistakes[(index / 200) & 3] : lines[index % lines.length],
  )
  const path = write('threads.ndjson', all.join('\n'))
  const plain = flatten(await run(path))
  const threaded = flatten(await run(path, { threads: 2, inlineBytes: 1 }))
  assert.equal(threaded, plain)
  assert.is(plain.filter((line) => line.startsWith('invalid')).length, 9)
})

check('finds unknown members with two threads as with one', async () => {
  const line = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day' }))
  const lines = Array.from({ length: 600 }, (_, index) => (index % 100 === 7 ? line.replace('{', '{"x":1,') : line))
  const path = write('unknown.ndjson', lines.join('\n'))
  const threaded = flatten(await run(path, { unknown: 'error', threads: 2, inlineBytes: 1 }))
  assert.equal(threaded, flatten(await run(path, { unknown: 'error' })))
  assert.is(threaded.filter((result) => result.startsWith('invalid')).length, 6)
})

check('keeps the order when many flagged payloads wait for a thread that is not ready', async () => {
  const line = `${JSON.stringify({ a: 'x'.repeat(700) })}\n`
  const path = write('findings.ndjson', line.repeat(9_000))
  const indexes = (await run(path, { threads: 2, inlineBytes: 1 })).map((event) =>
    event.kind === 'result' ? event.result.index : -1,
  )
  for (const [index, found] of indexes.entries()) assert.is(found, index)
  assert.is(indexes.length, 9_000)
})

/** Renders one line per payload, so that the length of runs does not matter. */
function flatten(events: readonly CheckEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.kind === 'problem') return [`problem ${event.message}`]
    if (event.kind === 'ignoring') return [`ignoring ${event.count}`]
    if (event.kind === 'result') return [`invalid ${JSON.stringify(event.result)}`]
    return Array.from({ length: event.count }, (_, offset) => `valid ${event.index + offset}`)
  })
}

check('counts the payloads whose unknown members no violation names, in all threads', async () => {
  const good = buildPayload({ metric: 'hr', viewWindow: 'day' })
  const unknown = JSON.stringify({ ...good, avgMinutes: 12 })
  // A warning names the member.
  const misspelled = JSON.stringify(good).replace('"locale"', '"local"')
  const invalid = JSON.stringify({ ...good, metric: 'pulse', avgMinutes: 12 })
  const lines = [JSON.stringify(good), unknown, misspelled, invalid, unknown].join('\n')
  const long = write('ignoring.ndjson', `${lines}\n`.repeat(160))
  for (const threads of [1, 2]) {
    const events = await run(long, { threads, inlineBytes: 100_000 })
    const counts = events.map((event) => (event.kind === 'ignoring' ? event.count : 0))
    const sum = counts.reduce((one, other) => one + other, 0)
    assert.is(sum, 320)
  }
  for (const unknown of ['warn', 'error', 'ignore'] as const) {
    const events = await run(write('few.ndjson', lines), { unknown })
    for (const { kind } of events) assert.is.not(kind, 'ignoring', unknown)
  }
})

check('limits the shown violations and counts the rest', () => {
  const violation = { path: '', rule: 'x', message: 'x', line: 1, column: 1 }
  const result = { source: 'a', index: 0, valid: false, errors: [violation, violation], warnings: [violation] }
  const limit = limitViolations(3)
  assert.equal(limit.take(result), result)
  assert.equal(limit.take(result), { ...result, errors: [], warnings: [] })
  assert.is(limit.notShown(), 3)
})

const suggestions: readonly (readonly [word: string, name: string | undefined])[] = [
  ['payload-jsno', 'payload-json'],
  ['PAYLOAD-JSON', 'payload-json'],
  ['period-wek', 'period-week'],
  ['peroid-weke', 'period-week'],
  ['wek', undefined],
  ['something-else', undefined],
]
for (const [word, name] of suggestions) {
  check(`suggests ${name ?? 'nothing'} for ${word}`, () =>
    assert.is(findNearest(word, ['payload-json', 'period-week', 'period-month']), name),
  )
}

check('reports a missing payload of an array, at its comma', async () => {
  const [first, missing] = await run(write('gap.json', '[{"a":1},,{"a":2}]'), { check: checkNames })
  assert.is(first?.kind === 'valid' && first.count, 1)
  const errors = missing?.kind === 'result' ? missing.result.errors : []
  assert.equal([errors.length, errors[0]?.rule, errors[0]?.column], [1, 'payload-json', 10])
  assert.match(errors[0]?.message ?? '', /a comma too many, a payload is missing/)
})

check.run()
