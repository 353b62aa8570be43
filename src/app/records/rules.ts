import type { RequestHits } from '../../contract/requests.js'
import { rules } from '../../insight/index.js'
import type { RuleHit } from '../../log.js'

/** Rules that were broken, with what they say. */
export function presentHits(hits: readonly RuleHit[] = []): RequestHits {
  return hits.map(({ rule, path }) => ({ rule, path, sentence: findSentence(rule) ?? '' }))
}

/** What a rule of the log says, whether a payload broke it or a request of another kind. */
export function findSentence(rule: string): string | undefined {
  return rules.find(({ id }) => id === rule)?.sentence ?? requestRules[rule]
}

/** The rules of all requests: mostly words of JSON Schema. */
const requestRules: Readonly<Record<string, string>> = {
  'content-type': 'The header Content-Type must be application/json.',
  'content-encoding': 'The body must not be compressed.',
  required: 'The field must be there.',
  type: 'The field must be of another type.',
  enum: 'The field must be one of the words that it may have.',
  const: 'The field must be one of the words that it may have.',
  minimum: 'The number is too small.',
  maximum: 'The number is too large.',
  minLength: 'The text is too short.',
  maxLength: 'The text is too long.',
  pattern: 'The text must be of another form.',
  format: 'The text must be of another form.',
  minItems: 'The list has too few items.',
  maxItems: 'The list has too many items.',
  uniqueItems: 'The list must not hold anything twice.',
  repeated: 'The field must be sent once.',
  'misspelt-field': 'The field is missing, but was sent in another spelling.',
}
