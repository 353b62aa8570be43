import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createAiSdkProvider } from '../../../src/adapters/provider/ai-sdk/provider.js'
import { vendors } from '../../../src/adapters/provider/ai-sdk/vendors/index.js'
import { listModels, readOperation } from '../../../src/config/models.js'
import { shippedUrl } from '../../../src/entry.js'
import { installCommand, type ModelSettings, providerNames, providers } from '../../../src/ports/models.js'
import { buildCall, buildClipRequest, buildPictureRequest, makePhoto } from '../../helpers/provider-calls.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { clipCases, pictureCases, startUpstream } from '../../helpers/upstreams/index.js'
import { upstreamKey } from '../../helpers/upstreams/upstream.js'

const readme = suite('src/adapters/provider/README.md')
const page = readFileSync(shippedUrl('src/adapters/provider/README.md'), 'utf8')
const examples = [...page.matchAll(/^```jsonc\n(.*?)^```/gms)].map(([, content = '']) => content)
const place = openTemporaryFolder()
readme.after(() => place.close())

const read = (content: string) => readOperation(place.write('svc.config.json', content), () => upstreamKey)

readme('has an example of every provider', () => {
  const named = examples.flatMap((content) => listModels(read(content)).map(({ settings }) => settings))
  for (const name of providerNames) {
    for (const kind of providers[name].makes) {
      assert.ok(
        named.some((settings) => settings.provider === name && settings.kind === kind),
        `${name}, ${kind}`,
      )
    }
  }
})

for (const [place, content] of examples.entries()) {
  readme(`example ${place + 1} makes what it is for`, async () => {
    for (const { settings, isPriced } of listModels(read(content))) {
      assert.ok(isPriced)
      await make(settings)
    }
  })
}

/** Has the model of an example, at a double of its vendor, make one picture or clip. */
async function make(settings: ModelSettings): Promise<void> {
  const { kind, provider: name } = settings
  const found = [...pictureCases, ...clipCases].find(
    (one) => one.settings.provider === name && one.settings.kind === kind,
  )
  assert.ok(found, name)
  const upstream = await startUpstream(found.double)
  const provider = await createAiSdkProvider({ ...settings, baseUrl: upstream.baseUrl }, { log: { write: () => {} } })
  try {
    const photo = await makePhoto()
    if (kind === 'image') await provider.generatePicture(buildPictureRequest(photo), buildCall())
    else await provider.generateClip(buildClipRequest(photo), buildCall())
    assert.is(upstream.count('buy'), 1)
    const sent = upstream.received.map(({ body }) => body.toString('latin1')).join('')
    assert.not.match(sent, /\$(firstFrame|lastFrame|reference)/)
  } finally {
    await provider.close()
    await upstream.close()
  }
}

readme('agrees with what the program knows of each provider, and so do the vendors', () => {
  for (const name of providerNames) {
    const { variable, makes } = providers[name]
    assert.is(makes.includes('image'), vendors[name].picture !== undefined)
    assert.is(makes.includes('video'), vendors[name].clip !== undefined)
    assert.match(
      page,
      `| \`${name}\` | \`${installCommand(providers[name])}\` | ${variable ? `\`${variable}\`` : 'none'} |`,
    )
  }
})

readme('shows the models and options that svc init begins with', () => {
  for (const name of providerNames) {
    for (const [kind, example] of Object.entries(providers[name].examples)) {
      const { model, options = {} } = example
      const settings = examples
        .flatMap((content) => listModels(read(content)))
        .find((one) => one.settings.kind === kind && one.settings.provider === name && one.settings.model === model)
      assert.ok(settings, `${name}:${model}`)
      if (name !== 'openai') assert.equal(settings.settings.options, options, `${name}:${model}`)
    }
  }
})

readme('is linked from the first page', () => {
  const first = readFileSync(join(shippedUrl('.').pathname, 'README.md'), 'utf8')
  assert.match(first, '(src/adapters/provider/README.md)')
})

readme.run()
