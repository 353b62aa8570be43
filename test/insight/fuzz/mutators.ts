import { isJsonObject } from '../../../src/insight/json-object.js'
import type { HealthDetailPayload } from '../../../src/insight/schema.js'
import { changePayload, listPointers } from '../../helpers/payloads.js'

/**
 * Changes to a line of JSON. A line is a binary text, one character a byte, so that a change may break its UTF-8.
 * `at` selects the place of a change and `choice` its kind: both are natural numbers, most of them large.
 */
export type Mutate = (line: string, at: number, choice: number) => string

const key = /"(?:[^"\\]|\\.)*"(?=[ \t\r]*:)/g
const text = /(?<=[:[,][ \t\r]*)"(?:[^"\\]|\\.)*"(?![ \t\r]*:)/g
const number = /(?<=[:[,][ \t\r]*)-?\d+(?:\.\d+)?(?=[ \t\r]*[,}\]])/g
const scalar = /(?<=:[ \t\r]*)(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)(?=[ \t\r]*[,}])/g
const member = /"(?:[^"\\]|\\.)*"[ \t\r]*:[ \t\r]*(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null)/g
const offset = /(?<=T\d\d:\d\d(?::\d\d)?)(?:Z|[+-]\d\d:\d\d)(?=")/g
const structure = /[{}[\],:]/g
const opening = /\{/g

const utf8 = (content: string) => Buffer.from(content).toString('latin1')

const splice = (line: string, from: number, length: number, put: string) =>
  line.slice(0, from) + put + line.slice(from + length)

/** Changes one of the matches of a pattern; a line without matches stays as it is. */
function changeMatch(line: string, pattern: RegExp, at: number, change: (match: string) => string): string {
  const matches = [...line.matchAll(pattern)]
  const match = matches[at % matches.length]
  return match === undefined ? line : splice(line, match.index, match[0].length, change(match[0]))
}

/** Puts some text into a place inside a quoted text. */
function insertInto(quoted: string, put: string, choice: number): string {
  return splice(quoted, 1 + (choice % (quoted.length - 1)), 0, put)
}

/** Replaces one character of a quoted text by its escape. */
function escapeOne(quoted: string, choice: number): string {
  const index = 1 + (choice % Math.max(1, quoted.length - 2))
  const code = quoted.charCodeAt(index)
  const hex = code.toString(16).padStart(4, '0')
  // An escape within an escape or within a character of several bytes is another change, which is welcome.
  return splice(quoted, index, 1, `\\u${choice % 2 === 0 ? hex : hex.toUpperCase()}`)
}

/** Returns a mutator that picks one of several texts. */
const pickOf =
  (puts: readonly string[], mutate: (line: string, at: number, put: string, choice: number) => string): Mutate =>
  (line, at, choice) =>
    mutate(line, at, puts[choice % puts.length] ?? '', Math.floor(choice / puts.length))

const spellings: readonly ((number: string) => string)[] = [
  () => '-0',
  () => '-0.0',
  () => '0',
  (written) => `-${written}`,
  (written) => `+${written}`,
  (written) => `0${written}`,
  (written) => `${written}.`,
  (written) => `${written}.0`,
  (written) => `${written}e0`,
  (written) => `${written}E+1`,
  (written) => `${written}e-1`,
  (written) => `${written}.${'0'.repeat(30)}1`,
  (written) => `${written}${'0'.repeat(300)}`,
  (written) => `${written}${written}`,
  (written) => written.replace('.', ','),
  (written) => String(Number(written) + 1),
  (written) => String(Number(written) - 1),
  (written) => String(Number(written) + 0.1),
  (written) => String(Number(written) * 1.01),
  (written) => String(Number(written) * 1.0000000000000002),
  (written) => String(Number(written) / 60),
  (written) => String(Math.trunc(Number(written) / 1000)),
  (written) => String(Number(written) + 60_001),
  (written) => `${written}.49999999999999999`,
  () => '.5',
  () => '-',
  () => '1e999',
  () => '-1e999',
  () => '5e-324',
  () => '1440',
  () => '9007199254740991',
  () => '9007199254740992',
  () => '9007199254740993',
  () => '9223372036854775808',
  () => '18446744073709551617',
  () => '0.1000000000000000055511151231257827',
  () => '123456789012345.6',
  () => '1234567890123456',
  () => '0x10',
  () => '1_000',
  () => 'NaN',
  () => 'Infinity',
  () => '"7"',
]

const values = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '""',
  '" "',
  '"null"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"x":1}',
  'nul',
  'True',
  'undefined',
  '"2026-10-14"',
  '"2026-10-14T16:05:00+08:00"',
  '"es"',
  '"rest"',
  '"day"',
  '"normal"',
]

/** Of these, `undefined` removes a member. */
const anyValues = [undefined, null, true, 0, 0.1, 7, 1440, 1e300, '', 'x', '2026-10-14', [], {}, [1], { date: null }]

/** Parses a line that still holds an object. */
function parsePayload(line: string): HealthDetailPayload | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(line, 'latin1').toString())
    return isJsonObject(payload) ? (payload as unknown as HealthDetailPayload) : undefined
  } catch {
    // Another change has broken it.
    return undefined
  }
}

const deep = (count: number, closing: string) => `${'['.repeat(count)}${closing}`
const nested = [
  deep(3, ']]]'),
  deep(3, ']]'),
  deep(3, ']]]]'),
  deep(2, '}}'),
  deep(1000, ']'.repeat(1000)),
  deep(1000, ']'.repeat(999)),
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  '[{"a":[{"b":"]}"}]}]',
  '["[",{"}":"\\""}]',
  '[1,,2]',
  '[1,]',
  '{"a":1,}',
]

const names = [
  'x',
  'metric',
  'viewWindow',
  'Locale',
  'locale',
  'usualUpper',
  'usual_upper',
  'sampleCount',
  'date',
  '__proto__',
  'constructor',
  'toString',
  'n\\u0061me',
  'loc\\u0061le',
  'x\\u0000',
  '',
  '0',
  utf8('小'),
  'a/b~c',
]

/** All changes by their names. */
export const mutators: Readonly<Record<string, Mutate>> = {
  'flip a bit': (line, at, choice) => {
    const index = at % line.length
    return splice(line, index, 1, String.fromCharCode(line.charCodeAt(index) ^ (1 << (choice % 8))))
  },
  'replace a byte': (line, at, choice) => splice(line, at % line.length, 1, String.fromCharCode(choice % 256)),
  'remove bytes': (line, at, choice) => splice(line, at % line.length, 1 + (choice % 8), ''),
  'repeat bytes': (line, at, choice) => {
    const from = at % line.length
    return splice(line, from, 0, line.slice(from, from + 1 + (choice % 40)))
  },
  'cut the line': (line, at) => line.slice(0, at % line.length),
  'insert a character of JSON': (line, at, choice) =>
    splice(line, at % (line.length + 1), 0, '{}[]",:\\/ -+.0123456789eEtfnu'.charAt(choice % 30)),
  'write white space': pickOf([' ', '\t', '\r', '  ', '\r\t ', '\f', '\v', utf8('\u00a0')], (line, at, put, choice) =>
    changeMatch(line, structure, at, (match) => (choice % 2 === 0 ? put + match : match + put)),
  ),
  'break the line': pickOf(['\n', '\r\n', '\n\n', utf8('\u2028')], (line, at, put) =>
    changeMatch(line, structure, at, (match) => match + put),
  ),
  'write more after the end': pickOf(
    [
      '\r',
      '\r\r',
      ' ',
      '\t',
      ',',
      '}',
      ']',
      ' {}',
      'x',
      'null',
      '//',
      '"',
      '\0',
      '\f',
      utf8('\ufeff'),
      '\x1e',
      '\n',
      '\n\n',
    ],
    (line, _at, put) => line + put,
  ),
  'write more before the start': pickOf(
    [' ', '\t\r ', '\0', utf8('\ufeff'), '[', ',', '\n', '\x1e'],
    (line, _at, put) => put + line,
  ),
  'insert a byte order mark': (line, at) => splice(line, at % (line.length + 1), 0, utf8('\ufeff')),
  'escape in a key': (line, at, choice) => changeMatch(line, key, at, (match) => escapeOne(match, choice)),
  'escape in a text': (line, at, choice) => changeMatch(line, text, at, (match) => escapeOne(match, choice)),
  'insert an escape': pickOf(
    [
      '\\n',
      '\\"',
      '\\\\',
      '\\/',
      '\\u0000',
      '\\u0022',
      '\\ud83d\\ude00',
      '\\ud83d',
      '\\ude00',
      '\\ude00\\ud83d',
      '\\x41',
      '\\u12',
      '\\u{61}',
      '\\',
    ],
    (line, at, put, choice) =>
      changeMatch(line, choice % 4 === 0 ? key : text, at, (match) => insertInto(match, put, choice)),
  ),
  'insert a character beyond ASCII': pickOf(
    ['é', '小', '😀', '\u0301', '\u2028', '\ufffe', '\u0085'].map(utf8),
    (line, at, put, choice) =>
      changeMatch(line, choice % 4 === 0 ? key : text, at, (match) => insertInto(match, put, choice)),
  ),
  'insert a control character': pickOf(['\0', '\x01', '\t', '\n', '\r', '\x1f', '\x7f'], (line, at, put, choice) =>
    changeMatch(line, text, at, (match) => insertInto(match, put, choice)),
  ),
  'break the UTF-8': pickOf(
    [
      '\xff',
      '\x80',
      '\xc0\xaf',
      '\xe2\x82',
      '\xed\xa0\x80',
      '\xed\xa0\xbd\xed\xb8\x80',
      '\xf0\x9f\x98',
      '\xf8\x88\x80\x80\x80',
      '\xf4\x90\x80\x80',
    ],
    (line, at, put, choice) =>
      changeMatch(line, choice % 4 === 0 ? key : text, at, (match) => insertInto(match, put, choice)),
  ),
  'repeat a member': (line, at, choice) =>
    changeMatch(line, member, at, (match) => {
      const other = match.replace(/:.*$/s, `:${values[choice % values.length]}`)
      return [`${match},${match}`, `${match},${other}`, `${other},${match}`][choice % 3] ?? match
    }),
  'move a member': (line, at, choice) => {
    const matches = [...line.matchAll(/"(?:[^"\\]|\\.)*":(?:"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null),/g)]
    const match = matches[at % matches.length]
    if (match === undefined) return line
    const without = splice(line, match.index, match[0].length, '')
    return changeMatch(without, choice % 2 === 0 ? opening : /,(?=")/g, choice, (place) => place + match[0])
  },
  'add a member': (line, at, choice) =>
    changeMatch(line, opening, at, (match) => {
      const value = choice % 3 === 0 ? nested[choice % nested.length] : values[choice % values.length]
      return `${match}"${names[choice % names.length]}":${value},`
    }),
  'add many members': (line, at, choice) =>
    changeMatch(
      line,
      opening,
      at,
      (match) => match + Array.from({ length: 60 + (choice % 9) }, (_, index) => `"x${index}":${index},`).join(''),
    ),
  'rename a member': (line, at, choice) =>
    changeMatch(line, key, at, (match) => {
      const name = match.slice(1, -1)
      const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return `"${[name.toUpperCase(), snake, name.slice(1), `${name} `, names[choice % names.length]][choice % 5]}"`
    }),
  'spell a number in another way': (line, at, choice) =>
    changeMatch(line, number, at, (match) => spellings[choice % spellings.length]?.(match) ?? match),
  'replace a value': (line, at, choice) =>
    changeMatch(line, scalar, at, () => values[choice % values.length] ?? 'null'),
  'replace any value': (line, at, choice) => {
    const payload = parsePayload(line)
    if (payload === undefined) return line
    const pointers = listPointers(payload)
    const change = { [pointers[at % pointers.length] ?? '/x']: anyValues[choice % anyValues.length] }
    return utf8(JSON.stringify(changePayload(payload, change)))
  },
  'write another offset': pickOf(
    ['Z', '+00:00', '+01:00', '+02:00', '+08:00', '-03:00', '-0300', '+01', '-00:00', '+23:59', ''],
    (line, at, put) => changeMatch(line, offset, at, () => put),
  ),
  'nest a value': (line, at, choice) => changeMatch(line, scalar, at, () => nested[choice % nested.length] ?? '[]'),
}
