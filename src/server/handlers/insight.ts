import { hash } from 'node:crypto'
import { createId } from '../../ids.js'
import {
  type Copy,
  generate,
  type HealthDetailPayload,
  presentInsight,
  type Violation,
  validate,
} from '../../insight/index.js'
import { readSurelyValid } from '../../insight/surely-valid.js'
import type { RuleHit } from '../../log.js'
import type { Journal, Pseudonyms } from '../../ports.js'
import { InvalidBody } from '../body.js'
import type { Handlers } from '../call.js'
import { toTimestamp } from '../timestamp.js'

/** A fingerprint is short; whatever else a caller sends as one must not fill the archive. */
const factVersionKept = 256
const hitsKept = 50
const unknownMember = 'envelope-unknown-member'

export interface InsightPorts {
  readonly copy: Copy
  readonly journal: Journal
  readonly pseudonyms: Pseudonyms
}

/** Payload to text. The archive gets keyed hashes: no ID, no name and no text. Source: health detail contract, 1 and 4. */
export function createInsightHandlers({
  copy,
  journal,
  pseudonyms,
}: InsightPorts): Pick<Handlers, 'generateHealthDetailInsight'> {
  return {
    generateHealthDetailInsight({ key, body, requestId, now, warn }) {
      // It holds until the next call, and this one waits for nothing.
      const payload = readSurelyValid(body.bytes) ?? requireValid(body.parse(), warn)
      const insight = generate(payload, { copy })
      const insightId = createId('hdi_')
      journal.append({
        insightId,
        requestId,
        keyId: key.id,
        userHash: pseudonyms.user(payload.userId),
        petHash: pseudonyms.pet(payload.petId),
        metric: payload.metric,
        viewWindow: payload.viewWindow,
        locale: insight.locale,
        status: insight.status,
        ruleId: insight.generation.ruleId,
        ruleVersion: insight.generation.ruleVersion,
        factVersion: payload.insightContext.factVersion.slice(0, factVersionKept),
        summaryHash: hash('sha256', insight.summary, 'base64url'),
        generatedAt: now,
      })
      return { body: presentInsight(payload, insight, { insightId, generatedAt: toTimestamp(now.getTime()) }) }
    },
  }
}

/** Throws `InvalidBody` for a payload that is not valid. */
function requireValid(payload: unknown, warn: (warnings: readonly RuleHit[]) => void): HealthDetailPayload {
  const { errors, warnings } = validate(payload)
  if (errors.length > 0) throw new InvalidBody(toRuleHits(errors))
  warn(toRuleHits(warnings))
  // `validate` found no error, which is what this type means.
  return payload as HealthDetailPayload
}

/**
 * Rules and places only: the messages of violations quote what was found. A place has members of the contract alone; for an
 * unknown one, whose name is the caller's text, the member stands that is missing beside it.
 */
function toRuleHits(violations: readonly Violation[]): RuleHit[] {
  return violations.slice(0, hitsKept).map(({ rule, path, expected }) => ({
    rule,
    path: rule === unknownMember ? `${path.slice(0, path.lastIndexOf('/'))}/${expected}` : path,
  }))
}
