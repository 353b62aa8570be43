import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseResponse, restoreFile } from '../../../../src/adapters/providers/ai-sdk/http-client.js'
import type { Clip, Picture } from '../../../../src/ports/provider.js'
import { countTurns } from '../../../helpers/count-turns.js'
import { buildMp4 } from '../../../helpers/upstreams/mp4.js'
import type { Reply } from '../../../helpers/upstreams/upstream.js'
import { addTo } from './bench.js'

const results = suite('results of models')
const add = addTo(results)

const lost: readonly (readonly [string, Reply | 'stall', number, RegExp])[] = [
  ['redirects to FTP', { status: 302, headers: { location: 'ftp://files.test/a' } }, 1, /not an HTTP or HTTPS/],
  ['redirects to no URL', { status: 302, headers: { location: 'http://[' } }, 1, /not a valid URL/],
  ['is too large', { headers: { 'content-length': `${129 << 20}` }, bytes: Buffer.of(0) }, 1, /more than 128 MiB/],
  ['is compressed', { headers: { 'content-encoding': 'gzip' }, bytes: Buffer.of(0) }, 1, /compressed/],
  ['is gone', { status: 410, json: {} }, 4, /does not answer with a picture/],
  ['is forbidden', { status: 403, json: {} }, 4, /does not answer with a picture/],
  ['has no end', 'stall', 4, /took longer than/],
]
for (const name of ['fal image', 'replicate video', 'bytedance video']) {
  for (const [what, answer, tries, words] of lost) {
    const options = { timeouts: answer === 'stall' ? { download: 200 } : {} }
    add(name, options, `${name}: ends its unit if the result ${what}`, async (bench) => {
      bench.upstream.plan('download', ...Array.from({ length: tries }, () => answer))
      const { message, code, retryable, purchase } = await bench.fail()
      assert.match(message, words)
      assert.equal([code, retryable, purchase], ['provider_error', false, { quantity: 1, costMicros: 40_000 }])
      assert.is(bench.upstream.count('download'), tries)
    })
  }
}

// Responses over a mebibyte are parsed in turns.
add('bytedance video', {}, 'take a clip from a data URL', async ({ upstream, attempt }) => {
  // The last box is padding.
  const free = Buffer.alloc(2 << 20, 7)
  free.writeUInt32BE(free.length, 0)
  free.write('free', 4)
  const clip = Buffer.concat([buildMp4(8), free])
  const video_url = `data:video/mp4;base64,${clip.toString('base64')}`
  upstream.plan('poll', { json: { id: 'cgt-1', status: 'succeeded', content: { video_url } } })
  const { mp4 } = (await attempt()) as Clip
  assert.ok(clip.equals(mp4 ?? Buffer.of()))
  assert.is(upstream.count('download'), 0)
})

add('openai image', {}, 'take a large picture from base64', async ({ upstream, attempt }) => {
  const noise = sharp(randomBytes(700 * 700 * 3), { raw: { width: 700, height: 700, channels: 3 } })
  const picture = await noise.png({ compressionLevel: 1 }).toBuffer()
  upstream.plan('buy', { json: { created: 0, data: [{ b64_json: picture.toString('base64') }] } })
  const { image } = (await attempt()) as Picture
  assert.is(image.contentType, 'image/png')
  assert.ok(picture.equals(image.bytes))
})

add('bytedance video', {}, 'end a unit if a poll is too large without its files', async ({ upstream, fail }) => {
  const logs = Array.from({ length: 60_000 }, () => 'a line of its log')
  upstream.plan('poll', { json: { id: 'cgt-1', status: 'succeeded', logs } })
  const error = await fail()
  assert.match(error.message, /too large without its files/)
  assert.equal([error.wire, error.retryable], ['ordered', false])
  assert.is(upstream.count('poll'), 1)
})

results('take a file of 8 MB out of a response, a mebibyte in each turn of the main loop', async () => {
  const file = randomBytes(8 << 20)
  const body = JSON.stringify({ url: `data:video/mp4;base64,${file.toString('base64')}` })
  const [parsed, turns] = await countTurns(parseResponse(Buffer.from(body)))
  assert.ok(turns >= 10, `${turns} turns`)
  assert.equal(parsed?.json, { url: `data:video/mp4;base64,${btoa('svc-file-0')}` })
  assert.ok(file.equals(parsed?.files[0] ?? Buffer.of()))
})

results('are read from JSON that escapes slashes, and restored by their placeholders', async () => {
  const files = [randomBytes(2 << 20), randomBytes(100_000)]
  const [one = '', other = ''] = files.map((file) => file.toString('base64'))
  // Other lengths before it move an escaped slash across the end of a turn.
  for (const padding of ['', 'a', 'ab', 'abc']) {
    const body = Buffer.from(`["\\"${padding}", "${one.replaceAll('/', '\\/')}", {"a": "${other}"}]`)
    const parsed = await parseResponse(body)
    assert.ok(parsed)
    const [text, first, { a: second }] = parsed.json as [string, string, { a: string }]
    assert.is(text, `\\"${padding}`.slice(1))
    for (const [index, mark] of [first, second].entries()) {
      const restored = restoreFile(Buffer.from(mark, 'base64'), parsed.files)
      assert.ok(files[index]?.equals(restored))
    }
  }
  const unknown = Buffer.from('svc-file-2')
  assert.is(restoreFile(unknown, files), unknown)
})

const words = 'a line of its log, '
const large: readonly (readonly [string, string, unknown])[] = [
  ['empty where a string is not a file', JSON.stringify({ id: 1, logs: words.repeat(60_000) }), { id: 1, logs: '' }],
  ['cut where base64 ends', JSON.stringify(['A'.repeat(1 << 20), `${'A'.repeat(99_999)}=A`]), ['c3ZjLWZpbGUtMA==', '']],
  ['nothing if they are not JSON', `{"a": "${'A'.repeat(2 << 20)}`, undefined],
  ['nothing if they are empty', '', undefined],
]
for (const [what, text, expected] of large) {
  results(`are ${what}`, async () => assert.equal((await parseResponse(Buffer.from(text)))?.json, expected))
}

for (const [what, text] of [
  ['many strings', JSON.stringify(Array.from({ length: 60_000 }, () => words))],
  ['many escaped quotation marks', `["${'\\"'.repeat(600_000)}"]`],
  ['many objects', `[${'{},'.repeat(400_000)}{}]`],
] as const) {
  results(`are refused with ${what}`, async () => assert.is(await parseResponse(Buffer.from(text)), undefined))
}

results.run()
