// run: takes 4 s
import sharp from 'sharp'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPictureChecker } from '../../../../src/adapters/photos/photo-reader.js'
import { planPicture } from '../../../../src/adapters/providers/ai-sdk/plan.js'
import { createAiSdkProvider, estimateMicros } from '../../../../src/adapters/providers/ai-sdk/provider.js'
import type { PictureSupport } from '../../../../src/adapters/providers/ai-sdk/vendor.js'
import { vendors } from '../../../../src/adapters/providers/ai-sdk/vendors/index.js'
import { isSvcError, SvcError } from '../../../../src/errors.js'
import type { ModelSettings } from '../../../../src/models/settings.js'
import type { ToLoop } from '../../../../src/ports/clip-loops.js'
import type { Clip, PictureRequest, ProviderCall, ProviderImage } from '../../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { google } from '../../../helpers/upstreams/google.js'
import { buildSettings, clipCases, findCase, pictureCases } from '../../../helpers/upstreams/index.js'
import { startUpstream } from '../../../helpers/upstreams/upstream.js'
import { addTo, type Bench, withBench } from './bench.js'
import { testTimeouts } from './timeouts.js'

const requests = suite('requests to models')
const add = addTo(requests)

/** Adds a test that buys once with these settings. */
const ask = (name: string, title: string, settings: Partial<ModelSettings>, use: (bench: Bench) => unknown) =>
  add(name, { settings }, `${name}: ${title}`, async (bench) => {
    await bench.attempt()
    await use(bench)
  })

for (const { name, isDirect } of [...pictureCases, ...clipCases]) {
  add(name, {}, `${name}: buys once and delivers`, async ({ upstream, memos, entries, attempt }) => {
    const made = await attempt()
    assert.equal(made.purchase, { quantity: 1, costMicros: 40_000 })
    if ('image' in made) {
      assert.is(made.image.contentType, 'image/png')
      assert.equal(Buffer.from(made.image.bytes), upstream.picture)
    } else {
      assert.equal(Buffer.from(made.mp4 ?? []), upstream.clip)
      assert.equal([made.webp, made.durationSeconds], [null, 8])
    }
    assert.equal([entries.length, upstream.count('buy'), memos.length], [0, 1, isDirect ? 1 : 2])
    const text = JSON.stringify(memos)
    for (const secret of [upstream.key, '://', 'ignature', 'base64', 'sitting'])
      assert.not.ok(text.includes(secret), text)
  })
}

const form = async ({ upstream }: Bench) => {
  const [received] = upstream.received
  const type = received?.headers['content-type'] ?? ''
  return new Response(Buffer.from(received?.body ?? []), { headers: { 'content-type': type } }).formData()
}
const json = ({ upstream }: Bench) => upstream.received[0]?.json

const wide = { options: { size: '1536x1024', quality: 'low', inputFidelity: 'high' } }
ask('openai image', 'sends size, vendor options and the photo', wide, async (bench) => {
  const fields = await form(bench)
  assert.is(fields.get('size'), '1536x1024')
  assert.is(fields.get('quality'), 'low')
  assert.is(fields.get('input_fidelity'), 'high')
  assert.is((fields.get('image') as File).type, 'image/jpeg')
  assert.is(fields.get('prompt'), 'A sitting dog in a park.')
  assert.is(bench.upstream.received[0]?.headers.traceparent, undefined)
})

add('replicate image', {}, 'sends the position in a trace', async ({ upstream, attempt }) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await attempt({ traceparent })
  const sent = upstream.received.filter(({ path }) => path.includes('predictions'))
  assert.equal([...new Set(sent.map(({ headers }) => headers.traceparent))], [traceparent])
})

const seeded = { model: 'flux', options: { size: '1024x1024', seed: 7 } }
ask('openai-compatible image', 'sends options unchanged', seeded, async (bench) => {
  const fields = await form(bench)
  assert.is(fields.get('size'), '1024x1024')
  assert.is(fields.get('seed'), '7')
  assert.is(fields.get('model'), 'flux')
})

const blind = { model: 'flux', options: { references: 0 } }
ask('openai-compatible image', 'sends no photo where it cannot, and requests base64', blind, (bench) => {
  assert.is(bench.upstream.received[0]?.path, '/v1/images/generations')
  assert.equal([json(bench).references, json(bench).response_format], [undefined, 'b64_json'])
})

add('google video', {}, 'google: downloads a clip from another host without the key', async ({ upstream, attempt }) => {
  const files = await startUpstream(google)
  upstream.filesUrl = files.url
  await attempt()
  const [copy] = files.received
  assert.is(copy?.step, 'download')
  assert.not.ok(JSON.stringify([copy?.path, String(copy?.query), copy?.headers]).includes(upstream.key))
  await files.close()
})

add('openai-compatible image', {}, 'downloads a picture from a URL, without the key', async ({ upstream, attempt }) => {
  upstream.plan('buy', { json: { data: [{ url: `${upstream.url}/made.png?sig=0123` }] } })
  await attempt()
  assert.is(upstream.received[1]?.headers.authorization, undefined)
})

const veo = { options: { resolution: '720p', aspectRatio: '16:9' } }
ask('google video', 'sends Veo both frames and a supported length', veo, (bench) => {
  const { instances, parameters } = json(bench)
  assert.ok(instances[0].image.bytesBase64Encoded === instances[0].lastFrame.bytesBase64Encoded)
  assert.equal(parameters, { sampleCount: 1, durationSeconds: 8, resolution: '720p', aspectRatio: '16:9' })
})

const imagen = { model: 'imagen-4.0-generate-001', options: { aspectRatio: '3:4' } }
ask('google image', 'sends Imagen only the prompt', imagen, (bench) => {
  const { instances, parameters } = json(bench)
  assert.equal(instances, [{ prompt: 'A sitting dog in a park.' }])
  assert.equal(parameters, { sampleCount: 1, aspectRatio: '3:4' })
})

const seedance = { options: { resolution: '480p', duration: 4, watermark: false } }
ask('bytedance video', 'sends Seedance both frames and the length of the option', seedance, (bench) => {
  const { content, duration, resolution, watermark } = json(bench)
  assert.equal([duration, resolution, watermark], [4, '480p', false])
  assert.equal(
    content.map(({ type, role }: { type: string; role?: string }) => role ?? type),
    ['text', 'first_frame', 'last_frame'],
  )
})

const tail = { options: { tail_image_url: '$lastFrame', duration: '5' } }
ask('fal video', 'sends the last frame if an option names it', tail, (bench) => {
  const body = json(bench)
  assert.match(body.tail_image_url, /^data:image\/jpeg;base64,/)
  assert.is(body.tail_image_url, body.image_url)
  assert.is(body.duration, '5')
})

ask('fal video', 'calls a model of another owner', { model: 'google/veo-3.1/image-to-video' }, ({ upstream }) =>
  assert.is(upstream.received[0]?.path, '/google/veo-3.1/image-to-video'),
)

const frames = { settings: { options: { start_image: '$firstFrame', end_image: '$lastFrame' } } }
add('replicate video', frames, 'replicate: sends the first frame only in the option that names it', async (bench) => {
  // The double does not know these names.
  bench.upstream.plan('buy', { status: 201, json: { id: 'clip1', status: 'starting' } })
  bench.upstream.polls.set('clip1', 5)
  await bench.attempt()
  const { input } = json(bench)
  assert.match(input.start_image, /^data:/)
  assert.match(input.end_image, /^data:/)
  assert.is(input.image, undefined)
})

const version = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
const versioned = { model: `owner/cat-and-dog:${version}` }
ask('replicate image', 'calls a model by its version, which the label omits', versioned, (bench) => {
  assert.equal([bench.upstream.received[0]?.path, json(bench).version], ['/v1/predictions', version])
  assert.is((bench.memos[0] as { model: string }).model, 'replicate:owner/cat-and-dog')
})

/** Plans a picture with these references. */
function plan(name: string, settings: Partial<ModelSettings>, references: readonly ProviderImage[]) {
  const settled = buildSettings(findCase(name), { baseUrl: 'http://127.0.0.1', key: 'k' }, settings)
  const vendor = vendors[settled.provider]
  const request: PictureRequest = { ...buildPictureRequest(tiny), references }
  const { prompt, providerOptions } = planPicture(settled, vendor, vendor.picture as PictureSupport, request)
  return { settled, prompt, options: providerOptions[vendor.optionsKey] }
}
const tiny = { bytes: Uint8Array.of(1), contentType: 'image/png' } as const

for (const [name, settings, takes, sent] of [
  ['openai image', {}, true, 2],
  ['openai image', { poseReference: false }, false, 2],
  ['openai image', { options: { references: 1 } }, false, 1],
  ['google image', {}, true, 2],
  ['google image', { model: 'imagen-4.0-generate-001' }, false, 0],
  ['fal image', { model: 'fal-ai/other' }, false, 1],
  ['fal image', { options: { useMultipleImages: true } }, true, 2],
  ['replicate image', { model: 'owner/other', options: { image_input: '$references' } }, true, 2],
  ['replicate image', { model: 'owner/other', options: { image: '$reference' } }, false, 1],
  ['replicate image', { model: 'owner/other' }, false, 1],
] as const) {
  requests(`${name} with ${JSON.stringify(settings)} sends ${sent} of two references`, async () => {
    const { settled, prompt, options } = plan(name, settings, [tiny, tiny])
    const provider = await createAiSdkProvider(settled, { log: { write: () => {} } })
    const named = JSON.stringify(options ?? {}).split('data:image/').length - 1
    const given = typeof prompt === 'string' ? 0 : prompt.images.length
    assert.equal([provider.takesCompanion, named + given], [takes, sent])
    await provider.close()
  })
}

requests('asks for a likeness where the model has the option and gets a picture', () => {
  const older = { model: 'gpt-image-1.5' }
  assert.equal(plan('openai image', older, [tiny]).options, { inputFidelity: 'high' })
  const chosen = { ...older, options: { inputFidelity: 'low' } }
  assert.equal(plan('openai image', chosen, [tiny]).options, { inputFidelity: 'low' })
  assert.equal(plan('openai image', older, []).options, {})
  assert.equal(plan('openai image', {}, [tiny]).options, {})
  const passed = plan('openai-compatible image', { model: 'openai/gpt-image-1.5' }, [tiny])
  assert.equal(passed.options, { input_fidelity: 'high' })
})

const splendid = { settings: { options: { quality: 'splendid' } } }
add('openai image', splendid, 'sends no option that the SDK does not support', async ({ upstream, memos, fail }) => {
  const error = await fail()
  assert.equal([error.code, error.wire, error.retryable], ['provider_error', 'not_sent', false])
  assert.match(error.message, /quality|providerOptions|provider options/i)
  assert.equal([upstream.received, memos], [[], []])
})

const prices: readonly (readonly [string, Partial<ModelSettings>, number, number])[] = [
  ['openai image', { price: { micros: 40_000, per: 'image' } }, 40_000, 40_000],
  ['google video', { price: { micros: 150_000, per: 'second' } }, 1_200_000, 1_200_000],
  ['bytedance video', { price: { micros: 33_333, per: 'second' }, options: { duration: 7 } }, 233_331, 233_331],
  ['fal video', { price: { micros: 300_000, per: 'clip' } }, 300_000, 300_000],
  // The length of 8 seconds is known only from the clip.
  ['fal video', { price: { micros: 100_000, per: 'second' } }, 500_000, 800_000],
  ['fal video', { price: { micros: 100_000, per: 'second' }, options: { duration: '10' } }, 1_000_000, 1_000_000],
]
for (const [name, settings, expected, paid] of prices) {
  add(name, { settings }, `${name} at ${JSON.stringify(settings)} costs ${paid}`, async ({ upstream, attempt }) => {
    assert.equal((await attempt()).purchase, { quantity: 1, costMicros: paid })
    assert.is(estimateMicros(buildSettings(findCase(name), upstream, settings), 2), expected)
  })
}

const repriced: readonly (readonly [string, ModelSettings['price'], number])[] = [
  ['bytedance video', { micros: 40_000, per: 'clip' }, 40_000],
  // The length of 8 seconds is known only from the clip.
  ['replicate video', { micros: 10_000, per: 'second' }, 80_000],
  ['fal video', { micros: 10_000, per: 'second' }, 80_000],
]
for (const [name, price, paid] of repriced) {
  add(name, { settings: { price } }, `${name}: books the price of its call, not a later one`, async (bench) => {
    await bench.order()
    const settings = buildSettings(findCase(name), bench.upstream, { price: { ...price, micros: 90_000 } })
    const dearer = await createAiSdkProvider(settings, { log: { write: () => {} }, timeouts: testTimeouts })
    const call = buildCall({ memo: bench.memos.at(-1) })
    const { purchase } = await dearer.generateClip(buildClipRequest(await makePhoto()), call)
    assert.is(purchase.costMicros, paid)
    await dearer.close()
  })
}

const looped: ToLoop = async () => ({ webp: Uint8Array.of(1), changes: [] })
const loops: readonly (readonly [string, ToLoop, Uint8Array | null, number])[] = [
  ['is delivered in both formats', looped, Uint8Array.of(1), 0],
  ['keeps its MP4 if the loop fails', () => Promise.reject(new Error('no decoder')), null, 1],
]
for (const [what, toLoop, webp, told] of loops) {
  add('bytedance video', { toLoop }, `a clip ${what}`, async ({ entries, attempt }) => {
    const clip = (await attempt()) as Clip
    assert.ok(clip.mp4 !== null && clip.mp4.length > 0)
    assert.equal([clip.webp, clip.durationSeconds, entries.length], [webp, 8, told])
  })
}

/** A PNG of 1600 x 1200 pixels that takes 6 MB: it is not compressed. */
async function drawLarge(): Promise<ProviderImage> {
  const photo = sharp((await makePhoto()).bytes)
  return { bytes: await photo.resize(1600, 1200).png({ compressionLevel: 0 }).toBuffer(), contentType: 'image/png' }
}

async function readFormat(bytes: Buffer): Promise<unknown[]> {
  const { format, width, height } = await sharp(bytes).metadata()
  return [format, width, height]
}

requests('sends small frames of a large picture, and logs once for the operator how clips are changed', async () => {
  const stills: unknown[] = []
  const toLoop: ToLoop = async (_mp4, _signal, still) => {
    stills.push(still)
    return { webp: Uint8Array.of(1), mp4: Uint8Array.of(2), changes: ['cropped', 'muted'] }
  }
  const checker = createPictureChecker()
  const use = async ({ upstream, provider, entries }: Bench) => {
    const picture = await drawLarge()
    const request = buildClipRequest(picture)
    for (let clip = 0; clip < 2; clip++)
      assert.equal((await provider.generateClip(request, buildCall())).mp4, Uint8Array.of(2))
    assert.equal(stills, [{ aspect: 4 / 3 }, { aspect: 4 / 3 }])
    const [bought] = upstream.received
    const [sent = 0, whole] = [bought?.body.length, picture.bytes.length * 2]
    assert.ok(whole > 10e6 && sent < 4e6, `${whole} ${sent}`)
    for (const { image_url } of bought?.json.content.slice(1) ?? []) {
      assert.match(image_url.url, /^data:image\/jpeg;/)
      assert.equal(await readFormat(Buffer.from(image_url.url.split(',')[1], 'base64')), ['jpeg', 1280, 960])
    }
    assert.is(entries.length, 2)
    assert.match(JSON.stringify(entries), /cropped to it.*sound, which is removed/)
  }
  await withBench('bytedance video', use, { toLoop, toFrame: checker.toFrame })
  await checker.close()
})

requests('scales large references of a picture, and only those', async () => {
  const checker = createPictureChecker()
  const use = async (bench: Bench) => {
    const unreadable: ProviderImage = { bytes: Buffer.alloc(3e6), contentType: 'image/png' }
    const references = [await makePhoto(), await drawLarge(), unreadable]
    await bench.provider.generatePicture({ ...buildPictureRequest(await makePhoto()), references }, buildCall())
    const files = (await form(bench)).getAll('image[]')
    const sent = await Promise.all(files.map(async (file) => Buffer.from(await (file as File).arrayBuffer())))
    assert.equal(
      sent.map((bytes, place) => bytes.equals(references[place]?.bytes ?? Buffer.alloc(0))),
      [true, false, true],
    )
    assert.equal(await readFormat(sent[1] ?? Buffer.alloc(0)), ['jpeg', 1280, 960])
  }
  await withBench('openai image', use, { toFrame: checker.toFrame })
  await checker.close()
})

const stops: Event[] = []
const hang: ToLoop = (_mp4, signal) => new Promise(() => signal.addEventListener('abort', (stop) => stops.push(stop)))
add('bytedance video', { toLoop: hang }, 'delivers a clip without its loop if that takes too long', async (bench) => {
  const clip = (await bench.attempt({ leftMs: 3000 })) as Clip
  assert.ok(clip.mp4 !== null && clip.webp === null && stops.length === 1)
  assert.match(JSON.stringify(bench.entries), /no time left/)
})

const killed: ToLoop = () => Promise.reject(new SvcError('unavailable', 'The process exited (SIGKILL).'))
const lastAttempts: readonly (readonly [string, Partial<ProviderCall>, object])[] = [
  ['no time is left for another attempt', { leftMs: 90_000 }, {}],
  ['the time of its order is over', {}, { until: Date.now() }],
]
for (const [when, call, memo] of lastAttempts) {
  const title = `delivers a clip without its loop if its processes are killed and ${when}`
  add('bytedance video', { toLoop: killed }, title, async ({ memos, entries, attempt, fail }) => {
    const { code, wire, retryable, purchase } = await fail()
    assert.equal([code, wire, retryable, purchase?.costMicros], ['provider_error', 'ordered', true, 40_000])
    const clip = (await attempt({ ...call, memo: { ...(memos.at(-1) as object), ...memo } })) as Clip
    assert.ok(clip.mp4 !== null && clip.webp === null)
    assert.match(JSON.stringify(entries), /the loop could not be made: .*SIGKILL/)
  })
}

const setups: readonly (readonly [string, Partial<ModelSettings>, RegExp])[] = [
  ['openai image', { apiKey: undefined }, /svc-avatar needs an API key of openai/],
  ['openai-compatible image', { baseUrl: undefined }, /svc-avatar needs the URL of its service/],
  ['openai image', { kind: 'video' }, /openai, which has no models for clips/],
]
for (const [name, settings, words] of setups) {
  requests(`rejects settings: ${words.source}`, async () => {
    const settled = buildSettings(findCase(name), { baseUrl: 'http://127.0.0.1:1', key: 'key' })
    const error = await createAiSdkProvider({ ...settled, ...settings }, { log: { write: () => {} } }).catch((e) => e)
    assert.ok(isSvcError(error) && error.code === 'invalid_request')
    assert.match(error.message, words)
  })
}

add('openai image', {}, 'are not sent without a secure connection', async ({ upstream }) => {
  const baseUrl = upstream.baseUrl.replace('http:', 'https:')
  const settings = { ...buildSettings(findCase('openai image'), upstream), baseUrl }
  const provider = await createAiSdkProvider(settings, { log: { write: () => {} }, timeouts: testTimeouts })
  const request = buildPictureRequest(await makePhoto())
  const error = await provider.generatePicture(request, buildCall()).catch((reason) => reason)
  assert.equal([error.code, error.wire, error.retryable], ['provider_error', 'not_sent', true])
  assert.is(upstream.received.length, 0)
  await provider.close()
})

add('openai image', {}, 'of the wrong kind are not sent', async ({ provider }) => {
  const request = buildClipRequest(await makePhoto())
  const error = await provider.generateClip(request, buildCall()).catch((reason) => reason)
  assert.equal([error.name, error.wire, error.retryable], ['ProviderError', 'not_sent', false])
})

requests.run()
