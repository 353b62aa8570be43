import type { SharpOptions } from 'sharp'
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
import type { Clip, ProviderCall, ProviderImage } from '../../../../src/ports/provider.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../../helpers/provider-calls.js'
import { google } from '../../../helpers/upstreams/google.js'
import { buildSettings, clipCases, type ModelCase, pictureCases } from '../../../helpers/upstreams/index.js'
import { startUpstream } from '../../../helpers/upstreams/upstream.js'
import { type Bench, openBench } from './bench.js'
import { testTimeouts } from './timeouts.js'

const requests = suite('requests to models')

async function ask(name: string, settings: Partial<ModelSettings>, use: (bench: Bench) => void | Promise<void>) {
  const bench = await openBench(find(name), { settings })
  try {
    await bench.attempt()
    await use(bench)
  } finally {
    await bench.close()
  }
}

const form = async ({ upstream }: Bench) => {
  const [received] = upstream.received
  const type = received?.headers['content-type'] ?? ''
  return new Response(Buffer.from(received?.body ?? []), { headers: { 'content-type': type } }).formData()
}
const json = ({ upstream }: Bench) => upstream.received[0]?.json

requests('openai: sends size, vendor options and the photo', () =>
  ask('openai image', { options: { size: '1536x1024', quality: 'low', inputFidelity: 'high' } }, async (bench) => {
    const fields = await form(bench)
    assert.is(fields.get('size'), '1536x1024')
    assert.is(fields.get('quality'), 'low')
    assert.is(fields.get('input_fidelity'), 'high')
    assert.is((fields.get('image') as File).type, 'image/jpeg')
    assert.is(fields.get('prompt'), 'A sitting dog in a park.')
  }),
)

requests('sends the position in a trace, and no header without one', async () => {
  const bench = await openBench(find('replicate image'))
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  await bench.attempt({ traceparent })
  const sent = bench.upstream.received.filter(({ path }) => path.includes('predictions'))
  assert.equal([...new Set(sent.map(({ headers }) => headers.traceparent))], [traceparent])
  await bench.close()
  await ask('openai image', {}, ({ upstream }) => assert.is(upstream.received[0]?.headers.traceparent, undefined))
})

requests('openai-compatible: sends options unchanged', () =>
  ask('openai-compatible image', { model: 'flux', options: { size: '1024x1024', seed: 7 } }, async (bench) => {
    const fields = await form(bench)
    assert.is(fields.get('size'), '1024x1024')
    assert.is(fields.get('seed'), '7')
    assert.is(fields.get('model'), 'flux')
  }),
)

requests('openai-compatible: sends no photo if the endpoint does not accept photos', () =>
  ask('openai-compatible image', { options: { references: 0 } }, (bench) => {
    assert.is(bench.upstream.received[0]?.path, '/v1/images/generations')
    assert.is(json(bench).references, undefined)
  }),
)

requests('openai-compatible: requests base64 unless the model always returns it', () =>
  ask('openai-compatible image', { model: 'flux', options: { references: 0 } }, (bench) =>
    assert.is(json(bench).response_format, 'b64_json'),
  ),
)

requests('google: downloads a clip from another host without the key', async () => {
  const bench = await openBench(find('google video'))
  const files = await startUpstream(google)
  bench.upstream.filesUrl = files.url
  await bench.attempt()
  const [copy] = files.received
  assert.is(copy?.step, 'download')
  assert.not.ok(JSON.stringify([copy?.path, String(copy?.query), copy?.headers]).includes(bench.upstream.key))
  await Promise.all([bench.close(), files.close()])
})

requests('openai-compatible: downloads a picture delivered by URL', async () => {
  const bench = await openBench(find('openai-compatible image'))
  bench.upstream.plan('buy', { json: { data: [{ url: `${bench.upstream.url}/made.png?sig=0123` }] } })
  await bench.attempt()
  // Results are downloaded without the key.
  assert.is(bench.upstream.received[1]?.headers.authorization, undefined)
  await bench.close()
})

requests('google: sends Veo both frames and a supported length', () =>
  ask('google video', { options: { resolution: '720p', aspectRatio: '16:9' } }, (bench) => {
    const { instances, parameters } = json(bench)
    assert.ok(instances[0].image.bytesBase64Encoded === instances[0].lastFrame.bytesBase64Encoded)
    assert.equal(parameters, { sampleCount: 1, durationSeconds: 8, resolution: '720p', aspectRatio: '16:9' })
  }),
)

requests('google: sends Imagen only the prompt', () =>
  ask('google image', { model: 'imagen-4.0-generate-001', options: { aspectRatio: '3:4' } }, (bench) => {
    const { instances, parameters } = json(bench)
    assert.equal(instances, [{ prompt: 'A sitting dog in a park.' }])
    assert.equal(parameters, { sampleCount: 1, aspectRatio: '3:4' })
  }),
)

requests('google: reports why Imagen withholds a picture', async () => {
  const bench = await openBench(find('google image'), { settings: { model: 'imagen-4.0-generate-001' } })
  bench.upstream.plan('buy', { json: { predictions: [{ raiFilteredReason: 'Filtered. Support code: 58061214.' }] } })
  const error = await bench.fail()
  assert.equal([error.code, error.wire, error.retryable], ['content_refused', 'refused', false])
  assert.match(error.message, /Support code/)
  await bench.close()
})

requests('bytedance: sends Seedance both frames and the length of the option', () =>
  ask('bytedance video', { options: { resolution: '480p', duration: 4, watermark: false } }, (bench) => {
    const { content, duration, resolution, watermark } = json(bench)
    assert.equal([duration, resolution, watermark], [4, '480p', false])
    assert.equal(
      content.map(({ type, role }: { type: string; role?: string }) => role ?? type),
      ['text', 'first_frame', 'last_frame'],
    )
  }),
)

requests('fal: sends the last frame if an option names it', () =>
  ask('fal video', { options: { tail_image_url: '$lastFrame', duration: '5' } }, (bench) => {
    const body = json(bench)
    assert.match(body.tail_image_url, /^data:image\/jpeg;base64,/)
    assert.is(body.tail_image_url, body.image_url)
    assert.is(body.duration, '5')
  }),
)

requests('fal: calls a model of another owner', () =>
  ask('fal video', { model: 'bytedance/seedance-2.0/image-to-video' }, ({ upstream }) =>
    assert.is(upstream.received[0]?.path, '/bytedance/seedance-2.0/image-to-video'),
  ),
)

requests('replicate: sends the first frame only in the option that names it', async () => {
  const bench = await openBench(find('replicate video'), {
    settings: { options: { start_image: '$firstFrame', end_image: '$lastFrame' } },
  })
  bench.upstream.plan('buy', { status: 201, json: { id: 'clip1', status: 'starting' } })
  bench.upstream.polls.set('clip1', 5)
  await bench.attempt()
  const { input } = json(bench)
  assert.match(input.start_image, /^data:/)
  assert.match(input.end_image, /^data:/)
  assert.is(input.image, undefined)
  await bench.close()
})

requests('replicate: calls a model by its version, which the label omits', async () => {
  const version = '5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa'
  const bench = await openBench(find('replicate image'), { settings: { model: `owner/cat-and-dog:${version}` } })
  await bench.attempt()
  assert.is(bench.upstream.received[0]?.path, '/v1/predictions')
  assert.is(json(bench).version, version)
  assert.is((bench.memos[0] as { model: string }).model, 'replicate:owner/cat-and-dog')
  await bench.close()
})

requests('replicate: sends all references if an option names them', async () => {
  const bench = await openBench(find('replicate image'), { settings: { options: { image_input: '$references' } } })
  bench.upstream.plan('buy', { status: 201, json: { id: 'picture1', status: 'starting' } })
  bench.upstream.polls.set('picture1', 5)
  await bench.attempt()
  assert.is(json(bench).input.image_input.length, 1)
  assert.is(json(bench).input.image, undefined)
  await bench.close()
})

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
    const one = find(name)
    const upstream = await startUpstream(one.double)
    const settled = buildSettings(one, upstream, settings)
    const provider = await createAiSdkProvider(settled, { log: { write: () => {} }, timeouts: testTimeouts })
    const support = vendors[settled.provider].picture as PictureSupport
    const photo = await makePhoto()
    const request = { ...buildPictureRequest(photo), references: [photo, photo] }
    const plan = planPicture(settled, vendors[settled.provider], support, request)
    const named = Object.values(settled.options).some((value) => String(value).startsWith('$'))
    const text = JSON.stringify(plan.providerOptions)
    const count = named
      ? text.split('data:image/').length - 1
      : typeof plan.prompt === 'string'
        ? 0
        : plan.prompt.images.length
    assert.equal([provider.takesCompanion, count], [takes, sent])
    await provider.close()
    await upstream.close()
  })
}

requests('asks for a likeness where the model has the option and gets a picture', () => {
  const plan = (name: string, settings: Partial<ModelSettings>, references = [Uint8Array.of(1)]) => {
    const settled = buildSettings(find(name), { baseUrl: 'http://127.0.0.1', key: 'k' }, settings)
    const vendor = vendors[settled.provider]
    const request = { ...buildPictureRequest({ bytes: Uint8Array.of(1), contentType: 'image/png' }), references: [] }
    const pictures = references.map((bytes) => ({ bytes, contentType: 'image/png' }) as const)
    const asked = { ...request, references: pictures }
    return planPicture(settled, vendor, vendor.picture as PictureSupport, asked).providerOptions[vendor.optionsKey]
  }
  assert.equal(plan('openai image', { model: 'gpt-image-1.5' }), { inputFidelity: 'high' })
  assert.equal(plan('openai image', { model: 'gpt-image-1.5', options: { inputFidelity: 'low' } }), {
    inputFidelity: 'low',
  })
  assert.equal(plan('openai image', { model: 'gpt-image-1.5' }, []), {})
  assert.equal(plan('openai image', {}), {})
  assert.equal(plan('openai-compatible image', { model: 'openai/gpt-image-1.5' }), { input_fidelity: 'high' })
})

requests('does not send an option that the SDK does not support, and logs it', async () => {
  const bench = await openBench(find('openai image'), { settings: { options: { quality: 'splendid' } } })
  const error = await bench.fail()
  assert.equal([error.code, error.wire, error.retryable], ['provider_error', 'not_sent', false])
  assert.match(error.message, /quality|providerOptions|provider options/i)
  assert.is(bench.upstream.received.length, 0)
  assert.equal(bench.memos, [])
  await bench.close()
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
  requests(`${name} at ${JSON.stringify(settings)} costs ${paid}`, async () => {
    const bench = await openBench(find(name), { settings })
    const { purchase } = await bench.attempt()
    assert.equal(purchase, { quantity: 1, costMicros: paid })
    assert.is(estimateMicros(buildSettings(find(name), bench.upstream, settings), 2), expected)
    await bench.close()
  })
}

const repriced: readonly (readonly [string, ModelSettings['price'], number])[] = [
  ['bytedance video', { micros: 40_000, per: 'clip' }, 40_000],
  // The length of 8 seconds is known only from the clip.
  ['replicate video', { micros: 10_000, per: 'second' }, 80_000],
  ['fal video', { micros: 10_000, per: 'second' }, 80_000],
]
for (const [name, price, paid] of repriced) {
  requests(`${name}: books the price at the time of the call, even if it changes before the clip is ready`, () =>
    changePrice(find(name), price, paid),
  )
}

async function changePrice(one: ModelCase, price: ModelSettings['price'], paid: number): Promise<void> {
  const bench = await openBench(one, { settings: { price } })
  const controller = new AbortController()
  const held = bench.upstream.hold('poll')
  const cut = bench.fail({ signal: controller.signal })
  await held
  controller.abort('released')
  assert.is(await cut, 'released')
  const dearer = await createAiSdkProvider(
    buildSettings(one, bench.upstream, { price: { ...price, micros: 90_000 } }),
    { log: { write: () => {} }, timeouts: testTimeouts },
  )
  const { purchase } = await dearer.generateClip(
    buildClipRequest(await makePhoto()),
    buildCall({ memo: bench.memos.at(-1) }),
  )
  assert.is(purchase.costMicros, paid)
  await dearer.close()
  await bench.close()
}

const loops: readonly (readonly [string, ToLoop, Partial<Clip>, number])[] = [
  [
    'is delivered in both formats',
    async () => ({ webp: Uint8Array.of(1), changes: [] }),
    { webp: Uint8Array.of(1), durationSeconds: 8 },
    0,
  ],
  [
    'keeps its MP4 if the loop fails',
    () => Promise.reject(new Error('no decoder')),
    { webp: null, durationSeconds: 8 },
    1,
  ],
]
for (const [name, toLoop, expected, told] of loops) {
  requests(`a clip ${name}`, async () => {
    const bench = await openBench(find('bytedance video'), { parts: { toLoop } })
    const clip = (await bench.attempt()) as Clip
    assert.ok(clip.mp4 !== null && clip.mp4.length > 0)
    assert.equal({ ...clip, ...expected }, clip)
    assert.is(bench.entries.length, told)
    await bench.close()
  })
}

requests('sends small frames of a large picture, and logs once for the operator how clips are changed', async () => {
  const { default: sharp } = await import('sharp')
  const noise = {
    create: {
      width: 2048,
      height: 1536,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  }
  const bytes = await sharp(noise as SharpOptions)
    .png()
    .toBuffer()
  const one = find('bytedance video')
  const upstream = await startUpstream(one.double)
  const [entries, stills]: [unknown[], unknown[]] = [[], []]
  const toLoop: ToLoop = async (_mp4, _signal, still) => {
    stills.push(still)
    return { webp: Uint8Array.of(1), mp4: Uint8Array.of(2), changes: ['cropped', 'muted'] }
  }
  const checker = createPictureChecker()
  const log = { write: (entry: unknown) => void entries.push(entry) }
  const tools = { log, timeouts: testTimeouts, toLoop, toFrame: checker.toFrame }
  const provider = await createAiSdkProvider(buildSettings(one, upstream), tools)
  const request = buildClipRequest({ bytes, contentType: 'image/png' })
  const made = [await provider.generateClip(request, buildCall()), await provider.generateClip(request, buildCall())]
  assert.equal(
    made.map(({ mp4 }) => mp4),
    [Uint8Array.of(2), Uint8Array.of(2)],
  )
  assert.equal(stills, [{ aspect: 4 / 3 }, { aspect: 4 / 3 }])
  const [bought] = upstream.received
  assert.ok(bytes.length * 2 > 15e6 && (bought?.body.length ?? 0) < 4e6, `${bytes.length} ${bought?.body.length}`)
  for (const { image_url } of bought?.json.content.slice(1) ?? []) {
    assert.match(image_url.url, /^data:image\/jpeg;/)
    const frame = await sharp(Buffer.from(image_url.url.split(',')[1], 'base64')).metadata()
    assert.equal([frame.width, frame.height], [1280, 960])
  }
  assert.is(entries.length, 2)
  assert.match(JSON.stringify(entries), /cropped to it.*sound, which is removed/)
  await Promise.all([provider.close(), upstream.close(), checker.close()])
})

requests('scales large references of a picture, and only those', async () => {
  const { default: sharp } = await import('sharp')
  const noise = {
    create: { width: 1600, height: 1200, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  }
  const large = await sharp(noise as SharpOptions)
    .png()
    .toBuffer()
  const photo = await makePhoto()
  const one = find('openai image')
  const upstream = await startUpstream(one.double)
  const checker = createPictureChecker()
  const provider = await createAiSdkProvider(buildSettings(one, upstream), {
    ...{ log: { write() {} }, timeouts: testTimeouts, toFrame: checker.toFrame },
  })
  const request = buildPictureRequest(photo)
  const references: ProviderImage[] = [
    photo,
    { bytes: large, contentType: 'image/png' },
    { bytes: Buffer.alloc(3e6), contentType: 'image/png' },
  ]
  await provider.generatePicture({ ...request, references }, buildCall())
  const [bought] = upstream.received
  const type = bought?.headers['content-type'] ?? ''
  const fields = await new Response(Buffer.from(bought?.body ?? []), { headers: { 'content-type': type } }).formData()
  const sent = await Promise.all(
    fields.getAll('image[]').map(async (file) => Buffer.from(await (file as File).arrayBuffer())),
  )
  assert.equal(
    sent.map((bytes, place) => bytes.equals(references[place]?.bytes ?? Buffer.alloc(0))),
    [true, false, true],
  )
  const { format, width, height } = await sharp(sent[1]).metadata()
  assert.equal([format, width, height], ['jpeg', 1280, 960])
  await Promise.all([provider.close(), upstream.close(), checker.close()])
})

requests('delivers a clip without its loop if that takes too long', async () => {
  let stopped = false
  const toLoop: ToLoop = (_mp4, signal) =>
    new Promise(() =>
      signal.addEventListener('abort', () => {
        stopped = true
      }),
    )
  const bench = await openBench(find('bytedance video'), { parts: { toLoop } })
  const clip = (await bench.attempt({ leftMs: 3000 })) as Clip
  assert.ok(clip.mp4 !== null && clip.webp === null)
  assert.ok(stopped)
  assert.match(JSON.stringify(bench.entries), /no time left/)
  await bench.close()
})

/** Fails the first attempt because the processes of its loop are killed. */
async function openKilledLoop() {
  let isKilled = true
  const toLoop: ToLoop = async () => {
    if (!isKilled) return { webp: Uint8Array.of(1), changes: [] }
    throw new SvcError('unavailable', 'The process exited (SIGKILL).')
  }
  const bench = await openBench(find('bytedance video'), { parts: { toLoop } })
  const { code, wire, retryable, purchase } = await bench.fail()
  assert.equal(
    { code, wire, retryable, purchase },
    { code: 'provider_error', wire: 'ordered', retryable: true, purchase: { quantity: 1, costMicros: 40_000 } },
  )
  return {
    bench,
    stopKilling() {
      isKilled = false
    },
  }
}

requests('fetches a clip again if the processes of its loop are killed', async () => {
  const { bench, stopKilling } = await openKilledLoop()
  stopKilling()
  const clip = (await bench.attempt()) as Clip
  assert.equal([clip.webp, clip.purchase.costMicros], [Uint8Array.of(1), 40_000])
  assert.equal([bench.upstream.count('buy'), bench.upstream.count('download')], [1, 2])
  await bench.close()
})

const lastAttempts: readonly (readonly [string, Partial<ProviderCall>, object])[] = [
  ['no time is left for another attempt', { leftMs: 90_000 }, {}],
  ['the time of its order is over', {}, { until: Date.now() }],
]
for (const [when, call, memo] of lastAttempts) {
  requests(`delivers a clip without its loop if its processes are killed and ${when}`, async () => {
    const { bench } = await openKilledLoop()
    const clip = (await bench.attempt({ ...call, memo: { ...(bench.memos.at(-1) as object), ...memo } })) as Clip
    assert.ok(clip.mp4 !== null && clip.webp === null)
    assert.match(JSON.stringify(bench.entries), /the loop could not be made: .*SIGKILL/)
    await bench.close()
  })
}

const setups: readonly (readonly [string, Partial<ModelSettings>, RegExp])[] = [
  ['openai image', { apiKey: undefined }, /svc-avatar needs an API key of openai/],
  ['openai-compatible image', { baseUrl: undefined }, /svc-avatar needs the URL of its service/],
  ['openai image', { kind: 'video' }, /openai, which has no models for clips/],
]
for (const [name, settings, words] of setups) {
  requests(`rejects settings: ${words.source}`, async () => {
    const error = await createAiSdkProvider(
      { ...buildSettings(find(name), { baseUrl: 'http://127.0.0.1:1', key: 'key' }), ...settings },
      { log: { write: () => {} } },
    ).catch((reason) => reason)
    assert.ok(isSvcError(error) && error.code === 'invalid_request')
    assert.match(error.message, words)
  })
}

requests('are not sent without a secure connection', async () => {
  const bench = await openBench(find('openai image'))
  const settings = buildSettings(find('openai image'), bench.upstream)
  const provider = await createAiSdkProvider(
    { ...settings, baseUrl: settings.baseUrl?.replace('http:', 'https:') },
    { log: { write: () => {} }, timeouts: testTimeouts },
  )
  const request = buildPictureRequest(await makePhoto())
  const error = await provider.generatePicture(request, buildCall()).catch((reason) => reason)
  assert.equal([error.code, error.wire, error.retryable], ['provider_error', 'not_sent', true])
  assert.is(bench.upstream.received.length, 0)
  await provider.close()
  await bench.close()
})

requests('of the wrong kind are not sent', async () => {
  const bench = await openBench(find('openai image'))
  const settings = buildSettings(find('openai image'), bench.upstream)
  const provider = await createAiSdkProvider(settings, { log: { write: () => {} } })
  const error = await provider.generateClip(buildClipRequest(await makePhoto()), buildCall()).catch((reason) => reason)
  assert.equal([error.name, error.wire, error.retryable], ['ProviderError', 'not_sent', false])
  await provider.close()
  await bench.close()
})

function find(name: string): ModelCase {
  const found = [...pictureCases, ...clipCases].find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no case ${name}`)
  return found
}

requests.run()
