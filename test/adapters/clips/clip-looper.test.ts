// run: takes 10 s
import { execFileSync, fork } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createClipLooper } from '../../../src/adapters/clips/clip-looper.js'
import { findCrop } from '../../../src/adapters/clips/ffmpeg.js'
import { findFfmpeg } from '../../../src/adapters/clips/find-ffmpeg.js'
import { hasSound } from '../../../src/adapters/clips/video.js'
import { isBrokenClip, isUnloopedClip } from '../../../src/ports/clip-loops.js'
import { startChild } from '../../../src/runtime/entry.js'
import { reportSkip } from '../../helpers/skip.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { thrownBy } from '../../helpers/thrown.js'
import { buildMp4 } from '../../helpers/upstreams/mp4.js'

const clips = suite('loops of clips')
const temporary = openTemporaryFolder()
const ffmpeg = findFfmpeg(undefined, process.env.PATH)

const clip = buildMp4(1)

/** Makes a clip of a second from a source of ffmpeg. */
function makeClip(ffmpeg: string, name: string, picture: string, sound: readonly string[] = []): Buffer {
  const file = join(temporary.folder, `${name}.mp4`)
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  execFileSync(ffmpeg, ['-v', 'error', '-f', 'lavfi', '-i', picture, ...sound, ...encoder, file])
  return readFileSync(file)
}

async function loop(ffmpeg: string | undefined, mp4: Uint8Array, aspect?: number) {
  const looper = createClipLooper({ ffmpeg })
  try {
    return await looper.toLoop(mp4, new AbortController().signal, aspect === undefined ? undefined : { aspect })
  } finally {
    await looper.close()
  }
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

withFfmpeg('converts a clip to a WebP that loops forever, and leaves a silent one of the right shape', async (path) => {
  // One turn, so that the end leads to the beginning.
  const turning = 'smptebars=size=160x160:rate=12:duration=1,rotate=2*PI*t:c=gray'
  const { webp, mp4, changes } = await loop(path, makeClip(path, 'turning', turning), 1)
  assert.equal([mp4, changes], [undefined, []])
  const { format, pages = 0, loop: repeats, width, delay = [] } = await sharp(webp).metadata()
  assert.equal({ format, repeats, width }, { format: 'webp', repeats: 0, width: 480 })
  assert.ok(pages >= 10 && pages <= 12, `it has ${pages} pages`)
  assert.is(
    Math.round((pages * 1000) / 12),
    delay.reduce((sum, ms) => sum + ms, 0),
  )
  const page = (index: number) => sharp(webp, { page: index }).resize(32, 32).removeAlpha().raw().toBuffer()
  const [first, second, last] = await Promise.all([page(0), page(1), page(pages - 1)])
  // The last page continues into the first as smoothly as other pages do.
  assert.ok(difference(last, first) < 3 * Math.max(0.5, difference(first, second)), 'the loop jumps')
  assert.ok(Math.max(...first) > 60, 'the picture is black')
})

/** Makes a clip with pictures just above the limit, whose header claims 512 pixels a side. */
function makeHugeClip(ffmpeg: string): Buffer {
  const huge = makeClip(ffmpeg, 'huge', 'color=size=4096x4112:rate=1:duration=1')
  // The brands of the file have an `avc1`, too.
  const entry = huge.indexOf('avc1', huge.indexOf('stsd'))
  for (const offset of [28, 30]) huge.writeUInt16BE(512, entry + offset)
  return huge
}

const noise = Buffer.from(clip).fill(0x5a, clip.indexOf('mdat') + 4)
const failures: readonly (readonly [string, (path: string) => Buffer, RegExp])[] = [
  ['a clip without a picture that can be decoded', () => noise, /^ffmpeg cannot decode it/],
  ['pictures that are larger than the header claims', makeHugeClip, /^ffmpeg .* 4096x4112 exceeds /],
]
for (const [what, make, says] of failures) {
  withFfmpeg(`reports ${what} as broken`, async (path) => {
    const error = await thrownBy(loop(path, make(path)))
    assert.ok(isBrokenClip(error), String(error))
    assert.match(error.message, says)
  })
}

const nowhere = '/nowhere/ffmpeg'
for (const [what, path, says] of [
  ['without ffmpeg', undefined, /^ffmpeg is not installed, .* Install it \(Debian: apt-get install ffmpeg; /],
  ['with an ffmpeg that cannot be started', nowhere, /^\/nowhere\/ffmpeg cannot be started; .* FFMPEG_PATH\.$/],
] as const) {
  clips(`does not report a good clip as broken ${what}, but a broken one`, async () => {
    const error = await thrownBy(loop(path, clip))
    assert.not(isBrokenClip(error), String(error))
    assert.match(error.message, says)
    assert.ok(isBrokenClip(await thrownBy(loop(path, clip.subarray(0, -40)))))
  })
}

/** A decoder that hangs, and reports that it started. */
function hangingDecoder(name: string) {
  const mark = join(temporary.folder, `${name}.begun`)
  const words = `sleep 60.${name.length}`
  const ffmpeg = writeProgram(name, `: >> '${mark}'\nexec ${words}`)
  return { ffmpeg, words, hasBegun: () => waitFor(() => existsSync(mark)) }
}

function writeProgram(name: string, script: string): string {
  const path = temporary.write(name, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
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
    const outcome = await looper.toLoop(clip, new AbortController().signal).then(() => 'converted', kindOf)
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
    const once = writeProgram('once', `${again}\n: > '${runs}'\n${output}\nkill -9 $$`)
    assert.is((await sharp((await loop(once, clip)).webp).metadata()).format, 'webp')
  })
}

clips('is unavailable if ffmpeg is killed twice', async () => {
  const always = writeProgram('always', `${picture}\nkill -9 $$`)
  assert.is(await loop(always, clip).then(() => 'converted', kindOf), 'unavailable')
})

clips('kills a decoder that takes too long, with its child processes', async () => {
  const { ffmpeg, words, hasBegun } = hangingDecoder('late')
  const looper = createClipLooper({ ffmpeg, deadlineMs: 8000 })
  const looping = thrownBy(looper.toLoop(clip, new AbortController().signal))
  await hasBegun()
  assert.ok(listPrograms().includes(words))
  assert.is((await looping).message, 'The process that decodes clips took too long.')
  await waitFor(() => !listPrograms().includes(words))
})

clips('an abort ends running and waiting clips with its reason', async () => {
  const { ffmpeg, words, hasBegun } = hangingDecoder('aborted')
  const looper = createClipLooper({ ffmpeg })
  const controller = new AbortController()
  const outcomes = Array.from({ length: 5 }, () => thrownBy(looper.toLoop(clip, controller.signal)))
  await hasBegun()
  controller.abort(new Error('lost the lease'))
  for (const { message } of await Promise.all(outcomes)) assert.is(message, 'lost the lease')
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
  const outcomes = Array.from({ length: 5 }, () => thrownBy(looper.toLoop(clip, signal)))
  await hasBegun()
  await looper.close()
  assert.is(started, 2)
  for (const { message } of await Promise.all(outcomes)) assert.is(message, 'The service is stopping.')
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

/** A wide clip with sound, a red part on the left, a green one on the right, and a moving gray middle. */
function makeWideClip(ffmpeg: string): Buffer {
  const middle = 'testsrc=size=160x180:rate=12:duration=0.5,hue=s=0'
  const picture = `${middle},pad=320:180:80:0:red,drawbox=240:0:80:180:green:fill`
  return makeClip(ffmpeg, 'wide', picture, ['-f', 'lavfi', '-i', 'sine=duration=0.5', '-y'])
}

function probe(mp4: Uint8Array): Record<string, string>[] {
  const shown = '-show_entries stream=codec_type,width,height,nb_read_frames'
  const flags = `-v error -count_frames ${shown} -of json`.split(' ')
  return JSON.parse(String(execFileSync('ffprobe', [...flags, temporary.write('probe.mp4', mp4)]))).streams
}

for (const [width, height, aspect, expected] of [
  [1280, 720, 1, { width: 720, height: 720, left: 280, top: 0 }],
  [720, 1280, 1, { width: 720, height: 720, left: 0, top: 280 }],
  [1280, 720, 16 / 9, undefined],
  [1248, 704, 16 / 9, undefined],
  [721, 481, 0.5, { width: 240, height: 480, left: 240, top: 0 }],
  [640, 480, undefined, undefined],
] as const) {
  clips(`crops ${width} x ${height} to ${aspect}`, () => assert.equal(findCrop(width, height, aspect), expected))
}

withFfmpeg('crops a clip to its still, removes its sound, and loops it', async (path) => {
  const clip = makeWideClip(path)
  assert.ok(hasSound(clip))
  const { webp, mp4, changes: made } = await loop(path, clip, 160 / 180)
  assert.equal(made, ['cropped', 'muted'])
  const streams = probe(mp4 ?? clip)
  assert.equal(streams, [{ codec_type: 'video', width: 160, height: 180, nb_read_frames: '6' }])
  const { width = 0, height = 0 } = await sharp(webp).metadata()
  assert.ok(Math.abs(width / height - 160 / 180) < 0.01, `${width} x ${height}`)
  // Without the colored sides.
  const { channels } = await sharp(webp, { page: 0 }).stats()
  const [red = 0, green = 0] = channels.map(({ mean }) => mean)
  assert.ok(Math.abs(red - green) < 12, `${red} ${green}`)
})

withFfmpeg('removes sound without encoding the pictures again', async (path) => {
  const clip = makeWideClip(path)
  const { mp4, changes: made } = await loop(path, clip)
  assert.equal(made, ['muted'])
  assert.equal(probe(mp4 ?? clip), [{ codec_type: 'video', width: 320, height: 180, nb_read_frames: '6' }])
  const failure = await loop(undefined, clip, 1).catch((error: unknown) => error)
  assert.ok(isUnloopedClip(failure), String(failure))
  assert.not(hasSound(isUnloopedClip(failure) ? failure.mp4 : clip))
})

clips.after(() => temporary.close())

clips.run()
