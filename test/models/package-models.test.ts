import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findKnownModel, findUnsuited, readModelList } from '../../src/models/known-models.js'
import type { ProviderName } from '../../src/models/providers.js'

const packages = suite('models of the installed packages')
const { known: knownModels, unsuited } = readModelList()
const unsuitedModels = unsuited.flatMap(({ provider, models }) => models.map((model) => ({ provider, model })))

/** Lists the models of pictures and clips that the types of a vendor's package name. */
function listPackageModels(provider: string): string[] {
  const types = readFileSync(new URL(`../../node_modules/@ai-sdk/${provider}/dist/index.d.ts`, import.meta.url), 'utf8')
  const lists = [...types.matchAll(/^type \w+(?:Image|Video)ModelId = (.*);$/gm)]
  return lists.flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, model = '']) => model))
}

for (const provider of ['openai', 'google', 'bytedance', 'fal', 'replicate'] as const satisfies ProviderName[]) {
  packages(`every model that @ai-sdk/${provider} lists was looked up`, () => {
    const listed = listPackageModels(provider)
    assert.ok(listed.length > 0)
    const missing = listed.filter((model) => !findKnownModel(provider, model) && !findUnsuited(provider, model))
    assert.equal(missing, [], 'look each one up and add it to catalog/models.json, known or unsuited')
    const gone = unsuitedModels.filter((one) => one.provider === provider && !listed.includes(one.model))
    assert.equal(
      gone.map(({ model }) => model),
      [],
      'the package does not list them any more: remove them from catalog/models.json',
    )
  })
}

packages('a model is known or unsuited, once', () => {
  const names = unsuitedModels.map(({ provider, model }) => `${provider}:${model}`)
  assert.is(new Set(names).size, names.length)
  const known = new Set(knownModels.map(({ provider, model }) => `${provider}:${model}`))
  assert.equal(
    names.filter((name) => known.has(name)),
    [],
  )
})

packages.run()
