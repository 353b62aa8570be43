import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  isKeyMissing,
  listModels,
  readOperatorSettings,
  readOperatorSettingsWithoutKeys,
} from '../../src/config/models.js'
import { drawUnlessTold, loadConfig } from '../../src/config.js'
import { isSvcError } from '../../src/errors.js'
import { openTemporaryFolder } from '../helpers/temporary.js'

const models = suite('operator file')
const place = openTemporaryFolder()
models.after(() => place.close())

const secret = 'sk-proj-4f8aBcD91xyzQRST0123456789'
const variables: Readonly<Record<string, string>> = { OPENAI_API_KEY: secret, ARK_API_KEY: 'ark', EMPTY: '' }
const find = (name: string) => variables[name] || undefined
const write = (content: unknown) =>
  place.write('svc.config.json', typeof content === 'string' ? content : JSON.stringify(content))

function refusalOf(content: unknown): string {
  try {
    readOperatorSettings(write(content), find)
  } catch (error) {
    if (isSvcError(error) && error.code === 'invalid_request') return error.message
    throw error
  }
  throw new Error('the file was accepted')
}

models('reads whether the first pose is a reference for the others, for pictures only', () => {
  const chosen = (entry: object, alias = 'svc-avatar') =>
    listModels(
      readOperatorSettings(write({ models: { 'svc-avatar': 'stub', 'svc-animation': 'stub', [alias]: entry } }), find),
    ).map(({ settings }) => settings.poseReference)
  assert.equal(chosen({ model: 'openai:x', poseReference: false }), [false])
  assert.equal(chosen({ model: 'openai:x' }), [undefined])
  const clip = { model: 'bytedance:x', poseReference: true }
  assert.match(
    refusalOf({ models: { 'svc-avatar': 'stub', 'svc-animation': clip } }),
    '/models/svc-animation/poseReference is for the model of pictures only',
  )
})

models("takes a vendor's own variable, and the one of its package if that is not set", () => {
  const found = (set: readonly string[]) =>
    listModels(
      readOperatorSettingsWithoutKeys(write({ models: { 'svc-avatar': 'fal:x', 'svc-animation': 'stub' } }), (name) =>
        set.includes(name) ? `value of ${name}` : undefined,
      ),
    ).map(({ variable, settings }) => [variable, settings.apiKey])
  assert.equal(found(['FAL_KEY', 'FAL_API_KEY']), [['FAL_KEY', 'value of FAL_KEY']])
  assert.equal(found(['FAL_API_KEY']), [['FAL_API_KEY', 'value of FAL_API_KEY']])
  assert.equal(found([]), [['FAL_KEY', undefined]])
})

models('reads a string, an object and the stub, with comments and trailing commas', () => {
  const operation = readOperatorSettings(
    write(`{
      // pictures
      "models": {
        "svc-avatar": "openai:gpt-image-2.6-sunburst",
        "svc-animation": {
          "model": "bytedance:dreamina-seedance-2-0-260128", "slots": 3, "price": "0.05usd/second",
          "options": { "resolution": "720p" }, /* as the model takes them */
        },
      },
    }`),
    find,
  )
  assert.equal(operation, {
    models: {
      'svc-avatar': {
        settings: {
          ...{
            alias: 'svc-avatar',
            kind: 'image',
            provider: 'openai',
            model: 'gpt-image-2.6-sunburst',
            apiKey: secret,
          },
          ...{ baseUrl: undefined, options: {}, slots: 4, price: { micros: 0, per: 'image' } },
        },
        isPriced: false,
        variable: 'OPENAI_API_KEY',
      },
      'svc-animation': {
        settings: {
          ...{ alias: 'svc-animation', kind: 'video', provider: 'bytedance', model: 'dreamina-seedance-2-0-260128' },
          ...{ apiKey: 'ark', baseUrl: undefined, options: { resolution: '720p' }, slots: 3 },
          price: { micros: 50_000, per: 'second' },
        },
        isPriced: true,
        variable: 'ARK_API_KEY',
      },
    },
    perPet: undefined,
  })
  const mixed = readOperatorSettings(write({ models: { 'svc-avatar': 'openai:x', 'svc-animation': 'stub' } }), find)
  assert.is(mixed.models['svc-animation'], 'stub')
})

models('accepts a model that the package cannot call if a service of its own has it', () => {
  const entry = { model: 'google:gemini-omni-1.1-flash', baseUrl: 'http://127.0.0.1:4000/v1beta', apiKey: 'env:OWN' }
  const operation = readOperatorSettings(write({ models: { 'svc-avatar': 'stub', 'svc-animation': entry } }), () => 'k')
  assert.equal(
    listModels(operation).map(({ settings }) => settings.model),
    ['gemini-omni-1.1-flash'],
  )
})

const avatar = (entry: unknown, rest: object = {}) => ({
  models: { 'svc-avatar': entry, 'svc-animation': 'stub' },
  ...rest,
})
const faults: readonly (readonly [content: unknown, expected: RegExp])[] = [
  ['{"models": ', /not valid JSON at line 1, column \d+/],
  ['[]', /the file is an array; it must be an object with `models`/],
  [{}, /\/models is missing/],
  [{ models: { 'svc-avatar': 'stub' } }, /\/models\/svc-animation is missing; name its model, or "stub"/],
  [
    { models: { 'svc-avatr': 'stub', 'svc-animation': 'stub' } },
    /\/models\/svc-avatr is not known; did you mean "svc-avatar"\?/,
  ],
  [avatar({ model: 'openai:x', slot: 2 }), /\/models\/svc-avatar\/slot is not known; did you mean "slots"\?/],
  [avatar('opnai:x'), /\/models\/svc-avatar names a provider that is not known; did you mean "openai"\?/],
  [
    avatar('gpt-image-2.6-sunburst'),
    /\/models\/svc-avatar is "gpt-image-2.6-sunburst"; it must be "stub" or a provider and its model/,
  ],
  [
    { models: { 'svc-avatar': 'stub', 'svc-animation': 'openai:x' } },
    /names openai, which does not make clips here; bytedance, fal and replicate do/,
  ],
  [
    { models: { 'svc-avatar': 'stub', 'svc-animation': 'google:gemini-omni-1.1-flash' } },
    /\/models\/svc-animation names gemini-omni-1\.1-flash, which svc cannot use for now: take bytedance:dreamina-seedance-2-0-260128/,
  ],
  [
    avatar({ model: 'openai:x', slots: 'four' }),
    /\/models\/svc-avatar\/slots is "four"; it must be an integer from 1 to 1000/,
  ],
  [
    avatar({ model: 'openai:x', price: '1usd/second' }),
    /\/models\/svc-avatar\/price is "1usd\/second"; it must be a price for a picture/,
  ],
  [avatar('openai-compatible:x'), /\/models\/svc-avatar\/baseUrl is missing/],
  [
    avatar({ model: 'openai-compatible:x', baseUrl: 'http://me:pass@h/v1' }),
    /\/models\/svc-avatar\/baseUrl must be a URL without/,
  ],
  ...['ftp://me:hunter2@h/v1', 'http:me:hunter2@[h', 'h/v1?key=hunter2'].map((baseUrl): (typeof faults)[number] => [
    avatar({ model: 'openai-compatible:x', baseUrl }),
    /\/models\/svc-avatar\/baseUrl must be a URL without/,
  ]),
  [
    avatar({ model: 'openai:x', apiKey: secret }),
    /\/models\/svc-avatar\/apiKey must name a variable, such as "env:OPENAI_API_KEY"; do not put the key itself in/,
  ],
  [
    avatar({ model: 'openai:x', apiKey: 'env:SVC_MODEL_KEY' }),
    /\/models\/svc-avatar\/apiKey must name a variable that does not begin with SVC_/,
  ],
  [
    avatar({ model: 'openai:x', options: { headers: { Authorization: secret } } }),
    /\/models\/svc-avatar\/options has "Authorization"; keys do not belong/,
  ],
  ...[
    { n: 2 },
    { num_images: '4' },
    { sequentialImageGeneration: 'auto' },
    { input: { sequential_image_generation_options: { max_images: 3 } } },
    { numberOfImages: '$n' },
  ].map((options): (typeof faults)[number] => [
    avatar({ model: 'openai:x', options }),
    /\/models\/svc-avatar\/options has "\w+"; each call makes one picture, which is booked and stored: remove it/,
  ]),
  [avatar(secret), /\/models\/svc-avatar is a string of \d+ characters/],
  [avatar({ model: 'openai-compatible:x', baseUrl: secret }), /baseUrl is a string of \d+ characters/],
  [avatar({ model: 'openai:x', [secret]: 1 }), /…\(\d+ characters\) is not known/],
  [avatar('stub', { budgets: { perPet: '1usd' } }), /\/budgets\/perPet is "1usd"; it must be an amount and a window/],
  [
    avatar('openai:x', { budgets: { perPet: '1usd/day' } }),
    /\/models\/svc-avatar\/price is missing; a budget requires it/,
  ],
  [avatar({ model: 'stub', slots: 3 }), /\/models\/svc-avatar\/slots does not apply to the stub/],
  [avatar('google:x'), /^GEMINI_API_KEY \(for svc-avatar\) is not set/],
  [avatar({ model: 'openai:x', apiKey: 'env:EMPTY' }), /^EMPTY \(for svc-avatar\) is not set/],
]
for (const [content, expected] of faults) {
  models(`rejects a file without showing a key: ${expected.source.replaceAll('\\', '')}`, () => {
    const message = refusalOf(content)
    assert.match(message, expected)
    assert.not.match(message, secret)
    assert.not.match(message, 'pass@')
    assert.not.match(message, 'hunter2')
  })
}

models('accepts options that request one picture', () => {
  const options = { n: 1, num_images: '1', sequentialImageGeneration: 'disabled' }
  const { models: found } = readOperatorSettings(write(avatar({ model: 'openai:x', options })), find)
  const { 'svc-avatar': one } = found
  assert.equal(one === 'stub' ? one : one.settings.options, options)
})

models('names all problems at once', () => {
  const message = refusalOf({
    models: { 'svc-avatar': 'opnai:x', 'svc-animation': 'openai:y' },
    budgets: { perPet: '1' },
  })
  for (const path of ['/models/svc-avatar', '/models/svc-animation', '/budgets/perPet']) assert.match(message, path)
})

models('reports missing keys to callers that do not require them', () => {
  const operation = readOperatorSettingsWithoutKeys(write(avatar('google:x')), find)
  assert.equal(listModels(operation).map(isKeyMissing), [true])
})

models('names the command that creates a missing file', () => {
  assert.throws(() => readOperatorSettings('/nowhere/svc.config.json', find), /There is no configuration .*svc init/)
})

models('is used if it is configured or exists in the data directory', () => {
  const dataDir = place.folder
  write(avatar('stub'))
  const providerOf = (flags: object, environment = {}) => loadConfig(flags, environment).provider
  assert.is(providerOf({ dataDir }), 'config')
  assert.is(providerOf({ dataDir, provider: 'stub' }), 'stub')
  assert.is(providerOf({ dataDir: `${dataDir}/other` }), 'stub')
  assert.is(providerOf({ dataDir: `${dataDir}/other` }, { SVC_CONFIG: 'models.json' }), 'config')
  assert.is(loadConfig({ dataDir }, {}).configFile, `${dataDir}/svc.config.json`)
})

models('is not used by a temporary service, unless it is configured', () => {
  write(avatar('stub'))
  const providerOf = (environment: object) =>
    drawUnlessTold(loadConfig({}, { SVC_DATA_DIR: place.folder, ...environment })).provider
  assert.is(providerOf({}), 'stub')
  assert.is(providerOf({ SVC_PROVIDER: 'config' }), 'config')
  assert.is(providerOf({ SVC_CONFIG: `${place.folder}/svc.config.json` }), 'config')
})

models.run()
