import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadInsightCopy } from '../../src/catalog/catalog.js'
import { generate, presentInsight } from '../../src/insight/index.js'
import { buildPayload, changePayload } from '../helpers/payloads.js'

const response = suite('insight response')
const copy = await loadInsightCopy()
const stamp = { insightId: 'hdi_1', generatedAt: '2026-10-15T01:02:03.004Z' }
const present = (payload: Parameters<typeof generate>[0]) => presentInsight(payload, generate(payload, { copy }), stamp)

response('has the members of the contract and no others', () => {
  const payload = buildPayload({ metric: 'activity', viewWindow: 'day', locale: 'es', timezone: 'Asia/Kathmandu' })
  assert.equal(present(payload), {
    insightId: 'hdi_1',
    petId: 'pet-7731',
    metric: 'activity',
    viewWindow: 'day',
    period: { startDate: '2026-10-14', endDate: '2026-10-14', timezone: 'Asia/Kathmandu', isCompleted: true },
    status: 'normal',
    severity: 'none',
    summary:
      'El 14 de octubre, Mochi tuvo 3\u00A0h 30\u00A0min de actividad, dentro de su rango habitual (de 3\u00A0h a 5\u00A0h).',
    generation: {
      ruleId: 'ACTIVITY_SUPPLIED_JUDGMENT',
      ruleVersion: copy.ruleVersion,
      generatedAt: '2026-10-15T01:02:03.004Z',
      aiPolished: false,
    },
  })
})

response('echoes nights as they were sent: a number, null, or not at all', () => {
  const week = buildPayload({ metric: 'rest', viewWindow: 'week' })
  const { period } = present(changePayload(week, { '/period/validNights': null }))
  assert.is(period.elapsedNights, 7)
  assert.is(period.validNights, null)
  const day = present(buildPayload({ metric: 'rest', viewWindow: 'day' }))
  assert.not.ok('elapsedNights' in day.period)
})

response.run()
