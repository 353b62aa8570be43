// run: takes 15 s, draws
import { execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  createLooks,
  createStubProvider,
  type StubSettings,
  startDrawer,
} from '../../../../src/adapters/providers/stub/provider.js'
import type { Look } from '../../../../src/artist/look.js'
import { type Clip, type PictureRequest, type Provider, ProviderError } from '../../../../src/ports/provider.js'
import { testProvider } from '../../../conformance/provider.js'
import { getBox, listBoxes, readEntries } from '../../../helpers/mp4-boxes.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { scene } from '../../../helpers/tasks.js'
import { openTemporaryFolder } from '../../../helpers/temporary.js'

const temporary = openTemporaryFolder()
const open = (settings: Partial<StubSettings> = {}) => createStubProvider({ delayMs: 0, fail: [], ...settings })

const port = suite('stub provider: provider port')
testProvider(port, { open, openFailing: () => open({ fail: ['all'] }) })
port.run()

const photo = await makePhoto()
const beach = { scene: { id: 'beach', backdrop: { place: 'beach' } } }
const sitting = buildPictureRequest(photo)
const onBeach = buildPictureRequest(photo, beach)
const draw = async (from: Provider, request: PictureRequest) =>
  (await from.generatePicture(request, buildCall())).image.bytes

interface Drawn {
  provider: Provider
  clip: Clip
  /** Pictures of the pet, sitting at home and on the beach. */
  pictures: readonly Uint8Array[]
}
const files = suite<Drawn>('stub provider: files')

files.before(async (context) => {
  const provider = open()
  const request = buildClipRequest(photo, { pose: 'running' })
  const clip = await provider.generateClip(request, buildCall())
  const pictures = await Promise.all([sitting, onBeach].map((each) => draw(provider, each)))
  Object.assign(context, { provider, clip, pictures })
})
files.after(({ provider }) => provider.close())

files('draws an opaque PNG of 1024 pixels a side, for each photo, species and scene another', async (drawn) => {
  const { provider, pictures } = drawn
  const rain = { scene: { id: 'rain', backdrop: { place: 'beach', weather: 'rain' } } }
  const others = [buildPictureRequest(await makePhoto(2)), buildPictureRequest(photo, { species: 'cat' })]
  const more = await Promise.all([...others, buildPictureRequest(photo, rain)].map((each) => draw(provider, each)))
  const all = [...pictures, ...more]
  assert.is(new Set(all.map((bytes) => Buffer.from(bytes).toString('base64'))).size, 5)
  for (const bytes of all) {
    const { width, height, format, channels } = await sharp(bytes).metadata()
    assert.equal({ width, height, format, channels }, { width: 1024, height: 1024, format: 'png', channels: 3 })
  }
})

files('shows the photo in a corner of the pictures that the setting names', async ({ pictures: [pose, scene] }) => {
  // One after the other, in one process each.
  const drawWith = async (badge: 'all' | 'none') => {
    const provider = open({ badge })
    const drawn = [await draw(provider, sitting), await draw(provider, onBeach)]
    await provider.close()
    return drawn
  }
  const [all, none] = [await drawWith('all'), await drawWith('none')]
  assert.equal([pose, scene], [all[0], none[1]])
  assert.not.equal(all[1], none[1])
  assert.not.equal(all[0], none[0])
})

files('makes a WebP of 16 frames a second for a running pet that loops forever and takes 2 s', async ({ clip }) => {
  assert.is(clip.durationSeconds, 2)
  const { pages, loop, delay = [], width, pageHeight } = await sharp(clip.webp ?? '', { animated: true }).metadata()
  assert.equal({ pages, loop, width, pageHeight }, { pages: 32, loop: 0, width: 512, pageHeight: 512 })
  assert.is(
    delay.reduce((sum, one) => sum + one, 0),
    2000,
  )
  assert.ok(Math.max(...delay) - Math.min(...delay) <= 1, delay.join())
})

files('makes an MP4 of 2.000 s, 48 frames and even sides, with its index first and without timestamps', ({ clip }) => {
  const boxes = listBoxes(clip.mp4 ?? new Uint8Array())
  const outer = boxes.map(({ path }) => path).filter((path) => !path.includes('/'))
  assert.equal(outer, ['ftyp', 'moov', 'mdat'])
  for (const type of ['mvhd', 'tkhd', 'mdhd'])
    assert.is(getBox(boxes, type).content.readBigUInt64BE(4), 0n, `times of ${type}`)
  assert.is(readEntries(getBox(boxes, 'stco'))[0], getBox(boxes, 'mdat').start)
  const { content: header } = getBox(boxes, 'mvhd')
  assert.is(header.readUInt32BE(16) / header.readUInt32BE(12), 2)
  const { content: format } = getBox(boxes, 'stsd')
  assert.is(format.toString('latin1', 12, 16), 'avc1')
  assert.equal([format.readUInt16BE(40), format.readUInt16BE(42)], [512, 512])
  assert.is(getBox(boxes, 'stsz').content.readUInt32BE(8), 48)
  assert.equal(readEntries(getBox(boxes, 'stss')), [1])
})

files('produces the same bytes in another process, from the built program', async ({ clip }) => {
  const program = fileURLToPath(new URL('../../../../dist/adapters-providers-stub-child.cjs', import.meta.url))
  const script = `
    const child = require('node:child_process').fork(${JSON.stringify(program)}, { serialization: 'advanced' })
    const photo = require('node:fs').readFileSync(0)
    const ask = (kind, input) => child.send({ request: { kind, input } })
    ask('look', { species: 'dog', photo })
    child.on('message', ({ answer }) => {
      if (answer === undefined) return
      const { output } = answer
      if (output.mp4 === undefined) return ask('clip', { look: output, pose: 'running' })
      for (const bytes of [output.mp4, output.webp]) {
        console.log(require('node:crypto').createHash('sha256').update(bytes).digest('hex'))
      }
      child.disconnect()
    })`
  const output = execFileSync(process.execPath, ['-e', script], { input: photo.bytes, timeout: 60_000 })
  const hash = (bytes: Uint8Array | null) => createHash('sha256').update(bytes ?? '')
  assert.equal(
    String(output).trim().split('\n'),
    [hash(clip.mp4), hash(clip.webp)].map((sum) => sum.digest('hex')),
  )
})

files('draws the pet of the last reference and ignores the others', async ({ provider, pictures }) => {
  const image = { bytes: pictures[0] ?? Buffer.of(), contentType: 'image/png' } as const
  assert.equal(await draw(provider, { ...sitting, references: [image, photo] }), image.bytes)
})

files.run()

const faults = suite('stub provider: failures')
const none = 'no failure'
const failureOf = (attempt: Promise<unknown>) => attempt.then(() => none).catch((error: unknown) => error)

function assertFailure(error: unknown, wire: string, retryable: boolean, message: RegExp): void {
  assert.instance(error, ProviderError)
  const failure = error as ProviderError
  assert.equal([failure.code, failure.wire, failure.retryable], ['provider_error', wire, retryable])
  assert.match(failure.message, message)
}

faults('fails configured poses and scenes, unknown poses, missing references and broken photos', async () => {
  const provider = open({ fail: ['lying', 'running', 'beach_run'] })
  const broken = { bytes: photo.bytes.subarray(0, photo.bytes.length >> 1), contentType: photo.contentType }
  const attempts: readonly (readonly [request: PictureRequest, message: RegExp])[] = [
    [buildPictureRequest(photo, { pose: 'lying' }), /this pose \(SVC_STUB_FAIL\)/],
    [buildPictureRequest(photo, { scene }), /this scene/],
    [buildPictureRequest(photo, { pose: 'flying' }), /lying, sitting, walking, running/],
    [{ ...buildPictureRequest(photo), references: [] }, /last reference/],
    [buildPictureRequest(broken), /decoded/],
  ]
  for (const [request, message] of attempts)
    assertFailure(await failureOf(provider.generatePicture(request, buildCall())), 'refused', false, message)
  const running = await failureOf(provider.generateClip(buildClipRequest(photo, { pose: 'running' }), buildCall()))
  assertFailure(running, 'refused', false, /SVC_STUB_FAIL/)
  await provider.generatePicture(buildPictureRequest(photo, { scene: { ...scene, id: 'sofa_nap' } }), buildCall())
  await provider.close()
})

faults('waits for the configured delay, and stops when aborted', async () => {
  const slow = open({ delayMs: 3_600_000 })
  const signal = AbortSignal.timeout(20)
  assert.is(await failureOf(slow.generatePicture(sitting, buildCall({ signal }))), signal.reason)
  await slow.close()
})

const dying = temporary.write('dying.cjs', "process.on('message', () => process.exit()); process.send('ready')")
faults('fails only the unit whose two processes exit', async () => {
  let started = 0
  const provider = open({
    start: async (niceness) => (++started <= 2 ? fork(dying, { silent: true }) : startDrawer(niceness)),
  })
  assertFailure(await failureOf(provider.generatePicture(sitting, buildCall())), 'not_sent', true, /again/)
  assert.is(await failureOf(provider.generatePicture(sitting, buildCall())), none)
  await provider.close()
})

/** Opens a provider, and resolves `begun` when it has read a photo and draws a clip. */
function openWatched() {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let ready = 0
  const start: typeof startDrawer = async (niceness) => {
    const child = await startDrawer(niceness)
    // The first process reads the photo, the second draws clips.
    child.once('message', () => ++ready === 2 && setImmediate(begin))
    return child
  }
  return { provider: open({ start }), begun }
}

faults('fails running and queued work when it is closed', async () => {
  const { provider, begun } = openWatched()
  const request = buildClipRequest(photo)
  const drawing = Array.from({ length: 2 * provider.slots }, () =>
    failureOf(provider.generateClip(request, buildCall())),
  )
  await begun
  await provider.close()
  for (const failure of await Promise.all(drawing)) assertFailure(failure, 'not_sent', true, /closed/)
})

faults('continues after an aborted clip', async () => {
  const { provider, begun } = openWatched()
  const controller = new AbortController()
  const call = buildCall({ signal: controller.signal })
  const given = Array.from({ length: 2 * provider.slots }, () =>
    failureOf(provider.generateClip(buildClipRequest(photo), call)),
  )
  await begun
  controller.abort()
  for (const failure of await Promise.all(given)) assert.is(failure, controller.signal.reason)
  await provider.generatePicture(buildPictureRequest(photo), buildCall())
  await provider.close()
})

faults.after(() => temporary.close())

faults.run()

const looks = suite('looks of pets')

/** Counts how often a look is read; an empty `photo` cannot be read. */
function openLooks() {
  const read: string[] = []
  const find = createLooks(async (bytes, species) => {
    read.push(`${species} ${bytes[0]}`)
    if (bytes.length === 0) throw new Error('no photo')
    return { species } as Look
  })
  return { find, read }
}

looks('are read once for each photo and species, also for two calls at once, and again after a failure', async () => {
  const { find, read } = openLooks()
  const [one, other] = await Promise.all([1, 1].map((pet) => find(Uint8Array.of(pet), 'dog')))
  assert.is(one, other)
  for (const species of ['dog', 'cat'] as const) await find(Uint8Array.of(1), species)
  await find(Uint8Array.of(2), 'cat')
  for (const _ of [1, 2]) assert.is(await find(new Uint8Array(), 'dog').catch(({ message }) => message), 'no photo')
  assert.equal(read, ['dog 1', 'cat 1', 'cat 2', 'dog undefined', 'dog undefined'])
})

looks('are evicted, oldest first, when there are many', async () => {
  const { find, read } = openLooks()
  for (let pet = 0; pet < 100; pet++) await find(Uint8Array.of(pet), 'dog')
  await find(Uint8Array.of(99), 'dog')
  assert.is(read.length, 100)
  await find(Uint8Array.of(0), 'dog')
  assert.is(read.length, 101)
})

looks.run()
