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
const replicateVersion = `owner/cat:${'5c7d5dc6'.repeat(8)}`

const cases: readonly (readonly [string, string, Parameters<typeof check>[1], string])[] = [
  ['openai image', 'has it', {}, '✓ model: openai has gpt-image-2.6-sunburst'],
  ['google image', 'has it', {}, '✓ model: google has gemini-nano-banana-2.1'],
  ['bytedance video', 'lists it', {}, '✓ model: bytedance has dreamina-seedance-2-0-260128'],
  ['replicate image', 'has it', {}, '✓ model: replicate has black-forest-labs/flux-2-pro'],
  ['replicate image', 'has its version', { model: replicateVersion }, `✓ model: replicate has ${replicateVersion}`],
  [
    'openai-compatible image',
    'lists it',
    { model: 'gpt-image-2.6-flare' },
    '✓ model: openai-compatible has gpt-image-2.6-flare',
  ],
  [
    'openai-compatible image',
    'does not list it',
    { model: 'house-model' },
    '! model: openai-compatible does not say whether it has house-model',
  ],
  [
    'openai-compatible image',
    'has no list',
    { fault: error('openai image', 404, 'not_found') },
    '! model: openai-compatible does not say whether it has openai/gpt-image-2.6-sunburst',
  ],
  [
    'bytedance image',
    'does not list it',
    {},
    '! model: bytedance does not say whether it has dola-seedream-5-0-pro-260628',
  ],
  [
    'bytedance video',
    'lists it as shut down',
    { model: 'seedance-1-5-pro-251215' },
    '✗ model: bytedance does not know seedance-1-5-pro-251215: correct its name, or take bytedance:dreamina-seedance-2-0-260128',
  ],
  [
    'openai image',
    'does not know it',
    { model: 'gpt-image-1', fault: error('openai image', 404, 'model_not_found') },
    '✗ model: openai does not know gpt-image-1: correct its name, or take openai:gpt-image-2.6-sunburst',
  ],
  [
    'google video',
    'does not know it',
    { fault: error('google video', 404, 'NOT_FOUND') },
    '✗ model: google does not know veo-3.1-generate-preview: correct its name, or look at its list of models',
  ],
  [
    'replicate video',
    'does not know it',
    { fault: error('replicate video', 404, '') },
    '✗ model: replicate does not know kwaivgi/kling-v3-video: correct its name, or look at its list of models',
  ],
  ['openai image', 'refuses the key', { key: 'wrong' }, '✗ key: openai refuses the key in MODEL_KEY (HTTP 401)'],
  [
    'replicate image',
    'refuses the key for the model',
    { fault: error('replicate image', 403, '') },
    '✗ key: replicate refuses the key in MODEL_KEY (HTTP 403)',
  ],
  [
    'google image',
    'refuses the key as Google does',
    { fault: { status: 400, json: { error: { code: 400, details: [{ reason: 'API_KEY_INVALID' }] } } } },
    '✗ key: google refuses the key in MODEL_KEY (HTTP 400)',
  ],
  [
    'openai image',
    'is unavailable',
    { fault: { status: 503, json: 'not what it should be' } },
    '✗ model: openai could not be asked about gpt-image-2.6-sunburst (HTTP 503): try again later',
  ],
]
for (const [name, what, changes, expected] of cases) {
  vendor(`${name}: a vendor that ${what}`, async () => {
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
  assert.equal(
    checks.map(({ check, ok }) => [check, ok]),
    [['reachable', false]],
  )
})

for (const [name, key] of [
  ['openai image', ''],
  ['fal image', undefined],
] as const) {
  vendor(`${name}: sends no key ${key === '' ? 'if no key is set' : 'without a URL for lookups'}`, async () => {
    const { checks, upstream } = await check(find(name), key === undefined ? {} : { key })
    assert.equal(
      checks.map(({ check, warns }) => [check, warns]),
      [
        ['reachable', undefined],
        ['model', true],
      ],
    )
    assert.match(
      checks[1]?.detail ?? '',
      key === '' ? /: MODEL_KEY is not set$/ : /: its service has no list of models$/,
    )
    assert.equal(
      upstream.received.map(({ method, headers }) => [method, headers.authorization]),
      [['HEAD', undefined]],
    )
  })
}

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

for (const [settings, expected] of [
  [
    settingsOf('openai', 'gpt-image-1'),
    'gpt-image-1 was switched off on 2026-10-23: take openai:gpt-image-2.6-sunburst',
  ],
  [
    settingsOf('openai', 'gpt-image-1.5'),
    'gpt-image-1.5 will be switched off on 2026-12-01: take openai:gpt-image-2.6-sunburst',
  ],
  [
    settingsOf('openai-compatible', 'openai/gpt-image-1'),
    'openai/gpt-image-1 was switched off on 2026-10-23: take openai-compatible:gpt-image-2.6-sunburst',
  ],
  [
    settingsOf('google', 'veo-3.1-fast-generate-preview', 'video'),
    'veo-3.1-fast-generate-preview was switched off on 2026-10-22: its successor, gemini-omni-1.1-flash, cannot be used here; ' +
      'take bytedance:dreamina-seedance-2-0-260128',
  ],
  [
    settingsOf('google', 'gemini-2.5-flash-image'),
    'gemini-2.5-flash-image may be switched off from 2026-10-02: take google:gemini-nano-banana-2.1',
  ],
  [settingsOf('openai', 'gpt-image-2.6-sunburst'), undefined],
  [settingsOf('openai', 'of-tomorrow'), undefined],
] as const) {
  vendor(
    `${expected === undefined ? 'knows no' : 'reports the'} shutdown of ${settings.provider}:${settings.model}`,
    () => {
      const checks = checkShutdown(settings, day)
      assert.equal(
        checks.map(({ ok, warns, detail }) => [ok, warns, detail]),
        expected === undefined ? [] : [[true, true, expected]],
      )
    },
  )
}

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
