import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { vendors } from '../../../src/adapters/providers/ai-sdk/vendors/index.js'
import { listModels, readOperatorSettings } from '../../../src/config/models.js'
import { describeModel, proposeModel, readModelList } from '../../../src/models/known-models.js'
import { installCommand, providerNames, providers } from '../../../src/models/providers.js'
import type { ModelSettings } from '../../../src/models/settings.js'
import { openTemporaryFolder } from '../../helpers/temporary.js'
import { upstreamKey } from '../../helpers/upstreams/upstream.js'
import { type Bench, withBench } from './ai-sdk/bench.js'

const readme = suite('src/adapters/providers/README.md')
const page = readFileSync(new URL('../../../src/adapters/providers/README.md', import.meta.url), 'utf8')
const examples = [...page.matchAll(/^```jsonc\n(.*?)^```/gms)].map(([, content = '']) => content)
const place = openTemporaryFolder()
readme.after(() => place.close())

const read = (content: string) => readOperatorSettings(place.write('svc.config.json', content), () => upstreamKey)

for (const [place, content] of examples.entries()) {
  readme(`example ${place + 1} generates its kind of output`, async () => {
    for (const { settings, isPriced } of listModels(read(content))) {
      assert.ok(isPriced)
      await make(settings)
    }
  })
}

/** Generates one picture or clip with an example's model, at a double of its vendor. */
function make({ baseUrl: _, ...settings }: ModelSettings): Promise<void> {
  const use = async ({ upstream, attempt }: Bench) => {
    await attempt()
    assert.is(upstream.count('buy'), 1)
    const sent = upstream.received.map(({ body }) => body.toString('latin1')).join('')
    assert.not.match(sent, /\$(firstFrame|lastFrame|reference)/)
  }
  return withBench(`${settings.provider} ${settings.kind}`, use, { settings })
}

readme('agrees with the list of providers, and so do the vendors', () => {
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

readme('has an example of every provider, with the model and options that svc init recommends', () => {
  for (const name of providerNames) {
    for (const kind of providers[name].makes) {
      const proposed = proposeModel(name, kind)
      if (proposed === undefined) continue
      const { model, options = {} } = proposed
      const settings = examples
        .flatMap((content) => listModels(read(content)))
        .find((one) => one.settings.kind === kind && one.settings.provider === name && one.settings.model === model)
      assert.ok(settings, `${name}:${model}`)
      if (name !== 'openai') assert.equal(settings.settings.options, options, `${name}:${model}`)
    }
  }
})

readme('lists models without a shutdown date, with their inputs and sources', () => {
  const rows = readModelList()
    .known.filter(({ shutdown }) => shutdown === undefined)
    .map((known) => {
      const { provider, model, price = '', checkedOn, source } = known
      return `| \`${provider}:${model}\` | ${describeModel(known)} | ${price} | ${checkedOn} | ${source} |`
    })
  assert.equal(page.match(/^\| `[a-z]+:.*$/gm), rows)
})

readme.run()
