import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper } from '../../../src/adapters/clips/clip-looper.js'
import { findDecoder, findFfmpeg } from '../../../src/adapters/clips/find-decoder.js'
import type { Decoder } from '../../../src/adapters/clips/protocol.js'
import { createStubProvider } from '../../../src/adapters/provider/stub/provider.js'
import { buildCall, buildClipRequest } from '../../helpers/provider-calls.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const clips = suite('loops of clips')
const temporary = openTemporaryFolder()
const photo = new URL('../../../fixtures/photos/dog.jpg', import.meta.url)
const folders = process.env.PATH
const ffmpeg = findFfmpeg({ path: undefined, folders })
const embedded = findDecoder({ path: '/nowhere', folders: undefined })
const decoders: readonly (readonly [name: string, decoder: Decoder | undefined, missing: string])[] = [
  ['ffmpeg', ffmpeg === undefined ? undefined : { ffmpeg }, 'ffmpeg is not installed'],
  ['node-webcodecs', embedded, 'the package node-webcodecs is not installed'],
]

async function makeStubClip(): Promise<Uint8Array> {
  const provider = createStubProvider({ delayMs: 0, fail: [] })
  const clip = await provider.generateClip(
    buildClipRequest({ bytes: readFileSync(photo), contentType: 'image/jpeg' }),
    buildCall(),
  )
  await provider.close()
  return clip.mp4 ?? new Uint8Array()
}

const stubClip = await makeStubClip()

async function loop(decoder: Decoder, mp4: Uint8Array) {
  const looper = createClipLooper({ decoder })
  try {
    return await looper.toLoop(mp4, new AbortController().signal)
  } finally {
    await looper.close()
  }
}

async function failureOf(decoder: Decoder, mp4: Uint8Array): Promise<string> {
  const outcome = await loop(decoder, mp4).catch((error: unknown) => error)
  assert.instance(outcome, Error)
  return (outcome as Error).message
}

/** Mean difference of two pictures' bytes. */
function difference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

for (const [name, decoder, missing] of decoders) {
  const withDecoder = (title: string, test: (decoder: Decoder) => Promise<void>) =>
    clips(`${name}: ${title}`, async () => {
      if (decoder === undefined) reportSkip(`${name}: ${title}: ${missing}`)
      else await test(decoder)
    })

  withDecoder('a clip becomes a WebP that loops without end, with the same pictures', async (decoder) => {
    const { mp4, webp, durationSeconds } = await loop(decoder, stubClip)
    assert.equal([mp4, durationSeconds], [stubClip, 2])
    assert.ok(webp)
    const { format, pages = 0, loop: repeats, width, delay = [] } = await sharp(webp).metadata()
    assert.equal({ format, repeats, width }, { format: 'webp', repeats: 0, width: 480 })
    assert.ok(pages >= 10 && pages <= 24, `it has ${pages} pages`)
    const length = delay.reduce((sum, ms) => sum + ms, 0)
    assert.is(length, Math.round((pages * 1000) / 12))

    const page = (index: number) => sharp(webp, { page: index }).resize(32, 32).removeAlpha().raw().toBuffer()
    const [first, second, last] = await Promise.all([page(0), page(1), page(pages - 1)])
    // The last page leads over to the first as a page leads to the next.
    assert.ok(difference(last, first) < 3 * Math.max(0.5, difference(first, second)), 'the loop jumps')
    const { data: mean } = await sharp(webp, { page: 0 })
      .resize(1, 1)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.ok(
      mean.some((value) => value > 60),
      'the picture is black',
    )
  })

  withDecoder('what is no film is refused with a sentence', async (decoder) => {
    assert.is(await failureOf(decoder, Buffer.from('hello')), 'It is no MP4 that can be read.')
    assert.match(await failureOf(decoder, stubClip.subarray(0, 600)), /^(It|The clip|ffmpeg|node-webcodecs) .*/)
    const broken = Uint8Array.from(stubClip)
    broken.fill(0x5a, broken.length >> 1)
    // Whatever is made of it, the program goes on.
    await loop(decoder, broken).catch(() => {})
  })
}

clips('pixels beyond any clip are refused before anything is decoded', async () => {
  const huge = Uint8Array.from(stubClip)
  const at = Buffer.from(huge.buffer).indexOf('avc1')
  // The width and the height of the sample entry.
  new DataView(huge.buffer).setUint16(at + 28, 16_000)
  const message = await failureOf({ ffmpeg: '/nowhere/ffmpeg' }, huge)
  assert.match(message, /^It has 16000 x 512 pixels; at most 4096 a side/)
})

clips('a decoder that hangs is killed, with what it has started', async () => {
  const script = temporary.write('hang.sh', '#!/bin/sh\nexec sleep 60.125\n')
  chmodSync(script, 0o755)
  const looper = createClipLooper({ decoder: { ffmpeg: script }, deadlineMs: 1500 })
  const outcome = await looper.toLoop(stubClip, new AbortController().signal).catch((error: unknown) => error)
  assert.is((outcome as Error).message, 'The clip takes too long to decode.')
  await assertGone('sleep 60.125')
})

clips('an abort ends it at once, with the reason that was given', async () => {
  const script = temporary.write('wait.sh', '#!/bin/sh\nexec sleep 60.25\n')
  chmodSync(script, 0o755)
  const looper = createClipLooper({ decoder: { ffmpeg: script } })
  const controller = new AbortController()
  setTimeout(() => controller.abort(new Error('lost the lease')), 1000)
  const outcome = await looper.toLoop(stubClip, controller.signal).catch((error: unknown) => error)
  assert.is((outcome as Error).message, 'lost the lease')
  await assertGone('sleep 60.25')
})

/** Fails where a process with these words still runs after two seconds. */
async function assertGone(words: string): Promise<void> {
  const list = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
  for (let left = 20; left > 0 && list().includes(words); left--) await new Promise((done) => setTimeout(done, 100))
  assert.not.ok(list().includes(words), `${words} still runs`)
}

clips('ffmpeg is found where it is named, or in the folders of programs', () => {
  const program = temporary.write('bin/ffmpeg', '#!/bin/sh\n')
  const places = { path: undefined, folders: `/nowhere:${temporary.folder}/bin` }
  assert.is(findFfmpeg(places), undefined, 'a file that may not be run is no program')
  chmodSync(program, 0o755)
  assert.is(findFfmpeg(places), program)
  assert.is(findFfmpeg({ path: program, folders: undefined }), program)
  assert.is(findFfmpeg({ path: '/nowhere/ffmpeg', folders: places.folders }), undefined)
})

clips.after(() => temporary.close())

clips.run()
