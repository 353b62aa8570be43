import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isMembers, type Members } from '../../src/insight/members.js'
import { readPayload } from '../../src/insight/reading.js'
import { readAny } from '../../src/insight/scan/any.js'
import { createCursor } from '../../src/insight/scan/cursor.js'
import { readNumber } from '../../src/insight/scan/number.js'
import { createPayloadRead } from '../../src/insight/scan/payload.js'
import { readText } from '../../src/insight/scan/text.js'
import { columnsMark } from '../../src/insight/series.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { buildPayload, combinations } from '../helpers/payloads.js'

const scan = suite('scan')

/** What a reader makes of a text, and how far it went. */
function read<Value>(reader: (cursor: ReturnType<typeof createCursor>) => Value, text: string, after = ',') {
  const cursor = createCursor(Buffer.from(text + after))
  cursor.end = cursor.bytes.length
  return { value: reader(cursor), at: cursor.at }
}

const digits = fc.stringMatching(/^\d{1,25}$/)
const decimal = fc
  .tuple(fc.boolean(), digits, fc.option(digits))
  .map(([isNegative, whole, part]) => `${isNegative ? '-' : ''}${BigInt(whole)}${part === null ? '' : `.${part}`}`)

scan('reads the number nearest to what is written, as JSON.parse does', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      assert.equal(read(readNumber, text), { value: JSON.parse(text), at: text.length })
    }),
    { numRuns: 3000 },
  )
})

scan('reads the edges of numbers', () => {
  for (const text of ['0', '-0', '0.0', '999999999999999', '9999999999999999', '0.1', '0.30000000000000004']) {
    assert.ok(Object.is(read(readNumber, text).value, JSON.parse(text)), text)
  }
  for (const text of ['', '-', '+1', '01', '-01', '1.', '.1', '1e5', '1E5', '1.5e5', 'x', '9'.repeat(400)]) {
    assert.is(read(readNumber, text).value, undefined, text)
  }
})

scan('reads every text as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }), (unicode, ascii) => {
      for (const text of [unicode, ascii, ascii, `${ascii}\\`, `"${unicode}`]) {
        const written = JSON.stringify(text)
        assert.equal(read(readText, written), { value: text, at: Buffer.byteLength(written) })
      }
    }),
    { numRuns: 2000 },
  )
})

scan('tells texts apart that differ in one character', () => {
  const base = '2026-10-12T16:05:00+08:00'
  for (let length = 1; length <= base.length; length++) {
    for (let index = 0; index < length; index++) {
      const text = base.slice(0, length)
      for (const one of [text, `${text.slice(0, index)}x${text.slice(index + 1)}`, text]) {
        assert.is(read(readText, `"${one}"`).value, one)
      }
    }
  }
})

scan('tells texts apart that are kept in one place', () => {
  const counts = Array.from({ length: 5000 }, (_, count) => String(count).padStart(4, '0'))
  for (const toText of [
    (count: string) => `2026${count}T16:05Z.`,
    (count: string) => `2026-10-T16:${count}`,
    (count: string) => 'x026'.repeat((Number(count) % 4) + 1),
  ]) {
    for (const text of counts.map(toText)) assert.is(read(readText, `"${text}"`).value, text)
  }
})

scan('reads no text that is broken', () => {
  for (const text of ['"', '"x', '"\\"', '"\\x"', '"\\u12"', '"a\nb"', '"é\tb"', "'x'", 'x']) {
    assert.is(read(readText, text, '').value, undefined, text)
  }
})

scan('reads any value as JSON.parse does, or doubts it for a number with an exponent', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const { value, at } = read(readAny, text)
      if (value === undefined) return /e[+-]/.test(text)
      assert.equal(value, JSON.parse(text))
      return at === Buffer.byteLength(text)
    }),
    { numRuns: 2000 },
  )
})

scan('reads no object or array that is broken', () => {
  for (const text of [
    '[',
    '{',
    '[}',
    '{]',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '[1 2]',
    '{"a":"}',
    '["]"',
    '[[]',
    '{"a":[}]',
  ]) {
    assert.is(read(readAny, text, '').value, undefined, text)
  }
})

const payloadRead = createPayloadRead()
const payloads: readonly Members[] = [
  ...combinations.map(({ metric, viewWindow }) => buildPayload({ metric, viewWindow }) as unknown as Members),
  ...combinations.map((kind) => buildPayload({ ...kind, asOf: '2026-10-14T10:30' }) as unknown as Members),
  ...insightFixtures.map(({ payload }) => payload as unknown as Members),
]

scan('makes of a payload what the rules make of the parsed one', () => {
  let known = 0
  for (const payload of payloads) {
    const { value } = read(payloadRead, JSON.stringify(payload), '')
    if (value === undefined) continue
    known++
    const [scanned, parsed] = [readPayload(value as Members, new Set()), readPayload(payload, new Set())]
    // The payload and its facts hold the daily arrays in two forms: they are compared below.
    const others = { payload: undefined, facts: undefined }
    assert.equal({ ...scanned, ...others }, { ...parsed, ...others })
    assert.equal(withoutColumns(value, payload), payload)
  }
  assert.ok(known > 90, `${known} of ${payloads.length}`)
})

/** A copy of a scanned value in which the arrays of the payload stand in the place of their columns. */
function withoutColumns(value: unknown, sent: unknown): unknown {
  if (!isMembers(value)) return value
  if (value.mark === columnsMark) return sent
  const beside = isMembers(sent) ? sent : {}
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, withoutColumns(child, beside[name])]))
}

scan.run()
