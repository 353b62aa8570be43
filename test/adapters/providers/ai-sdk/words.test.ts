import { join } from 'node:path'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { downloadResult } from '../../../../src/adapters/providers/ai-sdk/download-result.js'
import { readRetryAfterMs } from '../../../../src/adapters/providers/ai-sdk/failure.js'
import { findPackage } from '../../../../src/adapters/providers/ai-sdk/model.js'
import { findRefusal, readReason } from '../../../../src/adapters/providers/ai-sdk/reason.js'
import { findSecrets, redact } from '../../../../src/adapters/providers/ai-sdk/redact.js'
import { readMp4Seconds } from '../../../../src/adapters/providers/ai-sdk/results.js'
import { isSvcError } from '../../../../src/errors.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'
import { buildMp4 } from '../../../helpers/upstreams/mp4.js'

const words = suite('messages of vendors')
const now = Date.parse('2026-10-20T08:00:00Z')

const waits: readonly (readonly [Record<string, string>, unknown, number | undefined])[] = [
  [{ 'retry-after': '30' }, undefined, 30_000],
  [{ 'retry-after': '1.5' }, undefined, 1500],
  [{ 'retry-after': 'Tue, 20 Oct 2026 08:00:10 GMT' }, undefined, 10_000],
  [{ 'retry-after': 'Tue, 20 Oct 2026 07:00:00 GMT' }, undefined, 0],
  [{ 'retry-after': 'later' }, undefined, undefined],
  [{ 'retry-after': '-5' }, undefined, undefined],
  [{ 'retry-after-ms': '250', 'retry-after': '1' }, undefined, 250],
  [{}, { error: { details: [{ '@type': 'RetryInfo', retryDelay: '17.5s' }] } }, 17_500],
  [{}, { detail: 'Request was throttled.', retry_after: 9 }, 9000],
  [{}, undefined, undefined],
]
for (const [headers, json, expected] of waits) {
  words(`ask to wait ${expected} ms: ${JSON.stringify([headers, json])}`, () =>
    assert.is(readRetryAfterMs(headers, json, now), expected),
  )
}

const prompt = 'Paint a pet.\nIts name is "Rex, a brave dog", it is called “咪咪”.'
const apiKey = 'hunter/2+hunter'

const redacted: readonly (readonly [string, string])[] = [
  ['See https://api.vendor.test/v1?key=AIzaSyA-0123456789 for more.', 'See [URL] for more.'],
  ['Incorrect API key provided: sk-proj-aB3dE6gH9.', 'Incorrect API key provided: ….'],
  ['Authorization: Bearer r8_0123456789abcdef', 'Authorization: Bearer …'],
  ['data:image/png;base64,iVBORw0KGgoAAAANSUhEUg was given', '[URL] was given'],
  ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', '…'],
  ['two\r\nlines\u0000', 'two lines'],
  [`${prompt} was refused`, '… was refused'],
  ['for "Rex, a brave dog" nothing was made', 'for "…" nothing was made'],
  ['for rex, A BRAVE dog nothing was made', 'for … nothing was made'],
  ['a bravery award of a Brave animal', 'a bravery award of a … animal'],
  ['画面里的咪咪不合适', '画面里的…不合适'],
  ['fetch //files.vendor.test/a?sig=abc or s3://bucket/a', 'fetch [URL] or [URL]'],
  [
    'with ?X-Amz-Signature=abc&sig=def, api_key: "short1" and password hunter2',
    'with ?X-Amz-Signature=…&sig=…, api_key: …" and password …',
  ],
  ['key: sk-realk*******cdef', 'key: …'],
  ['Basic dXNlcjpodW50ZXIy0', '…'],
  ...[
    'The API key is expired.',
    'API key is required',
    'secret is not found in vault',
    'auth: not configured',
    'a token limit of 50, max_tokens=9, input_token: 10, and the key was not found',
    'gemini-nano-banana-2.1-preview-0514-experimental-xl is not known',
    'metric generate_requests_per_model_per_day_and_project',
    'request 7f3e2c1a-9b8d-4c5e-8f7a-1234567890ab failed',
  ].map((text) => [text, text] as const),
]
for (const [text, expected] of redacted) {
  words(`reach the log as ${expected}`, () => assert.is(redact(text, findSecrets(undefined, prompt)), expected))
}

const inBase64 = [apiKey, `:${apiKey}`, `user:${apiKey}`].map((text) => Buffer.from(text).toString('base64'))
for (const spelled of [apiKey, encodeURIComponent(apiKey), ...inBase64]) {
  words(`do not hold a key as ${spelled}`, () => {
    assert.match(redact(`got <${spelled}> of you`, findSecrets(apiKey, '')), /^got <\w{0,8}…[\w=]{0,4}> of you$/)
  })
}

for (const [name, text, expected] of [
  ['ポチ', 'ポチは楽しい', '…は楽しい'],
  ['초코', '초코는', '…는'],
  ['มะลิ', 'ของมะลิถูก', 'ของ…ถูก'],
  ['José', 'José'.normalize('NFD'), '…'],
  ['Flüffy', 'Fl%C3%BCffy or Fl\\u00fcffy', '… or …'],
  ['Rex Bo', 'Rex and Bo', '… and Bo'],
  ['/', 'https://files.vendor.test/a/b.png', '[URL]'],
  ['-', 'sk-proj-aB3dE6gH9xx', '…'],
  ['Bearer', 'Bearer abcd1234efgh5678', '…'],
] as const) {
  words(`of a pet called ${name} reach the log as ${expected}`, () =>
    assert.is(redact(text, findSecrets(undefined, `Its name is "${name}".`)), expected),
  )
}

words('are truncated, and unbounded repetitions end', () => {
  for (const part of ['key-', 'x-amz-', 'bearer ', 'sk-', '//', 'key is ', 'a-', '"', 'aB3-']) {
    const text = part.repeat(1e6 / part.length)
    assert.ok(redact(`${text.slice(0, 3900)} ${text}`, findSecrets('hunter22', prompt)).length <= 220)
  }
})

words('never contain a key, in any position', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 8 }), fc.string(), (before, key, after) => {
      const text = redact(`${before}${key}${after}`, findSecrets(key, ''))
      assert.not.ok(text.includes(key.trim() === '' ? '\u0000' : key))
    }),
  )
})

const results: readonly (readonly [string, string, RegExp])[] = [
  ['http://files.vendor.test/a.mp4', 'https://api.vendor.test/v1', /not an HTTPS URL/],
  ['file:///etc/passwd', 'https://api.vendor.test/v1', /not an HTTP or HTTPS URL/],
  ['https://127.0.0.1:9/a.mp4', 'https://api.vendor.test/v1', /no public address/],
  ['https://169.254.169.254/latest', 'https://api.vendor.test/v1', /no public address/],
  ['https://127.0.0.1:9/a.mp4', 'https://127.0.0.1:9/v1', /cannot be reached: its server/],
  ['https://127.0.0.1:9/a.mp4', 'https://127.0.0.1:8/v1', /no public address/],
  ['http://127.0.0.1:9/a.mp4', 'https://127.0.0.1:9/v1', /not an HTTPS URL/],
  ['http://127.0.0.1:9/a.mp4', 'http://127.0.0.1:8/v1', /cannot be reached: its server/],
  ['http://127.0.0.2:9/a.mp4', 'http://127.0.0.1:8/v1', /not an HTTPS URL/],
  ['https://127.0.0.2:9/a.mp4', 'http://127.0.0.1:8/v1', /no public address/],
  ['data:text/plain,hello', 'https://api.vendor.test/v1', /without base64/],
]
for (const [url, baseUrl, expected] of results) {
  words(`are not followed from ${baseUrl} to ${url}`, async () => {
    const { signal } = new AbortController()
    const copied = await downloadResult(new URL(url), { baseUrl, allowPrivate: false, timeoutMs: 2000, signal })
    assert.match('problem' in copied ? copied.problem : 'copied', expected)
  })
}

const place = openTemporaryFolder()
words.after(() => place.close())

const packages: readonly (readonly [string, string | undefined, RegExp])[] = [
  ['3.2.1', '3.2.1', /^made$/],
  ['4.0.0', '4.0.0', /^svc-avatar needs @vendor\/v4 3, and @vendor\/v4 4.0.0 is installed: npm install @vendor\/v4@3$/],
  ['nothing', undefined, /^svc-avatar needs the package @vendor\/v, which is not installed: npm install @vendor\/v@3$/],
]
for (const [title, version, expected] of packages) {
  words(`of ${title} where 3 is needed: ${expected.source}`, () => {
    const packageName = `@vendor/v${version?.split('.')[0] ?? ''}`
    if (version !== undefined) {
      const described = JSON.stringify({ name: packageName, version, main: 'dist/index.js' })
      place.write(`node_modules/${packageName}/package.json`, described)
      place.write(`node_modules/${packageName}/dist/index.js`, "module.exports = 'made'")
    }
    // The first folder has no package.
    const places = [import.meta.url, join(place.folder, 'package.json')]
    try {
      assert.match(String(findPackage({ packageName, major: 3 }, 'svc-avatar', places)()), expected)
    } catch (error) {
      if (!isSvcError(error)) throw error
      assert.match(error.message, expected)
    }
  })
}

words('of an MP4 header give its duration', () => {
  const film = buildMp4(7)
  assert.is(readMp4Seconds(film), 7)
  assert.is(readMp4Seconds(new Uint8Array(Buffer.concat([Buffer.alloc(3), film])).subarray(3)), 7)
  for (let length = 0; length < film.length; length++) {
    const seconds = readMp4Seconds(film.subarray(0, length))
    assert.ok(seconds === undefined || seconds === 7)
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readMp4Seconds(bytes)))
})

const long = 'model '.repeat(200_000)

const longAnswers: Readonly<Record<string, () => string | undefined>> = {
  'an error': () => readReason({ error: { message: long } }).message,
  'an error of many details': () => readReason({ detail: [{ msg: long }] }).message,
  'a blocked prompt': () =>
    findRefusal({ promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: long } })?.message,
  'an answer in words': () =>
    findRefusal({ candidates: [{ finishReason: 'STOP', content: { parts: [{ text: long }] } }] })?.message,
  'a withheld picture': () => findRefusal({ predictions: [{ raiFilteredReason: long }] })?.message,
}
for (const [what, read] of Object.entries(longAnswers)) {
  words(`in ${what} are shortened to 4,000 characters`, () => assert.is(read(), long.slice(0, 4000)))
}

words('of an MP4 header are looked for in at most 1,000 boxes', () => {
  const mp4 = buildMp4(5)
  const start = mp4.readUInt32BE(0)
  for (const [count, seconds] of [
    [900, 5],
    [1000, undefined],
  ] as const) {
    const boxes = Buffer.from('\0\0\0\bfree'.repeat(count), 'latin1')
    assert.is(readMp4Seconds(Buffer.concat([mp4.subarray(0, start), boxes, mp4.subarray(start)])), seconds)
  }
})

words.run()
