import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readChunks } from '../../src/payload-files/chunks.js'
import { type Item, readPayloads } from '../../src/payload-files/payloads.js'
import { payloadLimitBytes } from '../../src/payload-files/result.js'
import { findSources } from '../../src/payload-files/sources.js'
import { splitSegments } from '../../src/payload-files/split-segments.js'
import { openTemporaryFolder } from '../helpers/temporary.js'
import { thrownBy } from '../helpers/thrown.js'

const input = suite('payload files')
const { folder, write, close } = openTemporaryFolder()
input.after(close)

async function read(content: string | Uint8Array): Promise<Item[]> {
  const path = write('read.json', content)
  const items: Item[] = []
  for await (const item of readPayloads({ name: path, path, listed: false })) items.push(item)
  return items
}

/** Renders each payload as `value@line:column`, and each broken one as `!message`. */
async function summarize(content: string | Uint8Array): Promise<string[]> {
  return (await read(content)).map((item) => {
    if ('problem' in item) return `problem: ${item.problem}`
    if ('broken' in item) return `!${item.broken.message}`
    return `${JSON.stringify(item.payload)}@${item.start.line}:${item.start.column}`
  })
}

const shapes: readonly (readonly [what: string, content: string | Uint8Array, expected: readonly string[]])[] = [
  ['one payload on one line', '{"a":1}', ['{"a":1}@1:1']],
  ['one payload over several lines', '{\n  "a": 1\n}\n', ['{"a":1}@1:1']],
  ['a payload that is not an object', 'null', ['null@1:1']],
  ['a byte order mark', '\uFEFF{"a":1}', ['{"a":1}@1:1']],
  ['leading white space', ' \r\n\t\n {"a":1}\n', ['{"a":1}@3:1']],
  ['NDJSON', '{"a":1}\n{"a":2}\n', ['{"a":1}@1:1', '{"a":2}@2:1']],
  ['NDJSON with CRLF, blank lines and no last line feed', '{"a":1}\r\n\r\n  \n{"a":2}', ['{"a":1}@1:1', '{"a":2}@4:1']],
  [
    'an array on one line',
    '[{"a":1}, {"b":"😀"},{"c":[1,{}]}]',
    ['{"a":1}@1:2', '{"b":"😀"}@1:11', '{"c":[1,{}]}@1:22'],
  ],
  ['an array over several lines', '\n[\n  {"a":1},\n  {\n  "b":2}\n]\n', ['{"a":1}@3:3', '{"b":2}@4:3']],
  ['brackets and quotes inside strings', '["[\\"", "\\\\", "]"]', ['"[\\""@1:2', '"\\\\"@1:9', '"]"@1:15']],
  [
    'NDJSON with a broken line between',
    '{"a":1}\n{"a":}\n{"a":3}\n',
    [
      '{"a":1}@1:1',
      '!This is not valid JSON: an unexpected "}" (a value is missing before it) at line 2, column 6.',
      '{"a":3}@3:1',
    ],
  ],
  [
    'NDJSON with a broken first line',
    '{"a":1\n{"a":2}\n',
    ['!This is not valid JSON: the text ends too early at line 1, column 7.', '{"a":2}@2:1'],
  ],
  [
    'NDJSON with a last line cut off',
    '{"a":1}\n{"a":2}\n{"x":\n',
    ['{"a":1}@1:1', '{"a":2}@2:1', '!This is not valid JSON: the text ends too early at line 3, column 6.'],
  ],
  [
    'an array with a broken payload',
    '[{"a":1},\n {"a" 2}, {"a":3}]',
    [
      '{"a":1}@1:2',
      '!This is not valid JSON: an unexpected "2" (a colon was expected) at line 2, column 7.',
      '{"a":3}@2:11',
    ],
  ],
  [
    'an array with a comma too many',
    '[{"a":1},]',
    ['{"a":1}@1:2', '!This is not valid JSON: a comma too many, a payload is missing at line 1, column 10.'],
  ],
  ['an array that does not end', '[{"a":1}', ['!This is not valid JSON: the array is not closed at line 1, column 9.']],
  [
    'text after an array',
    '[{"a":1}] x',
    ['{"a":1}@1:2', '!This is not valid JSON: text after the end of the array at line 1, column 11.'],
  ],
]
for (const [what, content, expected] of shapes) {
  input(`reads ${what}`, async () => {
    const found = await summarize(content)
    // An array that does not end still gives its payload.
    assert.equal(what === 'an array that does not end' ? found.slice(1) : found, expected)
  })
}

const syntaxErrors: readonly (readonly [text: string, message: string])[] = [
  ['{"a":1,}', 'an unexpected "}" (the comma before it is one too many) at line 1, column 8'],
  ['{"a":[1,]}', 'an unexpected "]" (the comma before it is one too many) at line 1, column 9'],
  ['{"a":1\n "b":2}', `an unexpected '"' (a comma is missing before it) at line 2, column 2`],
  ['{"a":"b" "c":1}', `an unexpected '"' (a comma is missing before it) at line 1, column 10`],
  ['{"a":[1 2]}', 'an unexpected "2" (a comma is missing before it) at line 1, column 9'],
  ['{"a":[1,2}', 'an unexpected "}" (] is missing before it) at line 1, column 10'],
  ['{"a":{]}', 'an unexpected "]" (} is missing before it) at line 1, column 7'],
  ['{"a":,"b":1}', 'an unexpected "," (a value is missing before it) at line 1, column 6'],
  ['{"a" 1}', 'an unexpected "1" (a colon was expected) at line 1, column 6'],
  ['{"x":', 'the text ends too early at line 1, column 6'],
  ['{"a": [1,2', 'the text ends too early at line 1, column 11'],
  ['{"a":1', 'the text ends too early at line 1, column 7'],
  ['{"a"\n', 'the text ends too early at line 1, column 5'],
  ['{', 'the text ends too early at line 1, column 2'],
  ['{"a":"x\\', 'the text ends too early at line 1, column 9'],
  ['{"a":"x\\u00', 'the text ends too early at line 1, column 12'],
  ['{"a":tr', 'the text ends too early at line 1, column 8'],
  ['{"a":-1.', 'the text ends too early at line 1, column 9'],
  ['{a:1}', 'an unexpected "a" (a name in double quotes was expected) at line 1, column 2'],
  ['{"a":tru}', 'an unexpected "tru" (strings need double quotes) at line 1, column 6'],
  ['{"a":2026-10-14}', 'an unexpected "2026-10-14" (strings need double quotes) at line 1, column 6'],
  ['{"a":NaN}', 'an unexpected "NaN" (write null) at line 1, column 6'],
  ['{"a":-Infinity}', 'an unexpected "-Infinity" (write null) at line 1, column 6'],
  ['{"a":True}', 'an unexpected "True" (write true) at line 1, column 6'],
  ['{"a":constructor}', 'an unexpected "constructor" (strings need double quotes) at line 1, column 6'],
  ["{'a':1}", `an unexpected "'" (strings need double quotes) at line 1, column 2`],
  ['{"a":“x”}', 'an unexpected "“" (strings need double quotes) at line 1, column 6'],
  ['/* x */ {}', 'a comment, which JSON does not allow at line 1, column 1'],
  ['{\n"a":1} // x', 'a comment, which JSON does not allow at line 2, column 8'],
  ['{\n"a":1}}', 'an unexpected "}" (the payload has ended before it) at line 2, column 7'],
  ['{"a":"x\ty"}', 'a line break or control character inside a string at line 1, column 8'],
  ['{"a":"C:\\pets"}', 'a backslash that does not begin an escape (write two for one) at line 1, column 9'],
  ['{"a":01}', 'an unexpected "01" (JSON writes numbers like 1, -0.5 or 2e3) at line 1, column 6'],
  ['{"a":.5}', 'an unexpected ".5" (JSON writes numbers like 1, -0.5 or 2e3) at line 1, column 6'],
  ['{"a":1e999, "b":é}', 'an unexpected "é" at line 1, column 17'],
  [`{"a":1${'0'.repeat(99)},}`, 'an unexpected "}" (the comma before it is one too many) at line 1, column 107'],
  ['<html>', 'an unexpected "<html>" at line 1, column 1'],
]
for (const [text, message] of syntaxErrors) {
  input(`describes the syntax error of ${JSON.stringify(text)}`, async () => {
    assert.equal(await summarize(text), [`!This is not valid JSON: ${message}.`])
  })
}

input('finds a syntax error in deep nesting and after a long string', async () => {
  const deep = '['.repeat(200_000)
  assert.match((await summarize(`{"a":${deep}`))[0] ?? '', /ends too early at line 1, column 200006/)
  assert.match((await summarize(`{"a":"${'\\n'.repeat(200_000)}",}`))[0] ?? '', /unexpected "}" .* column 400009/)
  const long = 'x'.repeat(payloadLimitBytes - 20)
  assert.match((await summarize(`{"a":"${long}\u0001"}`))[0] ?? '', /control character inside a string at line 1/)
  assert.match((await summarize(`{"a":${long}\u0001}`))[0] ?? '', /unexpected "x{40}"/)
})

const unreadable: readonly (readonly [what: string, content: string | Uint8Array, message: RegExp])[] = [
  ['an empty file', '', /it is empty/],
  ['white space alone', ' \n\n', /it is empty/],
  ['an empty array', '[ ]', /holds no payload/],
  ['NUL bytes', '{"a":1}\0', /not UTF-8 text/],
  ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xc3, 0x28, 0x22), /not UTF-8 text/],
  ['a character cut off at the end', Uint8Array.of(0x22, 0xe4, 0xbd), /not UTF-8 text/],
  [
    'Latin-1',
    Buffer.from('{"name":"José"}', 'latin1'),
    /not UTF-8 text\. If it is Latin-1 text, convert it: iconv -f ISO-8859-1 -t/,
  ],
  ['gzip', gzipSync('{}'), /^it is compressed with gzip\. Convert it to UTF-8 text: gunzip < .* > payload\.json$/],
  ['a zip archive', Buffer.from('PK\x03\x04\x14\0\0\0'), /a zip archive\. Convert it to UTF-8 text: funzip </],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), /UTF-16 text. Convert it to UTF-8 text: iconv -f UTF-16 -t UTF-8 < /],
  ['UTF-16, big endian', Buffer.from('\ufeff{}', 'utf16le').swap16(), /UTF-16 text. Convert .* iconv -f UTF-16 -t/],
  ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), /UTF-16 .* iconv -f UTF-16LE -t/],
  ['UTF-16, big endian, without a mark', Buffer.from('{}', 'utf16le').swap16(), /UTF-16 .* iconv -f UTF-16BE -t/],
  ['UTF-32', Uint8Array.of(0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0), /UTF-32 .* iconv -f UTF-32 -t/],
  ['UTF-32 without a mark', Uint8Array.of(0x7b, 0, 0, 0, 0x7d, 0, 0, 0), /UTF-32 .* iconv -f UTF-32LE -t/],
  ['UTF-32, big endian, without a mark', Uint8Array.of(0, 0, 0, 0x7b, 0, 0, 0, 0x7d), /UTF-32 .* iconv -f UTF-32BE -t/],
]
for (const [what, content, message] of unreadable) {
  input(`rejects ${what} with a sentence`, async () => {
    const error = await thrownBy(read(content))
    assert.match(error.message, message)
  })
}

const long = 'x'.repeat(payloadLimitBytes)
const tooLong: readonly (readonly [what: string, content: string, expected: readonly RegExp[]])[] = [
  ['a payload over several lines', `{\n"a":"${long}"\n}`, [/^problem: .*longer than 16 MiB/]],
  ['an NDJSON line', `{"a":1}\n{"a":"${long}"}\n{"a":3}\n`, [/@1:1$/, /^problem: Line 2 .*16 MiB/, /@3:1$/]],
  ['the first NDJSON line', `{"a":"${long}"}\n{"a":2}\n`, [/^problem: Line 1 /, /@2:1$/]],
  [
    'an element of an array',
    `[{"a":1},\n"${long}",{"a":3}]`,
    [/@1:2$/, /^problem: The payload at line 2 /, /a":3}@2:/],
  ],
]
for (const [what, content, expected] of tooLong) {
  input(`skips ${what} over the limit and reads on`, async () => {
    const found = await summarize(content)
    assert.is(found.length, expected.length)
    for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
  })
}

input('splits segments correctly wherever the chunks end', async () => {
  const bytes = Buffer.from('[{"名":"é😀"},\n{"b":"€"}]')
  for (let size = 1; size <= 7; size++) {
    const pieces = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const starts: string[] = []
    for await (const segment of splitSegments(pieces())) {
      if (!('problem' in segment)) starts.push(`${segment.bytes}@${segment.start.line}:${segment.start.column}`)
    }
    assert.equal(starts, ['{"名":"é😀"}@1:2', '{"b":"€"}@2:1'], `pieces of ${size} bytes`)
  }
})

input('counts the lines of a file whose short lines make many segments', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `${index}`)
  const found = await read(lines.join('\n'))
  const places = found.map((item) => ('payload' in item ? `${item.payload} ${item.start.line}` : ''))
  const expected = lines.map((line) => `${line} ${Number(line) + 1}`)
  assert.equal(places, expected)
})

input('reads a long file in chunks that end between characters', async () => {
  const path = write('long.ndjson', `${JSON.stringify({ name: '犬'.repeat(900_000) })}\n`)
  let text = ''
  for await (const chunk of readChunks({ name: path, path, listed: false })) text += chunk.toString()
  assert.not.match(text, '\uFFFD')
  assert.is(text.length, 900_012)
})

const names = async (...args: string[]) =>
  (await findSources(args)).map(({ source, problem }) => source?.name.slice(folder.length + 1) ?? problem)

input('lists the payload files of a folder, sorted, without hidden ones and node_modules', async () => {
  const files = 'b.json a.ndjson sub/c.jsonl sub/.d.json node_modules/e.json f.txt .g/h.json'.split(' ')
  for (const name of files) write(`tree/${name}`, '{}')
  symlinkSync(join(folder, 'tree'), join(folder, 'tree/sub/loop'))
  assert.equal(await names(join(folder, 'tree')), ['tree/a.ndjson', 'tree/b.json', 'tree/sub/c.jsonl'])
})

input('lists each file once, in the order of the arguments', async () => {
  assert.equal(await names(join(folder, 'tree/b.json'), join(folder, 'tree')), [
    'tree/b.json',
    'tree/a.ndjson',
    'tree/sub/c.jsonl',
  ])
})

input('expands a pattern, unless a file has exactly that name', async () => {
  assert.equal(await names(join(folder, 'tree/**/*.json*')), ['tree/b.json', 'tree/sub/c.jsonl'])
  write('tree2/[x].json', '{}')
  assert.equal(await names(join(folder, 'tree2/[x].json')), ['tree2/[x].json'])
})

input('leaves out the index of invalid payloads that a folder or a pattern lists', async () => {
  const index = write('broken/index.json', '[{"file":"a.json","rule":"period-date","path":""}]')
  write('broken/a.json', '{}')
  assert.equal(await names(join(folder, 'broken')), ['broken/a.json'])
  assert.equal(await names(join(folder, 'broken/*.json')), ['broken/a.json'])
  assert.equal(await names(index), ['broken/index.json'])
  write('broken/index.json', '[{"file":"a.json"}]')
  assert.equal(await names(join(folder, 'broken')), ['broken/a.json', 'broken/index.json'])
})

input('says so when a folder or a pattern gives nothing', async () => {
  mkdirSync(join(folder, 'empty'))
  const found = await names(join(folder, 'empty'), join(folder, 'empty/*.json'))
  assert.match(found[0] ?? '', 'holds no .json, .ndjson or .jsonl file')
  assert.match(found[1] ?? '', 'no file matches this pattern')
})

input.run()
