import type { InsightRecord } from '../../src/ports/store.js'

/** Builds the record of a call. */
export const newInsight = (requestId: string): InsightRecord => ({
  insightId: `hdi_${requestId}`,
  requestId,
  callId: `call-${requestId}`,
  keyId: 'key_a',
  userHash: 'hmac:u',
  petHash: 'hmac:p',
  metric: 'hr',
  viewWindow: 'day',
  locale: 'en-US',
  status: 'normal',
  ruleId: 'R',
  ruleVersion: '1',
  factVersion: 'f',
  generatedAt: new Date('2026-10-20T08:00:00Z'),
})
