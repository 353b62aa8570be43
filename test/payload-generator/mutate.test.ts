import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rules, validate } from '../../src/insight/index.js'
import { listBases, type Mutant, mutatePayloads } from '../../src/payload-generator/mutate.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { buildPayload } from '../helpers/payloads.js'

const mutants = suite('mutants')

const errorRules = rules.filter(({ severity }) => severity === 'error').map(({ id }) => id)

/** The verdict on the text of a mutant: the rules and paths of its errors and warnings. */
function judge({ text }: Mutant): readonly (readonly [rule: string, path: string])[] {
  try {
    const { errors, warnings } = validate(JSON.parse(text))
    return [...errors, ...warnings].map(({ rule, path }) => [rule, path])
  } catch {
    return [['payload-json', '']]
  }
}

for (const seed of [1, 2, 7]) {
  mutants(`break every error rule, each rule alone (seed ${seed})`, () => {
    const made = mutatePayloads(listBases(seed), seed)
    assert.equal(
      made.map(({ rule }) => rule),
      errorRules,
    )
    for (const mutant of made) {
      assert.equal(mutant.also, [], mutant.rule)
      assert.equal(judge(mutant), [[mutant.rule, mutant.path]])
    }
  })
}

mutants('of a payload are those of the rules that apply to it, with what follows from a violation', () => {
  for (const { payload } of insightFixtures.filter((_, index) => index % 12 === 0)) {
    const made = mutatePayloads([payload], 3)
    assert.ok(made.length > 30)
    for (const mutant of made) {
      const also = mutant.also.map(({ rule, path }) => [rule, path])
      assert.equal(judge(mutant).slice().sort(), [[mutant.rule, mutant.path], ...also].sort())
    }
  }
})

mutants('are the same for the same seed, and others for another', () => {
  const payloads = [buildPayload({ metric: 'rest', viewWindow: 'week' })]
  const [one, same, other] = [1, 1, 2].map((seed) => JSON.stringify(mutatePayloads(payloads, seed)))
  assert.is(one, same)
  assert.is.not(one, other)
  assert.equal(mutatePayloads([], 1), [])
})

mutants.run()
