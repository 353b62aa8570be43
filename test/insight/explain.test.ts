import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog.js'
import { explain, generate } from '../../src/insight/index.js'
import { insightFixtures } from '../helpers/fixtures.js'
import { buildPayload } from '../helpers/payloads.js'

const explanation = suite('explain')
const copy = await loadInsightCopy()

explanation('names every fact with the place in the payload where it stands', () => {
  for (const { name, payload } of insightFixtures) {
    const { facts } = explain(payload, { copy })
    for (const { path, value } of facts) {
      // The main number of a vital names both places it may come from.
      const paths = path?.split(' or ') ?? []
      const found = paths.map((pointer) => readPointer(payload, pointer)).filter((member) => member !== undefined)
      if (paths.length > 0 && value !== 'not sent' && value !== 'no suppliedJudgment') {
        assert.ok(found.length > 0, `${name}: ${path} is not in the payload`)
      }
    }
  }
})

explanation('shows the clauses that stand in the text and the reason why others do not', () => {
  for (const { name, payload } of insightFixtures) {
    const { summary } = generate(payload, { copy })
    for (const clause of explain(payload, { copy }).clauses) {
      const said = clause.reason.match(/^"(.*)"(, because .*)?$/)?.[1]
      if (!clause.shown) assert.match(clause.reason, /^left out: /)
      else if (said !== undefined) assert.ok(summary.includes(said), `${name} ${clause.name}: ${said}`)
      else assert.match(clause.reason, /^chooses the words for "/)
    }
  }
})

explanation('says that advice is left out because the direction does not count as worse', () => {
  const payload = buildPayload({
    metric: 'hr',
    viewWindow: 'day',
    rating: 'high',
    attentionDays: 1,
    deteriorating: false,
  })
  const { clauses, facts } = explain(payload, { copy })
  assert.equal(clauses.find(({ name }) => name === 'advice')?.shown, false)
  assert.ok(facts.some(({ name, value }) => name === 'deteriorating' && value === 'false'))
})

function readPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key], value)
}

explanation.run()
