import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/insight/json-object.js'
import { maxInputBytes } from '../../src/insight/scan/memory.js'
import { createScanner } from '../../src/insight/scan/payload.js'
import type { PayloadShape, ShapeTable } from '../../src/insight/scan/shape.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { buildPayload, combinations } from '../helpers/payloads.js'

const scan = suite('scan')

const choiceOf = (...values: string[]): PayloadShape => ({ kind: 'choice', orNull: false, values })
const anyText: PayloadShape = { kind: 'text', orNull: false, minLength: 0, maxLength: null, pattern: null }
const anyNumber: PayloadShape = { kind: 'number', orNull: true, minimum: null, maximum: null, isWhole: false }
const anything: PayloadShape = { kind: 'any', orNull: true }

/** Returns a function that reads one value, of the first of some shapes; columns replace a daily array. */
function createRead(...shapes: readonly PayloadShape[]): (text: string) => unknown {
  const envelope = { metric: shapes.length, viewWindow: shapes.length + 1 }
  const toObject = (members: Readonly<Record<string, number>>): PayloadShape => {
    return { kind: 'object', orNull: false, members, required: Object.keys(members) }
  }
  const table = {
    envelope: shapes.length + 2,
    pages: { 'activity-day': shapes.length + 3 },
    shapes: [...shapes, choiceOf('activity'), choiceOf('day'), toObject(envelope), toObject({ ...envelope, value: 0 })],
  }
  const { load, scan } = createScanner(table as unknown as ShapeTable)
  return (text) => {
    const bytes = Buffer.from(`{"metric":"activity","viewWindow":"day","value":${text}}`)
    assert.ok(load(bytes))
    const scanned = scan(0)
    return scanned?.columns.get('/value') ?? scanned?.payload.value
  }
}

const readNumber = createRead(anyNumber)
const readText = createRead(anyText)
const readAny = createRead(anything)

const digits = fc.stringMatching(/^\d{1,25}$/)
const decimal = fc
  .tuple(fc.boolean(), digits, fc.option(digits))
  .map(([isNegative, whole, part]) => `${isNegative ? '-' : ''}${BigInt(whole)}${part === null ? '' : `.${part}`}`)

scan('reads numbers as JSON.parse does', () => {
  fc.assert(
    fc.property(decimal, (text) => {
      assert.ok(Object.is(readNumber(text), JSON.parse(text)), text)
    }),
    { numRuns: 3000 },
  )
})

scan('reads edge cases of numbers', () => {
  for (const text of ['0', '-0', '0.0', '999999999999999', '9999999999999999', '0.1', '0.30000000000000004']) {
    assert.ok(Object.is(readNumber(text), JSON.parse(text)), text)
  }
  for (const text of ['', '-', '+1', '01', '-01', '1.', '.1', '1e5', '1E5', '1.5e5', 'x', '9'.repeat(400)]) {
    assert.is(readNumber(text), undefined, text)
  }
})

scan('reads every text as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 20 }), (unicode, ascii) => {
      for (const text of [unicode, ascii, ascii, `${ascii}\\`, `"${unicode}`]) {
        assert.is(readText(JSON.stringify(text)), text)
      }
    }),
    { numRuns: 2000 },
  )
})

scan('distinguishes texts that differ in one character', () => {
  const base = '2026-10-12T16:05:00.123456+08:00 (CST)'
  for (let length = 1; length <= base.length; length++) {
    for (let index = 0; index < length; index++) {
      const text = base.slice(0, length)
      for (const one of [text, `${text.slice(0, index)}x${text.slice(index + 1)}`, text]) {
        assert.is(readText(`"${one}"`), one)
      }
    }
  }
})

scan('distinguishes texts with the same hash', () => {
  const counts = Array.from({ length: 5000 }, (_, count) => String(count).padStart(4, '0'))
  for (const toText of [
    (count: string) => `2026${count}T16:05Z.`,
    (count: string) => `2026-10-T16:${count}`,
    (count: string) => `2026-10-12T${count}:00+08:00`,
    (count: string) => `2026-10-12T16:05:00+08:00.${count}`,
    (count: string) => 'x026'.repeat((Number(count) % 4) + 1),
  ]) {
    for (const text of counts.map(toText)) assert.is(readText(`"${text}"`), text)
  }
})

scan('refuses broken texts', () => {
  for (const text of ['"', '"x', '"\\"', '"\\x"', '"\\u12"', '"a\nb"', '"é\tb"', "'x'", 'x']) {
    assert.is(readText(text), undefined, text)
  }
})

scan('reads any value as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      assert.equal(readAny(text), JSON.parse(text))
    }),
    { numRuns: 2000 },
  )
})

scan('reads lists, numbers and days, each element null where it may be', () => {
  const readTexts = createRead({ kind: 'array', orNull: true, items: 1 }, { ...anyText, orNull: true })
  assert.equal(readTexts('["a","é",null , "2026-10-12"]'), ['a', 'é', null, '2026-10-12'])
  assert.equal(readTexts(' [ ] '), [])
  assert.is(readTexts('null'), null)
  const numbers = createRead({ kind: 'array', orNull: false, items: 1 }, anyNumber)
  assert.equal(numbers('[1,null,2.5]'), { length: 3, values: [[1, null, 2.5]], dates: [] })
  assert.is(numbers('null'), undefined)
  const members = { date: 2, count: 3 }
  const day: PayloadShape = { kind: 'object', orNull: true, members, required: ['date'] }
  const days = createRead({ kind: 'array', orNull: false, items: 1 }, day, anyText, anyNumber)
  const sent = '[{"date":"2026-10-12","count":7},null,{ "count" : null , "date" : "é" },{"date":"2026-10-12"}]'
  const [dates, values] = [['2026-10-12', null, 'é', '2026-10-12'], [[7, null, null, null]]]
  assert.equal(days(sent), { length: 4, values, dates })
  for (const wrong of ['[{"count":7}]', '[{"date":"a","date":"a"}]', '[{"date":1}]', '[{}', '{}']) {
    assert.is(days(wrong), undefined, wrong)
  }
  const full = Array.from({ length: 31 }, (_, index) => index)
  assert.equal(numbers(JSON.stringify(full)), { length: 31, values: [full], dates: [] })
  assert.is(numbers(JSON.stringify([...full, 31])), undefined)
})

scan('reads no number and no text that its shape does not allow', () => {
  const readWhole = createRead({ kind: 'number', orNull: false, minimum: -1, maximum: 1440, isWhole: true })
  for (const text of ['-1', '0', '1440', '7.0', '-0']) assert.ok(Object.is(readWhole(text), JSON.parse(text)), text)
  for (const text of ['-2', '1441', '7.5', 'null', '"7"', '1440.0000000000005'])
    assert.is(readWhole(text), undefined, text)
  const readDate = createRead({ ...anyText, minLength: 3, maxLength: 4, pattern: '^\\d+$' })
  for (const text of ['123', '123', '1234']) assert.is(readDate(`"${text}"`), text)
  for (const text of ['12', '12345', '12x', '12x', '12é', '\\u0031']) assert.is(readDate(`"${text}"`), undefined, text)
  assert.is(readDate('"\\u0031234"'), '1234')
  const readChoice = createRead(choiceOf('zh-CN', 'en-US', 'es'))
  for (const text of ['zh-CN', 'en-US', 'es']) assert.is(readChoice(`"${text}"`), text)
  for (const text of ['"zh-cn"', '"zh-CN', '"e"', 'null', '"es "']) assert.is(readChoice(text), undefined, text)
  const readBoolean = createRead({ kind: 'boolean', orNull: true })
  for (const text of ['true', 'false', 'null']) assert.is(readBoolean(text), JSON.parse(text))
  for (const text of ['tru', 'truefalse', 'nul', 'f', '0', '"true"']) assert.is(readBoolean(text), undefined, text)
})

scan('refuses input that is larger than its memory', () => {
  const { load, scan: scanLoaded } = createScanner()
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day' }))
  assert.not.ok(load(Buffer.alloc(maxInputBytes + 1, ' ')))
  assert.ok(load(Buffer.from(text.padStart(maxInputBytes))))
  assert.is(scanLoaded(maxInputBytes - text.length)?.end, maxInputBytes)
  // Nothing of what was there before belongs to it.
  assert.ok(load(Buffer.from(text.slice(0, -1))))
  assert.is(scanLoaded(0), undefined)
})

scan('reads more different texts at once than it keeps, and refuses more unknown members than it notes', () => {
  const names = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh']
  const members = { ...Object.fromEntries(names.map((name) => [name, 1])), zz: 3 }
  const list: PayloadShape = { kind: 'array', orNull: false, items: 2 }
  const readLists = createRead({ kind: 'object', orNull: false, members, required: [] }, list, anyText, anyNumber)
  for (let round = 0; round < 20; round++) {
    const texts = (name: string) => Array.from({ length: 31 }, (_, index) => `${name} ${round} ${index}`)
    const sent = { ...Object.fromEntries(names.map((name) => [name, texts(name)])), zz: 0.125 }
    assert.equal(readLists(JSON.stringify(sent)), sent)
  }
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]))
  assert.equal(readLists(JSON.stringify(unknown(64))), unknown(64))
  for (const count of [65, 300]) assert.is(readLists(JSON.stringify(unknown(count))), undefined)
  assert.equal(readLists('{"zz":0.123456789012345}'), {
    ...Object.fromEntries(names.map((name) => [name, undefined])),
    zz: 0.123456789012345,
  })
})

scan('refuses shapes that it cannot distinguish or hold', () => {
  assert.throws(() => createRead(choiceOf('x')), /"x" is too short/)
  const toObject = (members: Readonly<Record<string, number>>): PayloadShape => {
    return { kind: 'object', orNull: false, members, required: [] }
  }
  assert.throws(() => createRead(toObject({ x: 1 }), anything), /"x" is too short/)
  const names = Array.from({ length: 32 }, (_, index) => [`name${index}`, 1])
  assert.throws(() => createRead(toObject(Object.fromEntries(names)), anything), /more than 31 members/)
  const list: PayloadShape = { kind: 'array', orNull: false, items: 2 }
  assert.throws(() => createRead({ ...list, items: 1 }, list, anything), /arrays as elements/)
  assert.throws(() => createRead({ ...list, items: 1 }, toObject({ when: 2 }), anyNumber), /not days/)
})

scan('refuses broken objects and arrays', () => {
  for (const text of [
    '[',
    '{',
    '[}',
    '{]',
    '[1,]',
    '{"a"}',
    '{"a":1,}',
    '[1,\n2]',
    '["\\\n"]',
    '["a\u0000"]',
    '[1 2]',
    '{"a":"}',
    '["]"',
    '[[]',
    '{"a":[}]',
  ]) {
    assert.is(readAny(text), undefined, text)
  }
})

const { load, scan: scanPayload } = createScanner()
const payloads: readonly JsonObject[] = [
  ...combinations.map(({ metric, viewWindow }) => buildPayload({ metric, viewWindow }) as unknown as JsonObject),
  ...combinations.map((kind) => buildPayload({ ...kind, asOf: '2026-10-14T10:30' }) as unknown as JsonObject),
  ...insightFixtures.map(({ payload }) => payload as unknown as JsonObject),
]

const scanText = (text: string) => {
  assert.ok(load(Buffer.from(text)))
  return scanPayload(0)
}

scan('makes the parsed payload of one with unknown members, in days as well', () => {
  for (const payload of payloads) {
    const text = JSON.stringify(payload)
    for (const more of [
      text.replace('"metrics":{', '"metrics":{"x":[1,{"y":null}],'),
      text.replaceAll('"sampleCount":', '"x":{"sampleCount":1},"sampleCount":'),
    ]) {
      const scanned = scanText(more)
      if (scanned?.hasOthers) assert.equal(scanned.payload, JSON.parse(more))
    }
  }
})

scan('creates a new payload for each call', () => {
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'week' }))
  const [first, second] = [scanText(text), scanText(text.replaceAll('68.4', '61.5'))]
  assert.is.not(first?.payload, second?.payload)
  assert.is.not(first?.payload.period, second?.payload.period)
  assert.equal(first, scanText(text))
})

scan.run()
