// run: takes 14 s, draws
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPhotoReader, type PhotoReaderOptions, startReader } from '../../../src/adapters/photos/photo-reader.js'
import { isSvcError } from '../../../src/errors.js'
import type { Photo, PhotoReader } from '../../../src/ports/photos.js'
import { startChild } from '../../../src/runtime/entry.js'
import {
  drawJpeg,
  drawPhoto,
  drawPng,
  exifOrientation,
  green,
  hostilePhotos,
  insertChunks,
  insertSegments,
  makePng,
  patternRows,
  pngChunk,
  quarters,
  red,
} from '../../helpers/hostile-photos.js'
import { reportSkip } from '../../helpers/skip.js'
import { compiledUrl } from '../../helpers/small-disk.js'
import { runNode } from '../../helpers/svc.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { thrownBy } from '../../helpers/thrown.js'

const photos = suite('photo reader')
const temporary = openTemporaryFolder()
const limits = { minSide: 256, maxBytes: 10 * 1024 * 1024 }
const started: ChildProcess[] = []

const opened: PhotoReader[] = []

/** A reader whose children are recorded. It is closed after the test. */
function openReader(options: Partial<PhotoReaderOptions> = {}): PhotoReader {
  const start = async () => {
    const child = await startReader()
    started.push(child)
    return child
  }
  const reader = createPhotoReader({ ...limits, start, ...options })
  opened.push(reader)
  return reader
}

// A machine that does other work takes its time.
const reader = openReader({ deadlineMs: 100_000 })
opened.length = 0
const read = (bytes: Uint8Array): Promise<Photo> => reader.readPhoto(bytes, 'source_image')

/** The colors at the centers of the four quarters: top left, top right, bottom left, bottom right. */
async function quartersOf(jpeg: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true })
  assert.is(info.channels, 3)
  const colorAt = (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
    return [...data.subarray(at, at + 3)]
  }
  return [colorAt(0.25, 0.25), colorAt(0.75, 0.25), colorAt(0.25, 0.75), colorAt(0.75, 0.75)]
}

function assertNear(actual: readonly number[][], expected: typeof quarters, within = 26): void {
  const far = expected.some((color, at) =>
    color.some((value, channel) => Math.abs(value - (actual[at]?.[channel] ?? 999)) > within),
  )
  assert.not.ok(far, `${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`)
}

photos.after.each(async () => {
  for (const one of opened.splice(0)) await one.close()
})
photos.after(async () => {
  await reader.close()
  temporary.close()
})

photos('returns a JPEG of at most 2048 pixels per side, the same for the same photo', async () => {
  const photo = await drawJpeg(2400, 1800)
  const [first, again] = await Promise.all([read(photo), read(photo)])
  assert.equal([first.width, first.height], [2048, 1536])
  assert.ok(first.jpeg.equals(again.jpeg))
  const { format, width, height, space } = await sharp(first.jpeg).metadata()
  assert.equal({ format, width, height, space }, { format: 'jpeg', width: 2048, height: 1536, space: 'srgb' })
})

/** Position in the file of the pixel at x, y of the upright picture. Source: Exif 2.32, Orientation. */
const turns: readonly ((x: number, y: number, width: number, height: number) => [number, number])[] = [
  (x, y) => [x, y],
  (x, y, width) => [width - 1 - x, y],
  (x, y, width, height) => [width - 1 - x, height - 1 - y],
  (x, y, _, height) => [x, height - 1 - y],
  (x, y) => [y, x],
  (x, y, width) => [y, width - 1 - x],
  (x, y, width, height) => [height - 1 - y, width - 1 - x],
  (x, y, _, height) => [height - 1 - y, x],
]
for (const [index, turn] of turns.entries()) {
  photos(`turns a photo of orientation ${index + 1} upright`, async () => {
    const [width, height] = [480, 320]
    const upright = await (await drawPhoto(width, height)).raw().toBuffer()
    const storedWidth = index < 4 ? width : height
    const stored = Buffer.alloc(upright.length)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [toX, toY] = turn(x, y, width, height)
        upright.copy(stored, (toY * storedWidth + toX) * 3, (y * width + x) * 3, (y * width + x + 1) * 3)
      }
    }
    const raw = { width: storedWidth, height: index < 4 ? height : width, channels: 3 } as const
    const file = insertSegments(await sharp(stored, { raw }).jpeg().toBuffer(), [[0xe1, exifOrientation(index + 1)]])
    const photo = await read(file)
    assert.equal([photo.width, photo.height], [width, height])
    assertNear(await quartersOf(photo.jpeg), quarters)
  })
}

const secret = 'PLANTED-7f3a'
const exif = { IFD0: { Copyright: secret, Artist: secret }, IFD3: { GPSLatitudeRef: 'N', GPSAreaInformation: secret } }
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${secret}</rdf:RDF></x:xmpmeta>`
const drawPlanted = async () => (await drawPhoto(400, 300)).withExif(exif).withXmp(xmp).withIccProfile('p3')
const iptc = Buffer.from(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0c\x1c\x02\x05\0\x07${secret}`, 'latin1')
const segments = [
  [0xfe, Buffer.from(secret)],
  [0xed, iptc],
  [0xe5, Buffer.from(secret)],
] as const
const chunks = [
  pngChunk('tEXt', Buffer.from(`Comment\0${secret}`)),
  pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(secret)])),
  pngChunk('prVt', Buffer.from(secret)),
]
const planted: readonly (readonly [string, () => Promise<Buffer>])[] = [
  ['JPEG', async () => insertSegments(await (await drawPlanted()).jpeg().toBuffer(), segments)],
  ['PNG', async () => insertChunks(await (await drawPlanted()).png().toBuffer(), chunks)],
  ['WebP', async () => (await drawPlanted()).webp().toBuffer()],
]
for (const [kind, make] of planted) {
  photos(`keeps only the pixels of a ${kind}`, async () => {
    const file = await make()
    assert.ok(file.includes(secret))
    const { jpeg } = await read(file)
    const { exif: keptExif, xmp: keptXmp, icc, iptc, comments } = await sharp(jpeg).metadata()
    assert.equal(
      [keptExif, keptXmp, icc, iptc, comments],
      Array.from({ length: 5 }, () => undefined),
    )
    for (const trace of [secret, 'Exif', 'http', 'ICC_PROFILE', 'Photoshop', 'GPS', 'libvips']) {
      assert.not.ok(jpeg.includes(trace), `${trace} is still there`)
    }
    assertNear(await quartersOf(jpeg), quarters)
  })
}

photos('drops trailing data', async () => {
  const tail = Buffer.from(`PK\x03\x04<html><script>${secret}</script></html>`, 'latin1')
  for (const file of [await drawJpeg(300, 300), await drawPng(300, 300)])
    assert.not.ok((await read(Buffer.concat([file, tail]))).jpeg.includes(secret))
})

/** Rows of a PNG whose left half repeats one pixel, and whose right half repeats another. */
function halves(side: number, left: readonly number[], right: readonly number[]): Buffer {
  const row = Buffer.from([0, ...Array.from({ length: side }, (_, x) => (x < side / 2 ? left : right)).flat()])
  return Buffer.concat(Array.from({ length: side }, () => row))
}
const palette = [pngChunk('PLTE', Buffer.from([220, 30, 30, 30, 200, 30])), pngChunk('tRNS', Buffer.from([255, 0]))]
/** The quarters in the nearest colors of the ink profile. */
const inks = [red, [118, 180, 10], [30, 56, 138], [235, 235, 235]]
const white = [255, 255, 255]
const square = { width: 300, height: 300 }
const badProfile = [pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync('junk')]))]
const deep = halves(300, [220, 0, 30, 0, 30, 0], [30, 0, 200, 0, 30, 0])
const kinds: readonly (readonly [string, () => Buffer | Promise<Buffer>, typeof quarters])[] = [
  ['CMYK', async () => (await drawPhoto(400, 300)).toColorspace('cmyk').jpeg({ quality: 95 }).toBuffer(), inks],
  ['progressive', () => drawJpeg(400, 300, { progressive: true }), quarters],
  ['gray', async () => (await drawPhoto(400, 300)).greyscale().jpeg().toBuffer(), []],
  ['16 bits a channel', () => makePng({ ...square, depth: 16 }, deep), [red, green]],
  ['gray of 1 bit', () => makePng({ width: 304, height: 304, depth: 1, color: 0 }, patternRows(304, 38)), []],
  ['a palette', () => makePng({ ...square, color: 3 }, halves(300, [0], [1]), palette), [red, white]],
  ['transparency', () => makePng({ ...square, color: 6 }, halves(300, [0, 0, 0, 0], [...red, 255])), [white, red]],
  ['an invalid profile', async () => insertChunks(await drawPng(300, 300), badProfile), [red]],
  ['lossless WebP', async () => (await drawPhoto(400, 300)).webp({ lossless: true, effort: 0 }).toBuffer(), quarters],
]
for (const [kind, make, colors] of kinds) {
  photos(`preserves the colors of this kind of picture: ${kind}`, async () => {
    assertNear(await quartersOf((await read(await make())).jpeg), colors, 40)
  })
}

photos('reads a photo at each limit, and does not enlarge it', async () => {
  const jpeg = await drawJpeg(300, 300)
  await read(Buffer.concat([jpeg, Buffer.alloc(limits.maxBytes - jpeg.length)]))
  await read(await drawJpeg(256, 256))
  const { width, height } = await read(await drawPng(256, 1024))
  assert.equal([width, height], [256, 1024])
  const large = await read(makePng({ width: 8000, height: 5000, color: 0 }, patternRows(5000, 8000)))
  assert.equal([large.width, large.height], [2048, 1280])
})

photos('reports both sizes of a file that is too large', async () => {
  const { code, message } = await thrownBy(read(Buffer.alloc(limits.maxBytes + 1)))
  assert.is(code, 'invalid_request')
  assert.is(message, '`source_image` has 10.01 MiB; at most 10 MiB are accepted. Send a smaller picture.')
  const smaller = openReader({ maxBytes: 1024 }).readPhoto(Buffer.alloc(1025), 'source_image')
  assert.match((await thrownBy(smaller)).message, 'has 1.01 KiB; at most 1 KiB are accepted')
})

for (const [name, make, says] of hostilePhotos) {
  photos(`refuses ${name}`, async () => {
    // A photo that takes too long is refused with another message.
    const { code, message } = await thrownBy(read(await make()))
    assert.is(code, 'invalid_request')
    assert.match(message, says)
    assert.match(message, /^`source_image` .*\.$/)
  })
}

photos('reads all of them with the same two processes, in bounded memory', () => {
  assert.is(started.length, 2)
  for (const { pid } of started) {
    if (!existsSync(`/proc/${pid}/status`)) return reportSkip('the memory of a process is only read from /proc')
    const peak = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    assert.ok(Number(peak) < 500_000, `${peak} kB`)
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    assert.equal(
      // Some shells add the name of the program that they start.
      variables.filter((variable) => !/^(NODE_CHANNEL_|_=)/.test(variable)),
      ['MALLOC_ARENA_MAX=1'],
    )
  }
})

photos('opens only JPEG, PNG and WebP, regardless of the declared type', async () => {
  const child = await startChild('adapters/photos/child')
  await once(child, 'message')
  for (const bytes of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
    await (await drawPhoto(300, 300)).gif().toBuffer(),
  ]) {
    child.send({ request: { bytes, kind: 'png', minSide: 1, source: 'caller' } })
    const [{ answer }] = await once(child, 'message')
    assert.match(answer.refusal, 'is damaged')
  }
  child.disconnect()
  await once(child, 'exit')
})

photos('continues when the terminal or the service manager signals the whole group', async () => {
  const other = openReader({ childrenAtMost: 1 })
  await other.readPhoto(await drawJpeg(300, 300), 'source_image')
  const reading = other.readPhoto(await drawJpeg(2100, 700), 'source_image')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) started.at(-1)?.kill(signal)
  assert.is((await reading).width, 2048)
})

/** A process that answers small photos, and never a large one. */
const stuck = temporary.write(
  'stuck.cjs',
  `process.on('message', ({ request: { bytes } }) => bytes.length < 10_000 && process.send({ answer: { jpeg: Buffer.from('x'), width: 1, height: 1 } }))
   process.send('ready')`,
)
const startStuck = async () => fork(stuck, { serialization: 'advanced', execArgv: [] })
const smallPhoto = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(100)])
const largePhoto = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(20_000)])

const kill = `process.kill(process.pid, 'SIGKILL')`
const exit = 'process.exit(1)'
const answer = `process.send({ answer: { jpeg: Buffer.from('x'), width: 1, height: 1 } })`

/** Starts one process per script. A script is run for each photo; `undefined` kills the process before it is ready. */
function startScripts(...scripts: readonly (string | undefined)[]) {
  const started: ChildProcess[] = []
  const start = async () => {
    const script = scripts[started.length]
    const program =
      script === undefined
        ? kill
        : `process.on('message', ({ request: { bytes } }) => { ${script} }); process.send('ready')`
    const file = temporary.write(`script-${scripts.length}-${started.length}.cjs`, program)
    const child = fork(file, { serialization: 'advanced', execArgv: [] })
    started.push(child)
    return child
  }
  return { start, started }
}

const twoProcesses: readonly (readonly [string, readonly (string | undefined)[], string])[] = [
  ['reads a photo whose first process is killed', [kill, answer], 'read'],
  ['reads a photo whose first process exits', [exit, answer], 'read'],
  ['reads a photo whose first process is killed at its start', [undefined, answer], 'read'],
  ['is unavailable if two processes of a photo are killed', [kill, kill], 'unavailable'],
  ['is unavailable if two processes are killed at their start', [undefined, undefined], 'unavailable'],
  ['is unavailable if the first of two processes is killed', [kill, exit], 'unavailable'],
  ['is unavailable if the second of two processes is killed', [exit, kill], 'unavailable'],
  ['refuses a photo on which two processes exit', [exit, exit], 'invalid_request'],
  ['reads a photo whose first process takes too long', ['', answer], 'read'],
  ['is unavailable if a process takes too long and the next is killed', ['', kill], 'unavailable'],
]
for (const [title, scripts, expected] of twoProcesses) {
  photos(title, async () => {
    const { start, started } = startScripts(...scripts)
    const other = openReader({ start, childrenAtMost: 1, ...(scripts[0] === '' && { deadlineMs: 1000 }) })
    const outcome = await other.readPhoto(largePhoto, 'source_image').then(
      () => ({ code: 'read', message: '' }),
      ({ code, message }) => ({ code, message }),
    )
    assert.is(outcome.code, expected, outcome.message)
    assert.is(started.length, 2)
    if (expected === 'unavailable') assert.match(outcome.message, /^The system killed .* Send the photo again in a few/)
    if (expected === 'invalid_request') assert.match(outcome.message, /^`source_image` cannot be read\. Save it again/)
  })
}

photos('reads a photo again in a new process, although another one is idle', async () => {
  const killByLarge = `bytes.length > 10_000 ? ${kill} : ${answer}`
  const { start, started } = startScripts(killByLarge, killByLarge, answer)
  const other = openReader({ start, childrenAtMost: 2 })
  await Promise.all([other.readPhoto(smallPhoto, 'source_image'), other.readPhoto(smallPhoto, 'source_image')])
  assert.is((await other.readPhoto(largePhoto, 'source_image')).width, 1)
  assert.is(started.length, 3)
})

photos('reads a photo again before the next in the queue', async () => {
  const other = openReader({ start: startScripts(kill, answer).start, childrenAtMost: 1 })
  const served: string[] = []
  await Promise.all(
    [largePhoto, smallPhoto].map(async (bytes) => {
      await other.readPhoto(bytes, 'source_image')
      served.push(bytes === largePhoto ? 'killed' : 'next')
    }),
  )
  assert.equal(served, ['killed', 'next'])
})

photos('reports that it is closed while it reads a photo again', async () => {
  const { start, started } = startScripts(kill, '')
  const other = openReader({ start })
  const reading = thrownBy(other.readPhoto(largePhoto, 'source_image'))
  while (started.length < 2) await new Promise(setImmediate)
  await other.close()
  const { code, message } = await reading
  assert.is(code, 'unavailable')
  assert.match(message, 'The service is stopping.')
})

photos('refuses a photo that takes two processes too much processor time', async () => {
  const other = openReader({ cpuMsAtMost: 1 })
  const before = started.length
  const { code, message } = await thrownBy(other.readPhoto(await drawJpeg(3200, 2400, { progressive: true }), 'photo'))
  assert.equal(
    [code, message],
    ['invalid_request', '`photo` cannot be read. Save it again as an ordinary JPEG or PNG.'],
  )
  const signals = started.slice(before).map(({ signalCode }) => signalCode)
  assert.equal(signals, ['SIGXCPU', 'SIGXCPU'])
})

photos('limits how long a photo waits', async () => {
  const other = openReader({ start: startStuck, childrenAtMost: 1, deadlineMs: 1000, waitMs: 50 })
  const reading = thrownBy(other.readPhoto(largePhoto, 'source_image'))
  const waiting = thrownBy(other.readPhoto(smallPhoto, 'source_image'))
  const first = await Promise.race([reading.then(() => 'reading'), waiting.then(() => 'waiting')])
  assert.is(first, 'waiting')
  assert.match((await waiting).message, 'Too many photos are being read')
  const { code, message } = await reading
  assert.is(code, 'unavailable')
  assert.match(message, /^The machine is too busy to read the photo\. Send it again/)
  assert.is((await other.readPhoto(smallPhoto, 'source_image')).width, 1)
})

for (const [bound, options] of [
  ['photos', { waitingAtMost: 2 }],
  ['bytes', { waitingBytesAtMost: 250 }],
] as const) {
  photos(`limits the ${bound} that wait, and serves them in order`, async () => {
    const other = openReader({ start: startStuck, childrenAtMost: 1, ...options })
    const served: number[] = []
    const readings = [0, 1, 2, 3].map((index) =>
      other.readPhoto(smallPhoto, 'source_image').then(
        () => served.push(index),
        ({ code }) => code,
      ),
    )
    assert.is((await Promise.all(readings))[3], 'unavailable')
    assert.equal(served, [0, 1, 2])
    await other.readPhoto(smallPhoto, 'source_image')
  })
}

photos('ends its processes on closing, also a busy one, and the thousand photos that wait', async () => {
  const other = openReader({ start: startStuck, childrenAtMost: 1 })
  await other.readPhoto(smallPhoto, 'source_image')
  const readings = Array.from({ length: 1000 }, () => thrownBy(other.readPhoto(largePhoto, 'source_image')))
  await other.close()
  const messages = (await Promise.all(readings)).map(({ message }) => message)
  assert.equal([...new Set(messages)], ['The service is stopping. Try again in a moment.'])
  assert.is((await thrownBy(other.readPhoto(smallPhoto, 'source_image'))).code, 'unavailable')
})

photos('ends an idle process, and starts another for the next photo', async () => {
  const children: ChildProcess[] = []
  const start = async () => {
    const child = await startChild('adapters/photos/child', {}, { idleMs: 500 })
    children.push(child)
    return child
  }
  const other = openReader({ start })
  const jpeg = await drawJpeg(300, 300)
  for (let count = 1; count <= 2; count++) {
    await other.readPhoto(jpeg, 'source_image')
    assert.is(children.length, count)
    const child = children[count - 1] as ChildProcess
    child.ref()
    const [code] = await once(child, 'exit')
    assert.is(code, 0)
  }
})

photos('fails without refusing the photo if its processes do not start', async () => {
  const broken = temporary.write('broken.cjs', 'process.exitCode = 1')
  const other = openReader({ start: async () => fork(broken, { serialization: 'advanced', execArgv: [] }) })
  assert.not.ok(isSvcError(await thrownBy(other.readPhoto(smallPhoto, 'source_image'))))
})

photos('does not keep the program running', async () => {
  const script = temporary.write(
    'read-once.mjs',
    `import { readFileSync } from 'node:fs'
     import { createPhotoReader } from '${compiledUrl('adapters/photos/photo-reader')}'
     const reader = createPhotoReader({ minSide: 1, maxBytes: 1e6 })
     reader.readPhoto(readFileSync(process.argv[2]), 'source_image').then(({ width }) => console.log(width))`,
  )
  const photo = temporary.write('photo.jpg', await drawJpeg(300, 300))
  const { status, stdout, stderr } = runNode([script, photo])
  assert.equal({ status, stdout, stderr }, { status: 0, stdout: '300\n', stderr: '' })
})

photos('leaves no process if the program is killed while it reads a photo', async () => {
  const script = temporary.write(
    'killed.mjs',
    `import { readFileSync } from 'node:fs'
     import { startChild } from '${compiledUrl('runtime/entry')}'
     startChild('adapters/photos/child').then((child) => child.once('message', () =>
       child.send({ request: { bytes: readFileSync(process.argv[2]), kind: 'jpeg', minSide: 1, source: 'caller' } }, () =>
         console.log(child.pid))))`,
  )
  const photo = temporary.write('large.jpg', await drawJpeg(2400, 1800, { progressive: true }))
  const program = spawn(process.execPath, [script, photo], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [pid] = await once(program.stdout, 'data')
  assert.ok(Number(String(pid)) > 0)
  program.stderr.resume()
  program.kill('SIGKILL')
  // The child shares standard error: it closes when both are gone.
  await once(program.stderr, 'close')
})

photos.run()
