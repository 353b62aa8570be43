import { type ErrorCode, statusByCode } from '../../errors.js'
import { magicPets } from '../../faults/magic-pets.js'
import { rules } from '../../insight/rules/index.js'
import { payloadParts } from '../payload-schema.js'
import { type DocumentedSchema, listFields, requestColumns } from './fields.js'
import { code, inline, table } from './html.js'

/** The cause of each error, and the advice to callers. */
const advice: Readonly<Record<ErrorCode, readonly [when: string, fix: string]>> = {
  unauthorized: ['The key is missing, unknown, revoked or expired.', 'Send a valid key.'],
  forbidden: [
    'The key may not use this endpoint, model or capability; or a file address was altered or has expired.',
    'The message names the missing permission: ask for a key that has it. For a file, query the task again.',
  ],
  not_found: [
    'Nothing has this path or this ID.',
    'Check the path, the ID, and `user_id` if tasks are found by their owner.',
  ],
  method_not_allowed: ['The path accepts other methods.', 'The header `Allow` lists them.'],
  conflict: [
    'The resource does not allow the call now: a running animation cannot be deleted, or a call with the same `Idempotency-Key` is still running.',
    'Wait and retry.',
  ],
  gone: ['The endpoint is retired.', 'The header `Link` names its successor.'],
  payload_too_large: ['The body exceeds its limit.', 'Send a smaller body.'],
  unsupported_content_encoding: ['The body is compressed.', 'Send it without `Content-Encoding`.'],
  invalid_request: [
    'A field is missing, has the wrong type or an invalid value; the JSON is malformed; the content type is not supported.',
    'The message names the field and what it must be. Do not retry the call unchanged.',
  ],
  rate_limit_exceeded: [
    'The rate of the key, or a budget of the key or the pet, is reached.',
    'Wait for the seconds in `Retry-After`. If the message says that the call needs more than a whole day or month allows, request fewer poses or scenes.',
  ],
  internal_error: ['An error in the service.', 'Report the request ID; the server’s log has the cause under it.'],
  provider_error: ['The model service failed during the call.', 'Retry later.'],
  unavailable: ['The service cannot answer now.', 'Wait for the seconds in `Retry-After`.'],
}

/** Renders every error code with its status, cause and advice. */
export function renderErrors(): string {
  const rows = Object.entries(statusByCode).map(([name, status]) => {
    const [when, fix] = advice[name as ErrorCode]
    return [code(name), String(status), inline(when), inline(fix)]
  })
  return table('Error codes', ['Code', 'Status', 'When', 'Remedy'], rows)
}

/** Renders the pet IDs that are fault rules. */
export function renderMagicPets(): string {
  const rows = Object.entries(magicPets).map(([id, { summary }]) => [code(id), inline(summary)])
  return table('Magic pets', ['`pet_id`', 'Effect'].map(inline), rows)
}

const sections: Readonly<Record<string, string>> = {
  '2.1': 'Envelope, pet and period',
  '2.2': 'Context',
  '2.2.1': 'Comparison',
  '2.3': 'Supplied judgment',
  '2.4': 'Metrics and daily series',
  '4': 'Windows, modes and agreement of the numbers',
  '8': 'Limits',
}

/** Renders the validity rules of a health payload, by section of its contract. */
export function renderRules(): string {
  const byId = [...rules].sort((left, right) => left.section.localeCompare(right.section, 'en', { numeric: true }))
  return [...new Set(byId.map(({ section }) => section))]
    .map((section) => {
      const title = sections[section]
      if (title === undefined) throw new Error(`Section ${section} of the rules has no title in src/build/api-docs/.`)
      const rows = byId
        .filter((rule) => rule.section === section)
        .map(({ id, severity, sentence }) => [code(id), severity, inline(sentence)])
      return table(`${section} ${title}`, ['Rule', 'Severity', 'Requires'], rows)
    })
    .join('')
}

/** Renders the fields of a health payload: `envelope`, or those of a metric (`rest`) or of a metric and window (`rest-day`). */
export function renderPayload(part: string): string {
  const node: DocumentedSchema | undefined = payloadParts[part]
  if (node === undefined) throw new Error(`The payload has no part ${part}.`)
  if (part === 'envelope') return table('Every payload', requestColumns, listPayloadFields(node))
  const [metric = '', kind] = part.split('-')
  const window = kind === undefined ? '' : kind === 'day' ? ', day' : ', week and month'
  const title = `${metric === 'vital' ? 'hr, hrv, rr' : metric}${window}`
  const rated = node.then === undefined ? '' : renderFieldsOf(`${title}, with a rating`, node.then)
  return `${renderFieldsOf(title, node)}${rated}`
}

/** Renders the fields that a part adds, without the objects around them, which are fields of every payload. */
function renderFieldsOf(title: string, node: DocumentedSchema): string {
  const around = ['insightContext', 'metrics', 'period'].map(code)
  const rows = listPayloadFields(node).filter(([name = '']) => !around.includes(name))
  return table(title, requestColumns, rows)
}

const listPayloadFields = (node: DocumentedSchema) => listFields(node, 'request', () => undefined)
