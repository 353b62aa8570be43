// run: takes 16 s
import { execFileSync, fork } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper } from '../../../src/adapters/clips/clip-looper.js'
import { findFfmpeg } from '../../../src/adapters/clips/find-ffmpeg.js'
import { createStubProvider } from '../../../src/adapters/providers/stub/provider.js'
import { startChild } from '../../../src/runtime/entry.js'
import { buildCall, buildClipRequest } from '../../helpers/provider-calls.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'

const clips = suite('loops of clips')
const temporary = openTemporaryFolder()
const photo = new URL('../../../fixtures/photos/dog.jpg', import.meta.url)
const ffmpeg = findFfmpeg(undefined, process.env.PATH)

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

async function loop(ffmpeg: string, mp4: Uint8Array) {
  const looper = createClipLooper({ ffmpeg })
  try {
    return (await looper.toLoop(mp4, new AbortController().signal)).webp
  } finally {
    await looper.close()
  }
}

async function failureOf(ffmpeg: string, mp4: Uint8Array): Promise<string> {
  const outcome = await loop(ffmpeg, mp4).catch((error: unknown) => error)
  assert.instance(outcome, Error)
  return (outcome as Error).message
}

/** Mean difference between the bytes of two pictures. */
function difference(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length
}

const withFfmpeg = (title: string, test: (path: string) => Promise<void>) =>
  clips(title, async () => {
    if (ffmpeg === undefined) reportSkip(`${title}: ffmpeg is not installed`)
    else await test(ffmpeg)
  })

withFfmpeg('converts a clip to a WebP that loops forever, with the same pictures', async (path) => {
  const webp = await loop(path, stubClip)
  const { format, pages = 0, loop: repeats, width, delay = [] } = await sharp(webp).metadata()
  assert.equal({ format, repeats, width }, { format: 'webp', repeats: 0, width: 480 })
  assert.ok(pages >= 10 && pages <= 24, `it has ${pages} pages`)
  const length = delay.reduce((sum, ms) => sum + ms, 0)
  assert.is(length, Math.round((pages * 1000) / 12))

  const page = (index: number) => sharp(webp, { page: index }).resize(32, 32).removeAlpha().raw().toBuffer()
  const [first, second, last] = await Promise.all([page(0), page(1), page(pages - 1)])
  // The last page continues into the first as smoothly as other pages do.
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

withFfmpeg('rejects a clip without a picture that can be decoded, with a sentence', async (path) => {
  const empty = patch((file) => file.fill(0x5a, file.indexOf('mdat') + 4, file.length))
  assert.match(await failureOf(path, empty), /^(It|ffmpeg) /)
})

withFfmpeg('does not decode pictures that are larger than the header claims', async (path) => {
  const huge = readFileSync(makeHugeClip(path))
  // The brands of the file have an `avc1`, too.
  const entry = huge.indexOf('avc1', huge.indexOf('stsd'))
  huge.writeUInt16BE(512, entry + 28)
  huge.writeUInt16BE(512, entry + 30)
  assert.match(await failureOf(path, huge), /^ffmpeg .* 4096x4112 exceeds /)
})

/** Makes a clip with pictures just above the limit, and returns its path. */
function makeHugeClip(ffmpeg: string): string {
  const path = join(temporary.folder, 'huge.mp4')
  const flags =
    '-v error -f lavfi -i color=size=4096x4112:rate=2:duration=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p'
  if (!existsSync(path)) execFileSync(ffmpeg, [...flags.split(' '), path])
  return path
}

/** A modified clip of the stub. */
function patch(change: (file: Buffer) => void): Buffer {
  const file = Buffer.from(stubClip)
  change(file)
  return file
}

/** Offset of a box's content, after its version and flags. */
const contentOf = (file: Buffer, box: string) => file.indexOf(box) + 8

const nowhere = '/nowhere/ffmpeg'

clips('rejects false claims of a file before it decodes anything', async () => {
  const wide = patch((file) => file.writeUInt16BE(16_000, file.indexOf('avc1') + 28))
  assert.match(await failureOf(nowhere, wide), /^It has 16000 x 512 pixels; at most 4096 per side/)
  // One tick per second instead of 90,000.
  const long = patch((file) => file.writeUInt32BE(1, contentOf(file, 'mdhd') + 8))
  assert.match(await failureOf(nowhere, long), /^It claims to last \d+ s; at most 300 s are accepted\./)
  const repeated = patch((file) => {
    file.writeUInt32BE(90_000, contentOf(file, 'stsz'))
    // One picture per chunk, both chunks at the same offset.
    file.writeUInt32BE(1, contentOf(file, 'stsc') + 8)
    file.copy(file, contentOf(file, 'stco') + 8, contentOf(file, 'stco') + 4, contentOf(file, 'stco') + 8)
  })
  assert.is(await failureOf(nowhere, repeated), 'Its pictures take more bytes than the file has.')
})

clips('names an ffmpeg that cannot be started, with the fix', async () => {
  assert.is(
    await failureOf(nowhere, stubClip),
    '/nowhere/ffmpeg cannot be started; install ffmpeg, or name it in FFMPEG_PATH.',
  )
})

/** A decoder that hangs, and reports that it started. */
function hangingDecoder(name: string) {
  const mark = join(temporary.folder, `${name}.begun`)
  const words = `sleep 60.${name.length}`
  const script = temporary.write(name, `#!/bin/sh\n: >> '${mark}'\nexec ${words}\n`)
  chmodSync(script, 0o755)
  return { ffmpeg: script, words, hasBegun: () => waitFor(() => existsSync(mark)) }
}

const kill = `process.kill(process.pid, 'SIGKILL')`
const exit = 'process.exit(1)'
const answer = 'process.send({ answer: { webp: Buffer.from([1]) } })'

/** The code of an SvcError, or the name of another error. */
const kindOf = (error: Error) => ('code' in error ? String(error.code) : error.name)

const twoProcesses: readonly (readonly [string, readonly string[], string])[] = [
  ['converts a clip whose first process is killed', [kill, answer], 'converted'],
  ['is unavailable if two processes of a clip are killed', [kill, kill], 'unavailable'],
  ['cannot convert a clip on which two processes exit', [exit, exit], 'LostJob'],
]
for (const [title, scripts, expected] of twoProcesses) {
  clips(title, async () => {
    let started = 0
    const start = async () => {
      const program = `process.on('message', () => { ${scripts[started]} }); process.send('ready')`
      const file = temporary.write(`script-${started++}.cjs`, program)
      return fork(file, { serialization: 'advanced', execArgv: [], detached: true })
    }
    const looper = createClipLooper({ ffmpeg: nowhere, start })
    const outcome = await looper.toLoop(stubClip, new AbortController().signal).then(() => 'converted', kindOf)
    await looper.close()
    assert.is(outcome, expected)
    assert.is(started, 2)
  })
}

const picture = `printf 'P6\\n2 2\\n255\\n123456789abc'`
const killings: readonly (readonly [string, string])[] = [
  ['before its first picture', ''],
  ['after a picture', picture],
  ['in the middle of a picture', `printf 'P6\\n2 2\\n255\\n12345'`],
]
for (const [when, output] of killings) {
  clips(`decodes a clip again if ffmpeg is killed ${when}`, async () => {
    const runs = join(temporary.folder, `runs ${when}`)
    const again = `test -e '${runs}' && ${picture} && ${picture} && exit`
    const once = temporary.write('once', `#!/bin/sh\n${again}\n: > '${runs}'\n${output}\nkill -9 $$\n`)
    const always = temporary.write('always', `#!/bin/sh\n${output}\nkill -9 $$\n`)
    for (const script of [once, always]) chmodSync(script, 0o755)
    assert.is((await sharp(await loop(once, stubClip)).metadata()).format, 'webp')
    assert.is(await loop(always, stubClip).then(() => 'converted', kindOf), 'unavailable')
  })
}

clips('kills a decoder that takes too long, with its child processes', async () => {
  const { ffmpeg, words, hasBegun } = hangingDecoder('late')
  const looper = createClipLooper({ ffmpeg, deadlineMs: 8000 })
  const looping = looper.toLoop(stubClip, new AbortController().signal).catch((error: unknown) => error)
  await hasBegun()
  assert.ok(listPrograms().includes(words))
  assert.is(((await looping) as Error).message, 'The process that decodes clips took too long.')
  await waitFor(() => !listPrograms().includes(words))
})

clips('an abort ends running and waiting clips with its reason', async () => {
  const { ffmpeg, words, hasBegun } = hangingDecoder('aborted')
  const looper = createClipLooper({ ffmpeg })
  const controller = new AbortController()
  const outcomes = Array.from({ length: 5 }, () =>
    looper.toLoop(stubClip, controller.signal).catch((error: unknown) => error),
  )
  await hasBegun()
  controller.abort(new Error('lost the lease'))
  for (const outcome of await Promise.all(outcomes)) assert.is((outcome as Error).message, 'lost the lease')
  await waitFor(() => !listPrograms().includes(words))
})

clips('closing ends all clips and starts no more', async () => {
  const { ffmpeg, words, hasBegun } = hangingDecoder('closed')
  let started = 0
  const start = () => {
    started += 1
    return startChild('adapters/clips/child', {}, { leadsGroup: true, isQuiet: true })
  }
  const looper = createClipLooper({ ffmpeg, start })
  const { signal } = new AbortController()
  const outcomes = Array.from({ length: 5 }, () => looper.toLoop(stubClip, signal).catch((error: unknown) => error))
  await hasBegun()
  await looper.close()
  assert.is(started, 2)
  for (const outcome of await Promise.all(outcomes)) assert.is((outcome as Error).message, 'The service is stopping.')
  await waitFor(() => !listPrograms().includes(words))
})

function listPrograms(): string[] {
  return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n')
}

/** Fails if the condition is not met within 100 seconds. */
async function waitFor(isTrue: () => boolean): Promise<void> {
  for (let left = 1000; left > 0 && !isTrue(); left--) await new Promise((done) => setTimeout(done, 100))
  assert.ok(isTrue())
}

clips('finds ffmpeg at the configured path or on the search path', () => {
  const program = temporary.write('bin/ffmpeg', '#!/bin/sh\n')
  const folders = `/nowhere:${temporary.folder}/bin`
  assert.is(findFfmpeg(undefined, folders), undefined, 'a file that is not executable does not count')
  chmodSync(program, 0o755)
  assert.is(findFfmpeg(undefined, folders), program)
  assert.is(findFfmpeg(program), program)
  assert.is(findFfmpeg('/nowhere/ffmpeg', folders), undefined)
})

clips.after(() => temporary.close())

clips.run()
