import { readdirSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createFastValidator } from '../../src/insight/fast-validator.js'
import { buildPayload, changePayload } from '../helpers/payloads.js'
import { builtPayloads } from './fuzz/lines.js'

const fast = suite('fast validator')
const openLines = createFastValidator()

const lineOf = (text: string) => text.split('\n', 1)[0] ?? ''

const isValidLine = (text: string) => {
  const end = openLines(Buffer.from(text))(0)
  if (end >= 0) assert.is(end, Buffer.byteLength(lineOf(text)))
  return end >= 0
}

fast('accepts every metric, window, mode and locale', () => {
  for (const payload of builtPayloads) {
    const text = JSON.stringify(payload)
    assert.ok(isValidLine(text), text)
  }
})

fast('accepts white space, but no payload on several lines', () => {
  for (const payload of builtPayloads) {
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

fast('accepts members in another order if metric and viewWindow come first', () => {
  for (const payload of builtPayloads) {
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

for (const kind of ['invalid', 'warnings']) {
  fast(`accepts no payload of fixtures/${kind}`, () => {
    const folder = new URL(`../../fixtures/${kind}/`, import.meta.url)
    const files = readdirSync(folder)
    assert.ok(files.length > 20)
    for (const file of files) {
      const line = readFileSync(new URL(file, folder), 'utf8').replaceAll(/\n */g, ' ')
      assert.not.ok(isValidLine(line), file)
    }
  })
}

fast('accepts unknown members', () => {
  for (const payload of builtPayloads) {
    for (const place of ['/x', '/petProfile/x', '/insightContext/x', '/metrics/x']) {
      const text = JSON.stringify(changePayload(payload, { [place]: [{ x: 'é', y: 1e300 }] }))
      assert.ok(isValidLine(text), text)
    }
  }
})

fast('does not accept unknown members that may be meant for known ones', () => {
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
  fast(`does not accept ${what}`, () => {
    const base = buildPayload({ metric: 'activity', viewWindow: 'week', asOf: '2026-10-14T10:30' })
    const text = JSON.stringify(base)
    assert.ok(isValidLine(text))
    assert.ok(text.includes(from), from)
    assert.not.ok(isValidLine(text.replace(from, to)))
  })
}

fast('accepts no ID that is longer than the schema allows', () => {
  const base = buildPayload({ metric: 'bark', viewWindow: 'day' })
  assert.ok(isValidLine(JSON.stringify({ ...base, petId: '小'.repeat(128) })))
  for (const character of ['x', '小', '😀']) {
    assert.not.ok(isValidLine(JSON.stringify({ ...base, petId: character.repeat(129) })))
  }
})

fast('does not read beyond the end of a line', () => {
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

fast('reads the lines of several texts by turns', () => {
  const [one, other] = [builtPayloads[0], builtPayloads[1]].map((payload) => Buffer.from(JSON.stringify(payload)))
  assert.ok(one !== undefined && other !== undefined)
  const [check, checkOther] = [openLines(one), openLines(other)]
  assert.is(check(0), one.length)
  assert.is(checkOther(0), other.length)
  assert.is(check(0), one.length)
  assert.is(openLines(Buffer.alloc((2 << 20) + 1, ' '))(0), -1)
  assert.is(check(0), one.length)
})

fast('finds the end of each of many lines', () => {
  const bytes = Buffer.from(builtPayloads.map((payload) => JSON.stringify(payload)).join('\n'))
  const check = openLines(bytes)
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf(10, start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    assert.is(check(start), end)
    start = end + 1
  }
})

fast('reads one payload on one line', () => {
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'week' }))
  for (const other of [`\ufeff${text}`, `${text}x`, `\n${text}`, '', '[]', 'null']) {
    assert.is(openLines(Buffer.from(other))(0), -1, other)
  }
  assert.is(openLines(Buffer.from(`${text}\n${text}`))(0), text.length)
})

fast('does not run out of stack on deep nesting', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const text = JSON.stringify(buildPayload({ metric: 'hr', viewWindow: 'day' }))
  assert.ok(isValidLine(text.replace('"metrics":{', `"metrics":{"night":${deep},`)))
  assert.not.ok(isValidLine(text.replace('"metrics":{', `"metrics":${deep},"x":{`)))
  assert.not.ok(isValidLine(text.replace('"metrics":{', `"metrics":{"night":${deep.slice(1)},`)))
})

fast.run()
