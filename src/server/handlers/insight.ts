import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Routes } from '../../contract/index.js'
import type { JsonText } from '../../contract/route.js'
import { describeKind } from '../../insight/describe-value.js'
import {
  type Copy,
  type Interpretation,
  interpret,
  presentInsight,
  renderInsight,
  type ValidReading,
  type Violation,
} from '../../insight/index.js'
import { duplicateMemberRule, unknownMemberRule } from '../../insight/rules/envelope.js'
import { isKnownName } from '../../insight/structure.js'
import type { RuleHit } from '../../log/request-log.js'
import type { Journal, Pseudonyms } from '../../ports/store.js'
import { createId } from '../../runtime/ids.js'
import { type DuplicateMember, findDuplicateMembers } from '../../text/duplicate-members.js'
import { findAt } from '../../text/json-location.js'
import { toTimestamp } from '../../text/time.js'
import { InvalidBody } from '../input/json-body.js'
import type { Call, Handlers, Reply } from '../pipeline/handler.js'

/** A fact version is a short fingerprint; a longer one must not fill the archive. */
const factVersionKept = 256
const hitsKept = 50
/** Names and indexes in a path of the contract. */
const depthAtMost = 8
/** A larger body takes tens of milliseconds to parse, and as long to validate: other calls are answered in between. */
const bytesInOneTurn = 128 << 10

export interface InsightPorts {
  readonly copy: Copy
  readonly journal: Journal
  readonly pseudonyms: Pseudonyms
}

/** Turns payloads into text. The archive gets keyed hashes: no ID, name or text. Source: health detail contract, 1 and 4. */
export function createInsightHandlers({ copy, journal, pseudonyms }: InsightPorts) {
  function answer(reading: ValidReading, call: GenerateCall): Reply<GenerateRoute> | Promise<Reply<GenerateRoute>> {
    const delay = journal.findDelay()
    return delay === undefined ? record(reading, call) : delay.then(() => answer(reading, call))
  }

  function record(reading: ValidReading, { key, requestId, callId, now }: GenerateCall): Reply<GenerateRoute> {
    const insight = renderInsight(reading, { copy })
    const { payload } = reading
    const insightId = createId('hdi_')
    journal.append({
      insightId,
      requestId,
      callId,
      keyId: key.id,
      userHash: pseudonyms.user(payload.userId),
      petHash: pseudonyms.pet(payload.petId),
      metric: payload.metric,
      viewWindow: payload.viewWindow,
      locale: insight.locale,
      status: insight.status,
      ruleId: insight.generation.ruleId,
      ruleVersion: insight.generation.ruleVersion,
      // PostgreSQL does not store U+0000: its row would fail, and with it the rows of all calls since.
      factVersion: payload.insightContext.factVersion.replaceAll('\0', '\ufffd').slice(0, factVersionKept),
      generatedAt: now,
    })
    return { body: presentInsight(payload, insight, { insightId, generatedAt: toTimestamp(now.getTime()) }) }
  }

  return {
    async generateHealthDetailInsight(call) {
      const { bytes, parse, text } = call.body
      const payload = bytes.length > bytesInOneTurn ? await parseInTurns(parse) : parse()
      return answer(requireValid(payload, text, call.warn), call)
    },
  } satisfies Partial<Handlers>
}

type GenerateRoute = Routes['generateHealthDetailInsight']
type GenerateCall = Call<GenerateRoute>

async function parseInTurns(parse: JsonText['parse']): Promise<unknown> {
  await nextTurn()
  const payload = parse()
  await nextTurn()
  return payload
}

/** Throws `InvalidBody` if the payload is not valid. */
function requireValid(payload: unknown, text: string, warn: (warnings: readonly RuleHit[]) => void): ValidReading {
  const interpretation = interpret(payload)
  const { errors, warnings, reading } = interpretation
  const duplicates = findDuplicateMembers(text, payload)
  warn(duplicates.map(toDuplicateHit))
  if (reading === undefined) throw new InvalidBody(toRuleHits(errors, payload, interpretation))
  warn(toRuleHits(warnings, payload, interpretation))
  return reading
}

/** Leaves the path empty if it is deeper than the contract, or has a name that is not of it: that is the caller's text. */
function toDuplicateHit({ pointer }: DuplicateMember): RuleHit {
  const names = pointer.slice(1).split('/')
  const isKnown = names.length <= depthAtMost && names.every((name) => isKnownName(name) || /^\d{1,3}$/.test(name))
  return { rule: duplicateMemberRule, path: isKnown ? pointer : '' }
}

/**
 * Keeps rules, paths and kinds of values: the messages of violations quote values, and so does `expected` where it depends
 * on other members. A path names only members of the contract; an unknown member, whose name is the caller's text, is
 * replaced by the missing member that it resembles.
 */
function toRuleHits(violations: readonly Violation[], payload: unknown, { structural }: Interpretation): RuleHit[] {
  return violations.slice(0, hitsKept).map((violation) => {
    const { rule, path, expected } = violation
    const found = describeKind(findAt(payload, path))
    if (rule === unknownMemberRule) return { rule, path: `${path.slice(0, path.lastIndexOf('/'))}/${expected}`, found }
    return { rule, path, ...(structural.has(violation) && { expected }), found }
  })
}
