import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { vendors } from '../../src/adapters/providers/ai-sdk/vendors/index.js'
import { checkLimits, checkShutdown, checkVendor } from '../../src/app/check-vendor.js'
import { providers } from '../../src/models/providers.js'
import type { ModelSettings } from '../../src/models/settings.js'
import { buildSettings, clipCases, type ModelCase, pictureCases, startUpstream } from '../helpers/upstreams/index.js'
import type { UpstreamFailure } from '../helpers/upstreams/upstream.js'

const vendor = suite('vendor check')
const day = new Date('2026-11-24T12:00:00Z')

async function check(
  one: ModelCase,
  { model, key, fault }: { model?: string; key?: string; fault?: UpstreamFailure } = {},
) {
  const upstream = await startUpstream(one.double)
  try {
    if (fault !== undefined) upstream.plan('find', fault)
    const settings = buildSettings(one, upstream, model === undefined ? {} : { model })
    const apiKey = key ?? settings.apiKey
    const keyed = { ...settings, apiKey: apiKey === '' ? undefined : apiKey }
    const checks = await checkVendor({ settings: keyed, isPriced: true, variable: 'MODEL_KEY' }, day)
    assert.is(upstream.count('buy'), 0)
    return { checks, upstream }
  } finally {
    await upstream.close()
  }
}

const find = (name: string) => [...pictureCases, ...clipCases].find((one) => one.name === name) as ModelCase
const error = (name: string, status: number, code: string) => find(name).double.error(status, code, 'No.')
const [sunburst, seedance] = ['openai:gpt-image-2.6-sunburst', 'bytedance:dreamina-seedance-2-0-260128']
const [version, shut] = [`owner/cat:${'5c7d5dc6'.repeat(8)}`, 'seedance-1-5-pro-251215']
const unknown = error('openai image', 404, 'model_not_found')
const invalidKey = { status: 400, json: { error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] } } }
const unavailable = { status: 503, json: 'not what it should be' }
const notFound = (name: string) => ({ fault: error(name, 404, 'NOT_FOUND') })
const list = 'look at its list of models'
const unknownTo = (provider: string, model: string, advice: string) =>
  `✗ model: ${provider} does not know ${model}: correct its name, or ${advice}`
const silent = '! model: openai-compatible does not say whether it has'
const unasked = '✗ model: openai could not be asked about gpt-image-2.6-sunburst (HTTP 503): try again later'
const refuses = (provider: string, status: number) => `✗ key: ${provider} refuses the key in MODEL_KEY (HTTP ${status})`

const cases: readonly (readonly [name: string, changes: Parameters<typeof check>[1], expected: string])[] = [
  ['openai image', {}, '✓ model: openai has gpt-image-2.6-sunburst'],
  ['google image', {}, '✓ model: google has gemini-nano-banana-2.1'],
  ['bytedance video', {}, '✓ model: bytedance has dreamina-seedance-2-0-260128'],
  ['replicate image', {}, '✓ model: replicate has black-forest-labs/flux-2-pro'],
  ['replicate image', { model: version }, `✓ model: replicate has ${version}`],
  ['openai-compatible image', { model: 'gpt-image-2.6-flare' }, '✓ model: openai-compatible has gpt-image-2.6-flare'],
  ['openai-compatible image', { model: 'mine' }, `${silent} mine`],
  ['openai-compatible image', notFound('openai image'), `${silent} openai/gpt-image-2.6-sunburst`],
  ['bytedance image', {}, '! model: bytedance does not say whether it has dola-seedream-5-0-pro-260628'],
  ['bytedance video', { model: shut }, unknownTo('bytedance', shut, `take ${seedance}`)],
  ['openai image', { model: 'gpt-image-1', fault: unknown }, unknownTo('openai', 'gpt-image-1', `take ${sunburst}`)],
  ['google video', notFound('google video'), unknownTo('google', 'veo-3.1-generate-preview', list)],
  ['replicate video', notFound('replicate video'), unknownTo('replicate', 'kwaivgi/kling-v3-video', list)],
  ['openai image', { key: 'wrong' }, refuses('openai', 401)],
  ['replicate image', { fault: error('replicate image', 403, '') }, refuses('replicate', 403)],
  ['google image', { fault: invalidKey }, refuses('google', 400)],
  ['openai image', { fault: unavailable }, unasked],
]
for (const [name, changes, expected] of cases) {
  vendor(`says of ${name}: ${expected}`, async () => {
    const { checks, upstream } = await check(find(name), changes)
    const [reached, last] = checks
    assert.equal([reached?.check, reached?.ok], ['reachable', true])
    // Not of the port.
    assert.not.match(reached?.detail ?? '', /\b404\b/)
    const mark = last?.ok ? (last.warns ? '!' : '✓') : '✗'
    assert.is(`${mark} ${last?.check}: ${last?.detail}`, expected)
    assert.not.match(JSON.stringify(checks), upstream.key)
  })
}

vendor('reports only a broken connection', async () => {
  const { checks } = await check(find('openai image'), { fault: 'reset' })
  const results = checks.map(({ check, ok }) => [check, ok])
  assert.equal(results, [['reachable', false]])
})

vendor('sends no key if the variable is not set, or without a URL for lookups', async () => {
  for (const [name, key, reason] of [
    ['openai image', '', 'MODEL_KEY is not set'],
    ['fal image', undefined, 'its service has no list of models'],
  ] as const) {
    const { checks, upstream } = await check(find(name), key === undefined ? {} : { key })
    assert.equal(
      checks.map(({ check, warns }) => [check, warns]),
      [
        ['reachable', undefined],
        ['model', true],
      ],
    )
    assert.match(checks[1]?.detail ?? '', `: ${reason}`)
    const sent = upstream.received.map(({ method, headers }) => [method, headers.authorization])
    assert.equal(sent, [['HEAD', undefined]])
  }
})

vendor('asks fal itself at its list of models', () => {
  const baseUrl = providers.fal.baseUrl ?? ''
  const lookUp = vendors.fal.lookUp({ model: 'google/nano-banana-2.1/edit', apiKey: 'k', baseUrl })
  assert.is(lookUp?.url, 'https://api.fal.ai/v1/models?endpoint_id=google%2Fnano-banana-2.1%2Fedit')
  assert.equal(
    [
      lookUp?.read(200, { models: [{ endpoint_id: 'google/nano-banana-2.1/edit' }] }),
      lookUp?.read(200, { models: [] }),
      lookUp?.read(404, undefined),
      lookUp?.read(400, undefined),
    ],
    [true, false, false, undefined],
  )
})

const settingsOf = (provider: ModelSettings['provider'], model: string, kind: ModelSettings['kind'] = 'image') =>
  ({ ...buildSettings(find('openai image'), { baseUrl: '', key: '' }), provider, model, kind }) as ModelSettings

const shutdowns: readonly [model: string, expected: string | undefined][] = [
  ['openai:gpt-image-1', `gpt-image-1 was switched off on 2026-10-23: take ${sunburst}`],
  ['openai:gpt-image-1.5', `gpt-image-1.5 will be switched off on 2026-12-01: take ${sunburst}`],
  [
    'openai-compatible:openai/gpt-image-1',
    'openai/gpt-image-1 was switched off on 2026-10-23: take openai-compatible:gpt-image-2.6-sunburst',
  ],
  [
    'google:veo-3.1-fast-generate-preview',
    'veo-3.1-fast-generate-preview was switched off on 2026-10-22: its successor, gemini-omni-1.1-flash, cannot be used here; ' +
      `take ${seedance}`,
  ],
  [
    'google:gemini-2.5-flash-image',
    'gemini-2.5-flash-image may be switched off from 2026-10-02: take google:gemini-nano-banana-2.1',
  ],
  [sunburst, undefined],
  ['openai:of-tomorrow', undefined],
]
vendor('reports the shutdown of a model', () => {
  for (const [name, expected] of shutdowns) {
    const [provider, model = ''] = name.split(':') as [ModelSettings['provider'], string]
    const checks = checkShutdown(settingsOf(provider, model, model.startsWith('veo') ? 'video' : 'image'), day)
    const warnings = checks.map(({ ok, warns, detail }) => [ok, warns, detail])
    assert.equal(warnings, expected === undefined ? [] : [[true, true, expected]])
  }
})

vendor('reports the shutdown day that the vendor states, before the known one', async () => {
  for (const [on, expected] of [
    ['2027-03-01', 'gpt-image-1.5 will be switched off on 2027-03-01: take openai:gpt-image-2.6-sunburst'],
    [null, 'gpt-image-1.5 will be switched off on 2026-12-01: take openai:gpt-image-2.6-sunburst'],
  ] as const) {
    const fault = { status: 200, json: { id: 'gpt-image-1.5', object: 'model', shutdown_date: on } }
    const { checks } = await check(find('openai image'), { model: 'gpt-image-1.5', fault })
    assert.equal(checks.map(({ check, ok, detail }) => [check, ok, detail]).slice(1), [
      ['model', true, 'openai has gpt-image-1.5'],
      ['shutdown', true, expected],
    ])
  }
  const listed = { data: [{ id: 'openai/gpt-image-2.6-sunburst', shutdown_date: '2027-01-02' }] }
  const { checks } = await check(find('openai-compatible image'), { fault: { json: listed } })
  assert.match(checks.at(-1)?.detail ?? '', /will be switched off on 2027-01-02: take openai-compatible:/)
})

vendor('warns of a length of clips that the model does not make', () => {
  const clip = { ...settingsOf('bytedance', 'dreamina-seedance-2-0-260128', 'video') }
  const limits = (options: ModelSettings['options']) => checkLimits({ ...clip, options }).map(({ detail }) => detail)
  assert.equal(limits({ duration: 2 }), ['dreamina-seedance-2-0-260128 makes clips of 4 to 15 s, not of 2 s'])
  assert.equal([limits({ duration: '5' }), limits({}), checkLimits({ ...clip, model: 'new' })], [[], [], []])
})

vendor('warns of a model that is not made for this work', () => {
  const warn = (model: string, options = {}, kind: ModelSettings['kind'] = 'image') =>
    checkLimits({ ...settingsOf('fal', model, kind), options }).map(({ check, ok, warns, detail }) => {
      assert.equal([check, ok, warns], ['model', true, true])
      return detail
    })
  assert.equal(warn('fal-ai/flux/dev'), [
    'fal-ai/flux/dev takes no picture of the pet: take fal:google/nano-banana-2.1/edit',
  ])
  assert.equal(warn('hunyuan-video', {}, 'video'), [
    'hunyuan-video takes no picture of the pet: take fal:fal-ai/kling-video/o3/standard/image-to-video',
  ])
  assert.equal(warn('fal-ai/omnigen-v2', { input_image_urls: '$references' }), [])
  assert.equal(warn('google/nano-banana-2.1/edit'), [])
})

vendor.run()
