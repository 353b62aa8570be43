import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper } from '../../../src/adapters/clips/clip-looper.js'
import { findFfmpeg } from '../../../src/adapters/clips/find-ffmpeg.js'
import { isBrokenClip } from '../../../src/ports/clip-loops.js'
import { reportSkip } from '../../helpers/skip.js'
import { buildMp4 } from '../../helpers/upstreams/mp4.js'

const clips = suite('broken clips')
const ffmpeg = findFfmpeg(undefined, process.env.PATH)

async function loop(mp4: Uint8Array, path: string | undefined): Promise<unknown> {
  const looper = createClipLooper({ ffmpeg: path })
  const outcome = await looper.toLoop(mp4, new AbortController().signal).catch((error: unknown) => error)
  await looper.close()
  return outcome
}

function patch(change: (file: Buffer) => void): Buffer {
  const file = buildMp4(1)
  change(file)
  return file
}

const broken: readonly (readonly [name: string, mp4: Buffer, says: RegExp])[] = [
  ['is sound only', patch((file) => file.write('soun', file.indexOf('vide'), 'latin1')), /^It has no video\.$/],
  [
    'has sides beyond the limit',
    patch((file) => file.writeUInt16BE(8192, file.indexOf('avc1', file.indexOf('stsd')) + 28)),
    /8192 x 64 pixels/,
  ],
  [
    'leads beyond its end',
    patch((file) => file.writeUInt32BE(9000, file.indexOf('stco') + 12)),
    /^Its pictures end at/,
  ],
  ['is cut short', buildMp4(1).subarray(0, -40), /^Its pictures end at/],
  ['is cut in its index', buildMp4(1).subarray(0, 300), /^Its box moov at 32 has size \d+\.$/],
  ['is not a video', Buffer.from('hello'), /^It is not a readable MP4\.$/],
]
for (const [name, mp4, says] of broken) {
  clips(`reports a clip that ${name} as broken, even without ffmpeg`, async () => {
    const outcome = await loop(mp4, undefined)
    assert.ok(isBrokenClip(outcome), String(outcome))
    assert.match(outcome.message, says)
  })
}

clips('reports a clip without a picture that can be decoded as broken', async () => {
  if (ffmpeg === undefined) return reportSkip('ffmpeg, which decodes the clip, is not installed')
  const mp4 = patch((file) => file.fill(0x5a, file.indexOf('mdat') + 4))
  const outcome = await loop(mp4, ffmpeg)
  assert.ok(isBrokenClip(outcome), String(outcome))
  assert.match(outcome.message, /^ffmpeg cannot decode it/)
})

for (const [name, path, says] of [
  ['without ffmpeg', undefined, /^ffmpeg is not installed, .* Install it \(Debian: apt-get install ffmpeg; /],
  ['with an ffmpeg that cannot be started', '/nowhere/ffmpeg', /cannot be started/],
] as const) {
  clips(`does not report a good clip as broken ${name}`, async () => {
    const outcome = await loop(buildMp4(1), path)
    assert.instance(outcome, Error)
    assert.not.ok(isBrokenClip(outcome))
    assert.match((outcome as Error).message, says)
  })
}

clips.run()
