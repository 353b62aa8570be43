import type { RequestHits } from '../../contract/requests.js'
import { rules } from '../../insight/index.js'
import type { RuleHit } from '../../log/request-log.js'

/** Adds the sentences of the broken rules. */
export function presentHits(hits: readonly RuleHit[] = []): RequestHits {
  return hits.map((hit) => ({ ...hit, sentence: findSentence(hit.rule) ?? '' }))
}

/** Finds the sentence of a rule in the log, for payloads and for all other requests. */
export function findSentence(rule: string): string | undefined {
  return rules.find(({ id }) => id === rule)?.sentence ?? requestRules[rule]
}

/** The rules of requests: mostly keywords of JSON Schema. */
const requestRules: Readonly<Record<string, string>> = {
  'content-type': 'The header Content-Type must be application/json.',
  required: 'The field is required.',
  type: 'The field has the wrong type.',
  enum: 'The field must be one of the allowed values.',
  const: 'The field must be one of the allowed values.',
  minimum: 'The number is too small.',
  maximum: 'The number is too large.',
  minLength: 'The text is too short.',
  maxLength: 'The text is too long.',
  pattern: 'The text must match the pattern of the field.',
  format: 'The text must match the format of the field.',
  minItems: 'The list has too few items.',
  maxItems: 'The list has too many items.',
  uniqueItems: 'The list must not contain duplicates.',
  repeated: 'The field must be sent once.',
  'misspelled-field': 'The field is missing, but was sent with another spelling.',
  'unknown-magic-pet': 'There is no magic pet with this ID: it is a pet like any other.',
}
