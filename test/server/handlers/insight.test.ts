import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createInsightHandlers, type InsightPorts } from '../../../src/server/handlers/insight.js'
import type { Handlers } from '../../../src/server/pipeline/handler.js'

const insights = suite('handler of insights')

type InsightCall = Parameters<Handlers['generateHealthDetailInsight']>[0]

/** Sends a body that is not valid. Returns the parse, the refusal and the turns of other calls, in order. */
async function listSteps(bytes: Buffer): Promise<string[]> {
  const steps: string[] = []
  const takeTurn = () => setImmediate(() => steps.push('turn'))
  const parse = () => {
    steps.push('parse')
    takeTurn()
    return JSON.parse(bytes.toString())
  }
  const handlers = createInsightHandlers({} as InsightPorts)
  const call = { body: { bytes, parse }, warn: () => {} } as unknown as InsightCall
  takeTurn()
  const refused = handlers.generateHealthDetailInsight(call)
  await Promise.resolve(refused).catch(() => steps.push('refused'))
  return steps
}

insights('lets other calls in before it parses a large body, and before it applies the rules', async () => {
  const members = Array.from({ length: 75_000 }, (_, index) => `"k${index}":1`)
  assert.equal(await listSteps(Buffer.from(`{${members.join()}}`)), ['turn', 'parse', 'turn', 'refused'])
})

insights('refuses a small body in one turn', async () => {
  assert.equal(await listSteps(Buffer.from('{"k":1}')), ['parse', 'refused'])
})

insights.run()
