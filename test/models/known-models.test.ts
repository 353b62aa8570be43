import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  findKnownModel,
  findShutdown,
  findUnsuited,
  listMakers,
  listProposals,
  proposeModel,
  readModelList,
} from '../../src/models/known-models.js'
import type { ProviderName } from '../../src/models/providers.js'
import { reportSkip } from '../helpers/skip.js'

const list = suite('known models')
const { known: knownModels, unsuited } = readModelList()
const read = (file: string) => readFileSync(new URL(`../../node_modules/${file}`, import.meta.url), 'utf8')

list('proposes models without a shutdown date, with their inputs', () => {
  for (const kind of ['image', 'video'] as const) {
    for (const name of listMakers(kind)) {
      const { shutdown, references, frames } = proposeModel(name, kind) ?? {}
      assert.is(shutdown, undefined)
      if (kind === 'image') assert.ok(references !== undefined && references > 0, name)
      // A loop must end as it begins.
      else assert.is(frames, 'first and last', name)
    }
  }
  assert.is(listProposals('image').length, listMakers('image').length)
  assert.not(listMakers('video').includes('google'))
})

const unsuitedModels = unsuited.flatMap(({ provider, models }) => models.map((model) => ({ provider, model })))

/** Lists the models of pictures and clips that the types of a vendor's package name. */
function listPackageModels(provider: string): string[] {
  const types = read(`@ai-sdk/${provider}/dist/index.d.ts`)
  const lists = [...types.matchAll(/^type \w+(?:Image|Video)ModelId = (.*);$/gm)]
  return lists.flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, model = '']) => model))
}

for (const provider of ['openai', 'google', 'bytedance', 'fal', 'replicate'] as const satisfies ProviderName[]) {
  list(`every model that @ai-sdk/${provider} lists was looked up`, () => {
    const listed = listPackageModels(provider)
    assert.ok(listed.length > 0)
    const missing = listed.filter((model) => !findKnownModel(provider, model) && !findUnsuited(provider, model))
    assert.equal(missing, [], 'look each one up and add it to catalog/models.json, known or unsuited')
    const gone = unsuitedModels.filter((one) => one.provider === provider && !listed.includes(one.model))
    assert.equal(gone, [], 'the package does not list them any more: remove them from catalog/models.json')
  })
}

list('lists each model once, known or unsuited, with valid dates', () => {
  const names = [...knownModels, ...unsuitedModels].map(({ provider, model }) => `${provider}:${model}`)
  assert.is(new Set(names).size, names.length)
  for (const { checkedOn, shutdown, source } of knownModels) {
    for (const day of [checkedOn, shutdown?.on ?? checkedOn]) {
      assert.is(new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10), day)
    }
    assert.ok(source !== '')
  }
})

list('names no successor with a shutdown date', () => {
  for (const { provider, shutdown } of knownModels) {
    if (shutdown !== undefined) assert.is(findKnownModel(provider, shutdown.successor)?.shutdown, undefined)
  }
})

list('finds a model of OpenAI that an endpoint passes on', () => {
  assert.is(findKnownModel('openai-compatible', 'openai/gpt-image-1')?.shutdown?.on, '2026-10-23')
  assert.is(findKnownModel('openai-compatible', 'my-model'), undefined)
  assert.is(findKnownModel('fal', 'gpt-image-1'), undefined)
})

list('tells the end of a model before and after its day', () => {
  const model = { provider: 'openai', model: 'gpt-image-1.5', kind: 'image' } as const
  const way = 'take openai:gpt-image-2.6-sunburst'
  assert.equal(findShutdown(model, new Date('2026-11-30T23:00:00Z')), {
    isOver: false,
    detail: `gpt-image-1.5 will be switched off on 2026-12-01: ${way}`,
  })
  assert.equal(findShutdown(model, new Date('2026-12-01T00:00:00Z')), {
    isOver: true,
    detail: `gpt-image-1.5 was switched off on 2026-12-01: ${way}`,
  })
  assert.is(findShutdown({ ...model, model: 'gpt-image-2.6-flare' }, new Date()), undefined)
})

list('warns of models that were looked up more than 90 days ago', () => {
  const rows = [...knownModels, ...unsuited.map((row) => ({ ...row, model: row.models.join(', ') }))]
  const before = new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10)
  for (const { provider, model, checkedOn, source } of rows.filter((row) => row.checkedOn < before)) {
    reportSkip(`${provider}:${model} was looked up on ${checkedOn}; check again: ${source}`)
  }
})

list('takes the names of models from the installed packages', () => {
  for (const { provider, model, source, shutdown } of knownModels) {
    const [, name, version] = /(@ai-sdk\/[\w-]+) ([\d.]+), model list/.exec(source) ?? []
    if (name === undefined) continue
    assert.is(JSON.parse(read(`${name}/package.json`)).version, version, `${provider}:${model}`)
    assert.ok(read(`${name}/dist/index.d.ts`).includes(`'${model}'`), `${provider}:${model}`)
    assert.is(shutdown, undefined)
  }
})

list.run()
