import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { createFastValidator } from '../../src/insight/fast-validator.js'
import { generate, presentInsight, renderInsight, validate } from '../../src/insight/index.js'
import type { HealthDetailPayload } from '../../src/insight/schema.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { addPlaceholders, buildPayload, changePayload, combinations } from '../helpers/payloads.js'

const fast = suite('fast validator')
const copy = await loadInsightCopy()
const { openLines, read } = createFastValidator()

const lineOf = (text: string) => text.split('\n', 1)[0] ?? ''

const isValidLine = (text: string) => {
  const end = openLines(Buffer.from(text))(0)
  if (end >= 0) assert.is(end, Buffer.byteLength(lineOf(text)))
  return end >= 0
}

/** Returns true for a text that must not be called valid: not JSON, or a payload with an error or a warning. */
function isFaulty(text: string): boolean {
  const payload = parse(text)
  if (payload === undefined) return true
  const { errors, warnings } = validate(payload)
  return errors.length + warnings.length > 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Broken on purpose.
    return undefined
  }
}

function assertNotFaulty(text: string): void {
  const isFound = isFaulty(lineOf(text))
  if (isValidLine(text)) assert.not.ok(isFound, text)
}

const payloads = combinations.flatMap(({ metric, viewWindow }): HealthDetailPayload[] => {
  const mode = metric === 'rest' ? 'last_night' : 'today_so_far'
  const rating = metric === 'rest' ? 'Poor' : metric === 'bark' ? 'frequent' : 'high'
  return [
    buildPayload({ metric, viewWindow }),
    buildPayload({ metric, viewWindow, rating: null, comparison: null, timezone: 'America/Argentina/Buenos_Aires' }),
    buildPayload({ metric, viewWindow, rating, direction: 1, deteriorating: true, name: '小"糕\n', locale: 'zh-CN' }),
    ...(viewWindow === 'day' ? [buildPayload({ metric, viewWindow, mode })] : []),
  ]
})

fast('knows every kind of payload as its builder writes it', () => {
  for (const payload of payloads) {
    const text = JSON.stringify(payload)
    assert.not.ok(isFaulty(text), text)
    assert.ok(isValidLine(text), text)
  }
})

fast('knows them with white space, but not on several lines', () => {
  for (const payload of payloads) {
    for (const space of ['  ', '\t']) {
      const text = JSON.stringify(payload, undefined, space)
      for (const line of [text.replaceAll('\n', ' '), text.replaceAll('\n', '\r')]) {
        assert.ok(isValidLine(` ${line} \r\n`), line)
      }
      for (const lines of [text, text.replace(/(?<=})\s*(}\s*)$/, '\n$1'), `\n${JSON.stringify(payload)}`]) {
        assert.not.ok(isValidLine(lines), lines)
      }
    }
  }
})

fast('knows them with their members in another order, but for metric and viewWindow', () => {
  for (const payload of payloads) {
    const { schemaVersion, userId, petId, metric, viewWindow, ...others } = payload
    const reversed = { metric, viewWindow, ...reverse(others), petId, userId, schemaVersion }
    assert.ok(isValidLine(JSON.stringify(reversed)), JSON.stringify(reversed))
    assert.not.ok(isValidLine(JSON.stringify(reverse(payload))))
  }
})

/** A copy with the members of all objects in the opposite order. */
function reverse(value: unknown): object {
  const change = (child: unknown) => (typeof child === 'object' && child !== null ? reverse(child) : child)
  if (Array.isArray(value)) return value.map(change)
  return Object.fromEntries(
    Object.entries(value as object)
      .reverse()
      .map(([name, child]) => [name, change(child)]),
  )
}

fast('knows most fixtures, and is in doubt about the others', () => {
  const doubtful = insightFixtures.filter(({ payload }) => !isValidLine(JSON.stringify(payload)))
  for (const { payload } of insightFixtures) assertNotFaulty(JSON.stringify(payload))
  assert.ok(doubtful.length * 10 < insightFixtures.length, doubtful.map(({ name }) => name).join(', '))
})

fast('never knows a payload that breaks a rule', () => {
  const folder = new URL('../../fixtures/invalid/', import.meta.url)
  const files = readdirSync(folder)
  assert.ok(files.length > 50)
  for (const file of files) {
    const text = readFileSync(new URL(file, folder), 'utf8')
    assert.not.ok(isValidLine(text), file)
  }
})

fast('knows payloads with unknown members that mean nothing, as old placeholders do', () => {
  for (const payload of payloads) {
    const text = JSON.stringify(addPlaceholders(payload))
    assert.not.ok(isFaulty(text), text)
    assert.ok(isValidLine(text), text)
    for (const place of ['/x', '/petProfile/x', '/insightContext/x', '/metrics/x']) {
      const more = JSON.stringify(changePayload(payload, { [place]: [{ x: 'é', y: 1e300 }] }), undefined, 1).replaceAll(
        '\n',
        ' ',
      )
      assert.ok(isValidLine(more), more)
    }
  }
})

fast('is in doubt about unknown members that may be meant for known ones', () => {
  const base = buildPayload({ metric: 'hr', viewWindow: 'week' })
  const text = JSON.stringify(base)
  for (const [name, wrong] of [
    ['locale', 'Locale'],
    ['usualLower', 'usual_lower'],
    ['sampleCount', 'sampleCounts'],
    ['dailyNightRestHr', 'dailyNightRestHR'],
  ]) {
    assert.ok(text.includes(`"${name}"`), name)
    assert.not.ok(isValidLine(text.replace(`"${name}"`, `"${wrong}"`)), wrong)
  }
  for (const [from, to] of [
    ['"metric":', '"x":1,"metric":'],
    ['"petProfile":{', '"petProfile":{"x":1,"x":2,'],
    ['"petProfile":{', '"petProfile":{"__proto__":{},'],
    ['"petProfile":{', '"petProfile":{"n\\u0061me":"a",'],
    ['"petProfile":{', '"petProfile":{"x":1e,'],
    ['"petProfile":{', '"petProfile":{"x":1 2,'],
    ['"petProfile":{', '"petProfile":{"x":[},'],
  ] as const) {
    assert.ok(text.includes(from), from)
    assert.not.ok(isValidLine(text.replace(from, to)), to)
  }
})

const oddities: readonly (readonly [what: string, from: string, to: string])[] = [
  ['a member that is there twice', '"petId":', '"userId":"a","petId":'],
  ['a name with an escape', '"petId":', '"pet\\u0049d":'],
  ['a number with an exponent', '"changePercent":8.4', '"changePercent":84e-1'],
  ['a zero before a number', '"changePercent":8.4', '"changePercent":08.4'],
  ['a point without decimals', '"changePercent":8.4', '"changePercent":8.'],
  ['a point without a whole part', '"changePercent":8.4', '"changePercent":.4'],
  ['a plus sign', '"changePercent":8.4', '"changePercent":+8.4'],
  ['a minus sign alone', '"changePercent":8.4', '"changePercent":-'],
  ['NaN as a number', '"changePercent":8.4', '"changePercent":NaN'],
  ['a comma at the end of an object', '"isCompleted":false', '"isCompleted":false,'],
  ['a comma at the end of an array', ',null]', ',null,]'],
  ['no comma', '"locale":"en-US",', '"locale":"en-US" '],
  ['no colon', '"isCompleted":', '"isCompleted"'],
  ['a comment', '"isCompleted":', '/* */"isCompleted":'],
  ['other quotes', '"petId"', "'petId'"],
  ['a control character in a text', '"Mochi"', '"Mo\u0001chi"'],
  ['an escape that JSON does not have', '"Mochi"', '"Mo\\xchi"'],
  ['a text without an end', '"Mochi"', '"Mochi'],
  ['false as a text', '"isCompleted":false', '"isCompleted":"false"'],
  ['half a literal', '"isCompleted":false', '"isCompleted":fals'],
  ['an ID that is too long', '"petId":"', `"petId":"${'x'.repeat(128)}`],
  ['more after the payload', '}}', '}} {}'],
]
for (const [what, from, to] of oddities) {
  fast(`is in doubt about ${what}`, () => {
    const base = buildPayload({ metric: 'activity', viewWindow: 'week', asOf: '2026-10-14T10:30' })
    const text = JSON.stringify(base)
    assert.ok(isValidLine(text))
    assert.ok(text.includes(from), from)
    assert.not.ok(isValidLine(text.replace(from, to)))
  })
}

fast('counts the characters of an ID no more generously than the schema', () => {
  const base = buildPayload({ metric: 'bark', viewWindow: 'day' })
  assert.ok(isValidLine(JSON.stringify({ ...base, petId: '小'.repeat(128) })))
  assertNotFaulty(JSON.stringify({ ...base, petId: '😀'.repeat(128) }))
  assert.not.ok(isValidLine(JSON.stringify({ ...base, petId: '小'.repeat(129) })))
})

fast('looks at nothing beyond the end of a line', () => {
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'week' }))
  const bytes = Buffer.from(text)
  for (let end = 0; end < bytes.length; end++) {
    assert.is(openLines(bytes.subarray(0, end))(0), -1, text.slice(0, end))
    assert.is(openLines(Buffer.from(`${text.slice(0, end)}\n${text.slice(end)}`))(0), -1, text.slice(0, end))
  }
  const check = openLines(bytes)
  for (let start = 1; start < bytes.length; start++) assert.is(check(start), -1, text.slice(start))
  assert.is(check(0), bytes.length)
  assert.is(openLines(Buffer.from(`${text}\0`))(0), -1)
  assert.is(openLines(Buffer.from(`${text}\0\n${text}`))(0), -1)
})

fast('tells of each of several files its own lines', () => {
  const [one, other] = [payloads[0], payloads[1]].map((payload) => Buffer.from(JSON.stringify(payload)))
  assert.ok(one !== undefined && other !== undefined)
  const [check, checkOther] = [openLines(one), openLines(other)]
  assert.is(check(0), one.length)
  assert.is(checkOther(0), other.length)
  assert.is(check(0), one.length)
  assert.is(openLines(Buffer.alloc((2 << 20) + 1, ' '))(0), -1)
  assert.is(check(0), one.length)
})

fast('finds every payload of a line break apart', () => {
  const bytes = Buffer.from(payloads.map((payload) => JSON.stringify(payload)).join('\n'))
  const check = openLines(bytes)
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(10, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    assert.is(check(start), end)
    start = end + 1
  }
})

fast('reads what makes the same text as the parsed payload', () => {
  const now = new Date('2026-10-20T08:00:00Z')
  let known = 0
  for (const payload of [...payloads, ...insightFixtures.map((fixture) => fixture.payload)]) {
    const reading = read(Buffer.from(JSON.stringify(payload)))
    if (reading === undefined) continue
    known++
    const [insight, expected] = [renderInsight(reading, { copy }), generate(payload, { copy })]
    assert.equal(insight, expected)
    const stamp = { insightId: 'hdi_1', generatedAt: now.toISOString() }
    assert.is(
      JSON.stringify(presentInsight(reading.payload, insight, stamp)),
      JSON.stringify(presentInsight(payload, expected, stamp)),
    )
  }
  assert.ok(known > 150, `${known}`)
})

fast('reads nothing but one payload on one line', () => {
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'week' }))
  assert.ok(read(Buffer.from(text)))
  for (const more of [`${text}\n`, `${text}\n${text}`, `\ufeff${text}`, `${text}x`, `\n${text}`, '', '[]', 'null']) {
    assert.is(read(Buffer.from(more)), undefined, more)
  }
  const check = openLines(Buffer.from(text))
  assert.is(check(0), text.length)
  read(Buffer.from(text.slice(1)))
  assert.is(check(0), text.length)
})

const anyPayload = fc.constantFrom(...payloads)
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(0, -0, 1, -1, 0.1, 1440, 1e300, 123456789012345680, '', 'x', '2026-10-14', null, [], {}),
)

/** Every JSON Pointer of a payload, members and elements alike. */
function listPointers(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [
    `${path}/${name}`,
    ...listPointers(child, `${path}/${name}`),
  ])
}

fast('never calls a faulty payload valid, with any value in one member', () => {
  fc.assert(
    fc.property(anyPayload, fc.nat(), fc.option(anyValue, { nil: undefined }), (base, index, value) => {
      const pointers = listPointers(base)
      assertNotFaulty(JSON.stringify(changePayload(base, { [pointers[index % pointers.length] ?? '']: value })))
    }),
    { numRuns: 3000 },
  )
})

fast('never calls a faulty payload valid, with any number a little off', () => {
  fc.assert(
    fc.property(anyPayload, fc.nat(), fc.double({ min: -3, max: 3, noNaN: true }), (base, index, change) => {
      const text = JSON.stringify(base)
      const numbers = [...text.matchAll(/(?<=[:[,])-?\d+(\.\d+)?(?=[,}\]])/g)]
      const number = numbers[index % numbers.length]
      const from = number?.index ?? 0
      const changed = String(Number(number?.[0]) + change)
      assertNotFaulty(text.slice(0, from) + changed + text.slice(from + (number?.[0].length ?? 0)))
    }),
    { numRuns: 3000 },
  )
})

fast('never calls a faulty payload valid, with any member renamed', () => {
  const names = payloads.flatMap((payload) =>
    [...JSON.stringify(payload).matchAll(/"(\w+)":/g)].map(([, name]) => name),
  )
  const change = fc.oneof(
    fc.constantFrom(...new Set(names)).map((name) => () => name),
    fc.constant((name: string) => name.toUpperCase()),
    fc.constant((name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    fc.nat().map((at) => (name: string) => name.slice(0, at % name.length) + name.slice((at % name.length) + 1)),
    fc.string({ maxLength: 9 }).map((text) => (name: string) => name + text),
  )
  fc.assert(
    fc.property(anyPayload, fc.nat(), change, fc.boolean(), (base, index, rename, isMore) => {
      const text = JSON.stringify(base)
      const members = [...text.matchAll(/"(\w+)":/g)]
      const [written = '', name = ''] = members[index % members.length] ?? []
      const at = members[index % members.length]?.index ?? 0
      const renamed = `${JSON.stringify(rename(name))}:`
      assertNotFaulty(text.slice(0, at) + renamed + (isMore ? `null,${written}` : '') + text.slice(at + written.length))
    }),
    { numRuns: 3000 },
  )
})

fast('never knows what is faulty, whichever bytes are changed, left out or put in', () => {
  const characters = [...'{}[]",:\\ \t\n\r0123456789.-+eEtfnulrasxyz/\u0001é😀']
  const edit = fc.record({
    at: fc.nat(),
    length: fc.constantFrom(0, 1, 1, 1, 2, 7),
    text: fc.array(fc.constantFrom(...characters), { maxLength: 3 }).map((parts) => parts.join('')),
  })
  fc.assert(
    fc.property(anyPayload, fc.array(edit, { minLength: 1, maxLength: 2 }), (base, edits) => {
      let text = JSON.stringify(base)
      for (const { at, length, text: put } of edits) {
        const from = at % (text.length + 1)
        text = text.slice(0, from) + put + text.slice(from + length)
      }
      assertNotFaulty(text)
    }),
    { numRuns: 6000 },
  )
})

fast('does not run out of stack on deep nesting', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day' }))
  assert.ok(isValidLine(text.replace('"metrics":{', `"metrics":{"night":${deep},`)))
  assert.not.ok(isValidLine(text.replace('"metrics":{', `"metrics":${deep},"x":{`)))
  assert.not.ok(isValidLine(text.replace('"metrics":{', `"metrics":{"night":${deep.slice(1)},`)))
})

fast.run()
