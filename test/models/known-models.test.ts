import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findKnownModel, knownModels, listMakers, listProposals, proposeModel } from '../../src/models/known-models.js'
import { reportSkip } from '../helpers/skip.js'

const list = suite('known models')

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

list('lists each model once, with valid dates', () => {
  const names = knownModels.map(({ provider, model }) => `${provider}:${model}`)
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

list('was looked up in the last 90 days', () => {
  const oldest = knownModels.map(({ checkedOn }) => checkedOn).sort()[0] ?? ''
  const days = (Date.now() - Date.parse(oldest)) / 86_400_000
  if (days > 90) reportSkip(`src/models/known-models.ts: looked up on ${oldest}; check the vendors again`)
})

list.run()
